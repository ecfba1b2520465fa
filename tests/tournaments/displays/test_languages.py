"""Displays and printouts in the language of the event."""

import pytest
from django.conf import settings
from django.test import Client

from tests.factories.tournaments import fresh, make_event, owner_of, play_round, start_round
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import FRAGMENT, text_of, url
from tournaments.models import Tournament
from tournaments.settings import services as settings_services

FRENCH = {"Accept-Language": "fr"}
# A German text of each page.
GERMAN_TEXTS = {
    "projector": "Runde 2: Finde deinen Tisch",
    "stream": "Tisch 1",
    "overlay_table": "Runde 2, Tisch 1",
    "overlay_feature": "Runde 2, Tisch 1",
    "overlay_standings": "Tabelle nach Runde 1",
    "overlay_bracket": "Turnierbaum – Spring Run",
    "overlay_clock": "Uhr – Spring Run",
    "embed_standings": "Ganze Seite öffnen",
    "embed_pairings": "Tisch Spieler:innen Punkte",
    "poster": "gib den Code ein",
    "badges": "Nummer 1",
    "print_roster": "Check-in-Liste",
    "meeting_paper": "Noch keine Sitzplätze",
    "print_pairings": "Paarungen, Runde 2, nach Name",
    "print_standings": "Gedruckt am",
    "print_open": "Tische ohne feststehendes Ergebnis",
    "print_decks": "Noch keine Decks abgegeben",
    "slips": "Ergebniszettel, Runde 2",
    "blank_slips": "Leere Ergebniszettel",
}
ARGUMENTS = {"overlay_table": [1], "print_pairings": [2], "slips": [2]}


def make_scene() -> Tournament:
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    return fresh(event)


def change_language(event: Tournament, language: str) -> None:
    settings_services.change_settings(event, owner_of(event), language=language)


def test_every_display_has_a_german_text():
    assert {f"tournaments:{name}" for name in GERMAN_TEXTS} == settings.EVENT_PAGES


@pytest.mark.parametrize("name", GERMAN_TEXTS)
def test_display_is_in_the_language_of_the_event(event: Tournament, name: str):
    change_language(event, "de")

    page = desk_of(event).get(url(name, event, *ARGUMENTS.get(name, [])), headers=FRENCH)

    assert page["Content-Language"] == "de"
    assert '<html lang="de"' in page.text
    assert GERMAN_TEXTS[name] in text_of(page)
    assert "Accept-Language" not in page.get("Vary", "")


@pytest.mark.parametrize("name", ["projector", "embed_standings"])
def test_display_without_a_language_is_in_english(event: Tournament, name: str):
    page = Client().get(url(name, event), headers=FRENCH)

    assert page["Content-Language"] == "en-gb"
    assert '<html lang="en-gb"' in page.text


def test_page_of_players_is_in_their_own_language(event: Tournament):
    change_language(event, "de")

    assert Client().get(url("standings", event), headers=FRENCH)["Content-Language"] == "fr"


@pytest.mark.parametrize("name", ["projector", "overlay_standings", "embed_standings"])
@pytest.mark.parametrize("headers", [{}, FRAGMENT])
def test_stored_display_changes_with_the_language(
    event: Tournament, name: str, headers: dict[str, str]
):
    address, browser = url(name, event), Client()
    first = browser.get(address, headers=headers)
    change_language(event, "de")

    changed = browser.get(address, headers={**headers, "If-None-Match": first["ETag"]})
    unchanged = browser.get(address, headers={**headers, "If-None-Match": changed["ETag"]})

    assert (first["Content-Language"], changed["Content-Language"]) == ("en-gb", "de")
    assert changed.content != first.content
    assert (changed.status_code, unchanged.status_code) == (200, 304)


def test_display_changes_with_the_language_alone(event: Tournament):
    """The ETag contains the language, and not only the version of the event."""
    address = url("embed_standings", event)
    first = Client().get(address)
    Tournament.objects.filter(pk=event.pk).update(language="fr")

    changed = Client().get(address, headers={"If-None-Match": first["ETag"]})

    assert changed["Content-Language"] == "fr"
    assert "Classement après la ronde 1" in changed.text
