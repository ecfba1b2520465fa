"""A small event, and result documents."""

from typing import Any

import pytest

from tests.factories import tournaments as make
from tournaments.models import Registration, Tournament

EVENT = "/api/v1/events/spring-run/"


@pytest.fixture
def small_event(db: None) -> Tournament:
    """Four checked-in players before round 1."""
    return make.make_event(players=4)


@pytest.fixture
def playing(small_event: Tournament) -> Tournament:
    """Round 1 is running at two tables."""
    make.start_round(small_event)
    return make.fresh(small_event)


def seats(tournament: Tournament) -> list[Registration]:
    """The players at table 1 of round 1."""
    return make.sitting(make.table(make.get_round(tournament, 1), 1))


def sweep(first: Registration, second: Registration, points: int = 3) -> dict[str, Any]:
    """A result document: the first player wins both games."""
    return {
        "games": [
            _game(1, first, "corp", 7, points),
            _game(2, second, "runner", points, 7),
        ]
    }


def _game(number: int, corp: Registration, winner: str, *points: int) -> dict[str, Any]:
    return {
        "number": number,
        "corp": corp.number,
        "winner": winner,
        "end": "agenda",
        "corp_agenda_points": points[0],
        "runner_agenda_points": points[1],
    }
