"""A game lost before the match is told: its players and the staff read that it is decided."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.tournaments import (
    enter_result,
    fresh,
    sweep,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.pages import url
from tournaments.models import Pairing, Registration, Tournament
from tournaments.sheets.tellings import judged_games

REASON = "Canary sang at the table"


@pytest.fixture
def seated(event: Tournament, pairing: Pairing) -> list[Registration]:
    """Who sits at the table, by seat."""
    places = event.registrations.select_related("player", "tournament")
    return [places.get(player=seat.player_id) for seat in pairing.match.seats.order_by("position")]


def said(pairing: Pairing) -> list[str]:
    match = Pairing.objects.get(pk=pairing.pk).match
    assert match is not None
    return judged_games(match)


def test_a_lost_game_is_told_until_the_result_is(pairing: Pairing, seated: list[Registration]):
    loser, winner = seated
    assert said(pairing) == []

    penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

    assert said(pairing) == [f"A judge has decided game 1: {winner.player.name} wins it."]
    enter_result(pairing, sweep(1))
    assert said(pairing) == []


def test_a_game_both_lose_is_won_by_nobody(pairing: Pairing, seated: list[Registration]):
    for loser in seated:
        penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=2)

    assert said(pairing) == ["A judge has decided game 2: nobody wins it."]


@pytest.mark.parametrize("page", ["my_event", "report", "decide"])
def test_the_table_and_the_staff_read_it_and_not_why(
    page: str, event: Tournament, pairing: Pairing, seated: list[Registration]
):
    penalise(seated[0], PenaltyKind.GAME_LOSS, pairing=pairing, game=1, text=REASON)
    actor = "scorekeeper" if page == "decide" else "player"
    browser: Client = browser_of(actor, fresh(event), seated[0])
    places = [event.slug] if page == "my_event" else [event.slug, 1, pairing.table_number]

    body = browser.get(reverse(f"tournaments:{page}", args=places)).content.decode()

    assert "A judge has decided game 1" in body
    assert REASON not in body


def test_the_public_reads_nothing_before_the_result(
    event: Tournament, pairing: Pairing, seated: list[Registration], client: Client
):
    penalise(seated[0], PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

    answer = client.get(url("table", event, 1, pairing.table_number))

    assert "has decided" not in answer.content.decode()
