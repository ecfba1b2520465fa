"""The page of one deck and its downloads."""

import re

import pytest
from django.test import Client

from decks.formats.writers import ExportForm
from decks.models import Card, Side
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import make_event, player_number
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import url
from tournaments.event.permissions import Actor
from tournaments.models import DeckSubmission, Registration, Tournament


def make_scene() -> Tournament:
    """Return an event in which player 1 has submitted a legal Corp deck."""
    load_cards()
    event = make_event(players=3)
    submit(player_number(event, 1), legal_corp_list())
    return event


def submit(player: Registration, text: str) -> DeckSubmission:
    return submit_deck(player, Side.CORP, text, Actor(player=player.player))


def page_of(event: Tournament, number: int = 1, side: str = "corp") -> str:
    return url("deck_page", event, number, side)


def export_of(event: Tournament, form: str, number: int = 1) -> str:
    return url("deck_export", event, number, "corp", form)


def owner_browser(event: Tournament) -> Client:
    return browser_of("player", event, player_number(event, 1))


def test_page_links_every_card_and_offers_only_forms_without_codes(event: Tournament):
    browser = owner_browser(event)

    page = browser.get(page_of(event)).text

    version = player_number(event, 1).deck_submissions.get().version
    assert version.seal in page
    for slot in version.slots.select_related("card"):
        assert f'<a href="{slot.card.get_absolute_url()}">' in page
    assert not re.search(r"\sstyle=|<style|\son\w+=", page)
    assert export_of(event, "meteor") in page
    assert export_of(event, "octgn") not in page
    assert browser.get(export_of(event, "octgn")).status_code == 404


@pytest.mark.parametrize("part", ["page", "download"])
def test_deck_is_not_cached(part: str, event: Tournament):
    address = page_of(event) if part == "page" else export_of(event, "plain_text")

    answer = owner_browser(event).get(address)

    assert "no-store" in answer["Cache-Control"]
    assert "ETag" not in answer


@pytest.mark.parametrize("side", ["runner", "both"])
def test_side_without_a_deck_has_no_page(side: str, event: Tournament):
    assert owner_browser(event).get(page_of(event, 1, side)).status_code == 404


@pytest.mark.parametrize(
    ("title", "filename"),
    [
        ("Fast Advance, ünïcode", "fast-advance-unicode.txt"),
        ('"; filename="evil.exe', "filename-evil-exe.txt"),
        ("../../etc/passwd", "etc-passwd.txt"),
        ("one\r\nSet-Cookie: two", "one-set-cookie-two.txt"),
        ("防火墙", "corp-deck.txt"),
        ("x" * 100, f"{'x' * 60}.txt"),
    ],
)
def test_title_of_a_deck_cannot_break_the_file_name(title: str, filename: str, event: Tournament):
    decklist = player_number(event, 1).deck_submissions.get().version.decklist
    decklist.title = title
    decklist.save()

    answer = owner_browser(event).get(export_of(event, "plain_text"))

    assert answer["Content-Disposition"] == f'attachment; filename="{filename}"'


def test_list_with_unknown_cards_is_exported_only_as_text(event: Tournament):
    submit(player_number(event, 1), "3 No Such Card\n1 Data Wall")
    browser = owner_browser(event)

    file = browser.get(export_of(event, "plain_text"))
    refused = browser.get(export_of(event, "meteor"), follow=True)

    assert "3 No Such Card" in file.text.splitlines()
    assert file["Content-Disposition"] == 'attachment; filename="corp-deck.txt"'
    assert refused.redirect_chain == [(page_of(event), 302)]
    assert "Meteor JSON identifies cards by code" in refused.text


def test_saved_lists_of_player_and_staff_have_downloads(event: Tournament):
    own_page, player = url("deck", event, "corp"), owner_browser(event)
    judge = browser_of("judge", event, player_number(event, 1))

    saved = [player.get(own_page), judge.get(url("deck_of", event, 1, "corp"))]
    unsaved = player.post(own_page, {"text": "3 Data Wall", "do": "check"})

    assert all(export_of(event, "meteor") in page.text for page in saved)
    assert "Data Wall" in unsaved.text
    assert export_of(event, "meteor") not in unsaved.text


def test_deck_with_an_identity_is_offered_in_every_form():
    load_cards("anr")
    event = make_event(players=1, game="anr", deck_rules={"format_id": "standard"})
    text = ";; title: Mill\nNoise: Hacker Extraordinaire\n3 Déjà Vu\n2 Corroder [id: 01007]"
    player = player_number(event, 1)
    submit_deck(player, Side.RUNNER, text, Actor(player=player.player))
    address = page_of(event, side="runner")
    browser = owner_browser(event)

    page = browser.get(address).text

    noise = Card.objects.get(title="Noise: Hacker Extraordinaire")
    assert f'<a href="{noise.get_absolute_url()}">' in page
    assert "Anarch" in page
    for form in ExportForm:
        assert f"{address}export/{form.value}/" in page
        file = browser.get(f"{address}export/{form.value}/")
        assert file["Content-Type"] == form.content_type
        assert file["Content-Disposition"] == f'attachment; filename="mill{form.suffix}"'
