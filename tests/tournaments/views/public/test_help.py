"""Help made from the definitions the program reads."""

from html import unescape

from django.test import Client

from tournaments.pairing import PROFILES
from tournaments.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from tournaments.systems import SYSTEMS


def words(address: str) -> str:
    return unescape(Client().get(address).content.decode())


def test_every_system_has_an_address_and_its_explanation():
    page = words("/help/pairing/")

    for system in SYSTEMS.values():
        assert f'id="{system.id}"' in page
        assert system.explanation in page


def test_every_rule_of_a_profile_is_named_in_its_order():
    page = words("/help/pairing/")

    for profile in PROFILES.values():
        section = page[page.index(f'id="{profile.id}"') :]
        places = [section.index(f"<li>{rule.name.capitalize()}</li>") for rule in profile.rules]
        assert places == sorted(places)
        assert profile.explanation in page


def test_every_tie_breaker_is_told_with_the_usual_order():
    page = words("/help/tie-breakers/")

    for breaker in TIE_BREAKERS.values():
        assert breaker.explanation in page
    places = [page.index(f"<li>{TIE_BREAKERS[id_].name}</li>") for id_ in DEFAULT_TIE_BREAKERS]
    assert places == sorted(places)


def test_the_footer_of_every_page_leads_to_the_help():
    page = words("/help/")

    for address in ("/help/pairing/", "/help/scoring/", "/help/tie-breakers/"):
        assert page.count(f'href="{address}"') == 2
