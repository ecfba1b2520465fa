"""Effects of penalties are public; their reasons are visible to judges only."""

from functools import partial

import pytest
from django.test import Client

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    enter_result,
    fresh,
    make_event,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.crawling import crawl
from tests.tournaments.judging.penalties.tables import table_with
from tests.tournaments.pages import url
from tournaments.event.permissions import Actor
from tournaments.models import StaffRole, Tournament
from tournaments.practice import services as practice_services

pytestmark = pytest.mark.check(5)

CANARY = "Canary sang at the table"


def make_scene() -> Tournament:
    """Return an event with a match loss, waiting and current game losses, and a dropped player."""
    event = make_event(players=5)
    closed = play_round(event)
    ada, *others = event.registrations.select_related("player", "tournament").order_by("number")
    penalise_with_canary = partial(penalise, text=CANARY)
    at_a_table = [
        player for player in (ada, *others) if not closed.pairings.filter(bye=player).exists()
    ]
    penalise_with_canary(
        at_a_table[0], PenaltyKind.MATCH_LOSS, pairing=table_with(closed, at_a_table[0])
    )
    penalise_with_canary(others[-1], PenaltyKind.GAME_LOSS)
    round_ = start_round(event)
    enter_result(tables_of(round_)[0], sweep(1))
    playing = tables_of(round_)[1].match
    first, second = (event.registrations.get(player=seat.player_id) for seat in playing.seats.all())
    penalise_with_canary(first, PenaltyKind.GAME_LOSS, game=1)
    penalise_with_canary(second, PenaltyKind.DISQUALIFICATION)
    return fresh(event)


def places_that_reveal(browser: Client, event: Tournament) -> set[str]:
    """Return the addresses whose responses contain the text of a penalty."""
    answers = crawl(browser, event, 2, parts=False).items()
    return {address for (address, _), text in answers if CANARY in text}


@pytest.mark.slow
def test_practice_copy_of_a_scorekeeper_shows_no_penalty(event: Tournament):
    scorekeeper = add_staff(event, StaffRole.SCOREKEEPER)
    copy = practice_services.create_practice(event, Actor(user=scorekeeper), with_rounds=True)
    browser = logged_in(scorekeeper)

    assert places_that_reveal(browser, copy) == set()


@pytest.mark.parametrize("actor", ["anonymous", "scorekeeper"])
def test_table_shows_only_that_a_judge_decided(actor: str, event: Tournament):
    lost = event.penalties.filter(round_number=1).get().pairing
    address = url("table", event, 1, lost.table_number)

    page = browser_of(actor, event, player_number(event, 1)).get(address).content.decode()

    assert page.count("Decided by a judge") >= 2
    assert "enalt" not in page.replace(url("event_guide", event), "")
