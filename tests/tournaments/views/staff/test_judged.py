"""The history of a player, and the report of the judges."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from rulings import services as ruling_services
from rulings.services.calls import Answer
from tests.factories.tournaments import (
    owner_of,
    player_number,
)
from tests.tournaments.views.staff.conftest import path
from tournaments import queries
from tournaments.models import Pairing, Registration, Tournament
from tournaments.services import calls, penalties


@pytest.fixture
def place(event: Tournament, pairing: Pairing) -> Registration:
    player = pairing.match.seats.get(position=1).player
    return player_number(event, event.registrations.get(player=player).number)


@pytest.fixture
def full(event: Tournament, place: Registration, pairing: Pairing) -> Tournament:
    """A warning, a call that waits, a note."""
    actor = owner_of(event)
    penalties.give(
        event, place, actor, infraction="slow-play", pairing=pairing, text='=HYPERLINK("x")'
    )
    calls.raise_call(pairing, actor, "+who begins?")
    ruling_services.write_note(pairing.match, actor.user, "A quiet word")
    return event


def test_the_history_of_a_player_gathers_what_judges_know(
    desk: Client, full: Tournament, place: Registration
):
    page = desk.get(path(full, f"desk/players/{place.number}/conduct/")).content.decode()

    for words in ("Slow play", "Second time at this event: warning.", "+who begins?"):
        assert words in page
    assert "A quiet word" in page


def test_a_player_without_history_has_an_empty_one(desk: Client, event: Tournament):
    page = desk.get(path(event, "desk/players/1/conduct/")).content.decode()

    assert page.count("None.") == 4
    assert desk.get(path(event, "desk/players/99/conduct/")).status_code == 404


def test_the_report_shows_calls_penalties_and_counts(desk: Client, full: Tournament):
    page = desk.get(path(full, "desk/judged/")).content.decode()

    assert "+who begins?" in page
    assert "<dt>Caution</dt><dd>1</dd>" in page
    assert "<dt>Judge calls</dt><dd>1</dd>" in page
    assert '<th scope="row">Slow play</th>' in page


def test_no_cell_of_the_csv_starts_a_formula(desk: Client, full: Tournament):
    answer = desk.get(path(full, "desk/judged.csv"))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert answer["Content-Type"].startswith("text/csv")
    assert [row["what"] for row in rows] == ["call", "penalty"]
    assert rows[0]["about"] == "'+who begins?"
    assert rows[1]["text"] == '\'=HYPERLINK("x")'
    assert rows[1]["penalty"] == rows[1]["expected"] == "caution"


def test_the_document_tells_the_same_to_programs(
    desk: Client, full: Tournament, place: Registration
):
    told: dict[str, Any] = desk.get(path(full, "desk/judged.json")).json()

    assert (told["datafort"], told["report"]) == (1, "judges")
    (call,), (penalty,) = told["calls"], told["penalties"]
    assert (call["about"], call["round"], call["table"]) == ("+who begins?", 1, 1)
    assert (penalty["number"], penalty["infraction"]) == (place.number, "slow-play")
    assert penalty["taken_back_at"] is None
    assert told["standing_penalties"]["caution"] == 1
    assert told["local_rulings"] == []
    assert (told["figures"]["calls"], told["figures"]["answered"]) == (1, 0)


def test_the_report_tells_who_answered_and_how_long_they_waited(desk: Client, full: Tournament):
    (line,) = queries.open_calls(full)
    calls.answer(full, line.call, owner_of(full), Answer("Whoever lost before."))

    page = desk.get(path(full, "desk/judged/")).content.decode()
    told: dict[str, Any] = desk.get(path(full, "desk/judged.json")).json()

    assert "1 of 1 call answered" in page
    assert "Whoever lost before." in page
    (judge,) = told["figures"]["judges"]
    assert (judge["judge"], judge["answered"]) == ("olga", 1)
    assert judge["until_answered"]["median"] >= 0
