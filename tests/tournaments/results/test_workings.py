"""The calculation of a player's tie-breakers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.tournaments import fresh, make_event, owner_of, play_round, sweep
from tournaments.models import Standing, StandingSnapshot, Tournament
from tournaments.registration import services as registration_services
from tournaments.results.standings_pages import (
    all_tie_breaker_sums,
    find_place_with_cut,
    placing_lines,
    tie_breaker_sums,
)
from tournaments.rounds.cut import get_cut

pytestmark = pytest.mark.django_db
FROM_STORED_ROWS = (
    *("match_points", "games_won", "manual_seed", "strength_of_schedule"),
    *("extended_strength_of_schedule", "agenda_point_difference", "buchholz", "median_buchholz"),
    *("victory_points", "lot"),
)
FROM_ALL_TABLES = ("match_points", "head_to_head", "opponents_match_wins", "lot")


def make_played_event(players: int, tie_breakers: tuple[str, ...], rounds: int = 3) -> Tournament:
    event = make_event(players=players)
    Tournament.objects.filter(pk=event.pk).update(tie_breakers=list(tie_breakers))
    for number in range(1, rounds + 1):
        play_round(fresh(event), play=lambda pairing: sweep(1 + (pairing.table_number or 0) % 2))
        if number == 1:
            registration_services.drop_player(event.registrations.get(number=2), owner_of(event))
    return fresh(event)


def newest(event: Tournament) -> StandingSnapshot:
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    return snapshot


@pytest.mark.parametrize("tie_breakers", [DEFAULT_TIE_BREAKERS, FROM_STORED_ROWS, FROM_ALL_TABLES])
def test_workings_from_stored_rows_equal_those_from_all_tables(tie_breakers):
    event = make_played_event(9, tie_breakers)
    snapshot = newest(event)
    expected = all_tie_breaker_sums(event, snapshot.round)

    for registration in event.registrations.all():
        registration.tournament = event
        assert tie_breaker_sums(registration, snapshot) == expected[registration.number]


def test_player_outside_the_stored_standings_has_no_workings():
    event = make_played_event(4, DEFAULT_TIE_BREAKERS, rounds=1)
    registration = event.registrations.get(number=1)
    Standing.objects.filter(registration=registration).delete()

    assert tie_breaker_sums(registration, newest(event)) == []


def test_no_workings_are_shown_while_the_standings_lack_an_opponent():
    event = make_played_event(4, DEFAULT_TIE_BREAKERS, rounds=1)
    snapshot, registration = newest(event), event.registrations.get(number=1)
    Standing.objects.filter(snapshot=snapshot).exclude(registration=registration).delete()

    assert tie_breaker_sums(registration, snapshot) == []


def rows_read(action: Callable[[], Any]) -> tuple[int, int]:
    """Return the number of queries and of the rows that they returned."""
    statements: list[tuple[str, Any]] = []

    def keep(execute, sql, params, many, context):
        if sql.startswith("SELECT"):
            statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(keep), CaptureQueriesContext(connection) as captured:
        action()
    rows = 0
    with connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(f"SELECT COUNT(*) FROM ({sql}) AS answer", params)
            rows += cursor.fetchone()[0]
    return len(captured), rows


def test_page_of_a_player_reads_as_many_rows_in_a_larger_event():
    addresses = []
    for players in (8, 24):
        event = make_played_event(players, DEFAULT_TIE_BREAKERS)
        addresses.append(f"/events/{event.slug}/players/1/")

    small, large = (rows_read(partial(open_page, address)) for address in addresses)

    assert small == large


def test_page_of_a_player_behind_a_cut_reads_as_many_rows_in_a_larger_event():
    addresses = []
    for players in (8, 24):
        event = event_with_cut(4, players=players)
        play_cut_round(event, [1, 2])
        last = newest(event).rows.order_by("rank").last()
        assert last is not None
        addresses.append(f"/events/{event.slug}/players/{last.registration.number}/")

    small, large = (rows_read(partial(open_page, address)) for address in addresses)

    assert small == large


def test_place_with_the_cut_is_the_line_of_all_places():
    event = event_with_cut(4, players=8)
    play_cut_round(event, [1, 2])
    stage = event.get_cut()
    assert stage is not None
    lines = {line.number: line for line in placing_lines(event, get_cut(stage))}

    for number in range(1, 9):
        assert find_place_with_cut(event, number) == lines.get(number)


def open_page(address: str) -> None:
    caches["pages"].clear()
    assert "Strength of schedule" in Client().get(address).text
