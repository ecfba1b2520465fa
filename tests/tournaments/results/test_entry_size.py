"""Size of the result entry for a large event: bytes and queries."""

from collections.abc import Callable

import pytest

from players.models import Player, User
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.pods import make_pods
from tests.factories.tournaments import (
    enter_result,
    make_event,
    play_round,
    sitting,
    start_round,
    sweep,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tests.tournaments.results.reporting import dispute
from tournaments.models import Round, Tournament

TABLES = 128  # tables
MAX_BYTES = 150_000


def event_in_progress(players: int) -> tuple[Tournament, Round]:
    event = make_event(players)
    play_round(event)
    return event, start_round(event)


@pytest.mark.parametrize("is_settled", [False, True])
def test_page_of_a_large_event_is_small(owner: User, is_settled: bool):
    sizes = []
    for players in (4, 24):
        event, round_ = event_in_progress(players)
        # Names of typical length.
        for number, player in enumerate(Player.objects.order_by("pk"), start=1):
            Player.objects.filter(pk=player.pk).update(name=f"Maximilian {number}")
        for pairing in tables_of(round_) if is_settled else ():
            enter_result(pairing, sweep(1, 3))
        page = desk_of(event).get(url("results", event, 2))
        sizes.append(len(page.content))

    of_a_table = (sizes[1] - sizes[0]) / 10

    assert sizes[0] + (TABLES - 2) * of_a_table < MAX_BYTES


def event_with_all_states(players: int) -> Tournament:
    """Return an event with as many open as settled, reported, disputed and penalised tables."""
    event, round_ = event_in_progress(players)
    for number, pairing in enumerate(tables_of(round_)):
        if number % 4 == 1:
            enter_result(pairing, sweep(1))
        elif number % 4 == 2:
            dispute(pairing)
        elif number % 4 == 3:
            penalise(sitting(pairing)[0], PenaltyKind.GAME_LOSS, pairing=pairing, game=1)
    return event


def pods(players: int) -> Tournament:
    event = make_pods(players)
    start_round(event)
    return event


@pytest.mark.parametrize(("make", "number"), [(event_with_all_states, 2), (pods, 1)])
def test_queries_do_not_grow_with_the_tables(make: Callable[[int], Tournament], number: int):
    query_counts = []
    for players in (8, 24):
        event = make(players)
        query_counts.append(queries_of(desk_of(event).get, url("results", event, number)))

    assert query_counts[0] == query_counts[1]
