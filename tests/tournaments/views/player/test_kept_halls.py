"""What a process has kept of an event never shows on the page of a player once it is over."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.services import rename
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    place_of,
    play_round,
    player_number,
    seats_of,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.services.test_undo import back
from tournaments.actors import Actor
from tournaments.due.confirming import confirm_unanswered
from tournaments.models import Pairing, Registration, Tournament
from tournaments.services import absences, clock, events, registrations, results
from tournaments.sheets import halls

pytestmark = pytest.mark.django_db

PAGES = ("my_event", "pairings")
REPORTED, SETTLED, OPEN = 1, 2, 3
"""The tables of round 2."""


@pytest.fixture
def event() -> Tournament:
    """Round 1 is closed, round 2 is at its three tables."""
    tournament = make_event(
        players=6, planned_rounds=4, confirm_after_minutes=15, no_show_minutes=10
    )
    play_round(tournament)
    round_ = start_round(tournament)
    tell(table(round_, REPORTED), 0)
    enter_result(table(round_, SETTLED), sweep(2))
    return tournament


def at(event: Tournament, number: int) -> Pairing:
    return table(get_round(event, 2), number)


def tell(pairing: Pairing, place: int) -> None:
    one = seats_of(pairing)[place]
    results.report(pairing, one, sweep(1, 3), Actor(player=one.player))


def miss(event: Tournament) -> Pairing:
    pairing = at(event, OPEN)
    absences.tell(pairing, place_of(event, seats_of(pairing)[0].player), owner_of(event))
    return at(event, OPEN)


def lose(event: Tournament, number: int) -> None:
    pairing = at(event, number)
    gone = place_of(event, seats_of(pairing)[0].player)
    penalise(gone, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)


def close(event: Tournament) -> None:
    for pairing in tables_of(get_round(event, 2)):
        enter_result(pairing, games_for(pairing))
    close_round(get_round(event, 2))


def confirm_by_time(event: Tournament) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        confirm_unanswered(fresh(event))


CHANGES: dict[str, Callable[[Tournament], object]] = {
    "told": lambda event: tell(at(event, OPEN), 1),
    "agreed": lambda event: tell(at(event, REPORTED), 1),
    "confirmed by time": confirm_by_time,
    "taken back": lambda event: back(event, "result entered"),
    "decided": lambda event: enter_result(at(event, OPEN), sweep(1)),
    "a result of round 1": lambda event: enter_result(table(get_round(event, 1), 1), sweep(1, 6)),
    "missed": miss,
    "missed and decided": lambda event: absences.decide(miss(event), owner_of(event)),
    "a game lost before its result": lambda event: lose(event, OPEN),
    "a game lost after its result": lambda event: lose(event, SETTLED),
    "minutes": lambda event: clock.add_to_table(at(event, OPEN), 5, owner_of(event)),
    "paused": lambda event: clock.pause(get_round(event, 2), owner_of(event)),
    "closed": close,
    "left": lambda event: registrations.drop(player_number(event, 1), owner_of(event)),
    "renamed": lambda event: rename(player_number(event, 2).player, "Quetzal", "they/them"),
    "planned": lambda event: events.change_settings(event, owner_of(event), planned_rounds=5),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_page_is_the_same_kept_or_not(
    event: Tournament,
    change: str,
    phone_of: Callable[[Registration], Client],
    django_capture_on_commit_callbacks,
):
    phones = [phone_of(place) for place in event.registrations.select_related("player")]
    before = [shown(event, phone) for phone in phones]

    with django_capture_on_commit_callbacks(execute=True):
        CHANGES[change](fresh(event))

    kept = [shown(event, phone) for phone in phones]
    halls.forget()
    caches["pages"].clear()
    assert kept == [shown(event, phone) for phone in phones]
    assert kept != before


def shown(event: Tournament, phone: Client) -> tuple[str, str]:
    """What can be read on the page of this player, and on the pairings as they find them."""
    addresses = (reverse(f"tournaments:{name}", args=[event.slug]) for name in PAGES)
    mine, pairings = (phone.get(address, headers={"X-Fragment": "1"}) for address in addresses)
    return words(mine.text), words(pairings.text)


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())
