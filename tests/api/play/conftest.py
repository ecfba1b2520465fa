"""A small event with people who ask the API about it."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from players import services as players
from tests.factories import tournaments as make
from tests.factories.sessions import claim
from tournaments.models import Pairing, Registration, Tournament

EVENT = "/api/v1/events/spring-run/"


@pytest.fixture
def four(db: None) -> Tournament:
    """Four players who are here; no round yet."""
    return make.make_event(players=4)


@pytest.fixture
def playing(four: Tournament) -> Tournament:
    """Round 1 is running at two tables."""
    make.start_round(four)
    return make.fresh(four)


def client(tournament: Tournament, role: str = "owner") -> APIClient:
    """Somebody with this role; "" is an account without any."""
    api = APIClient()
    if role == "owner":
        user = make.owner_of(tournament).user
        assert user is not None
        api.force_login(user)
    else:
        api.force_login(make.add_staff(tournament, role) if role else make.make_user())
    return api


def guest(place: Registration) -> APIClient:
    """A player without an account, by the session that has claimed the place."""
    return claim(APIClient(), place.player)


def account(place: Registration) -> APIClient:
    """The same with an account."""
    user = make.make_user()
    players.link_guest(place.player, user)
    api = APIClient()
    api.force_login(user)
    return api


def seated(tournament: Tournament, number: int = 1, table: int = 1) -> list[Registration]:
    """Who sits at a table, in the order of the seats."""
    pairing: Pairing = make.table(make.get_round(tournament, number), table)
    places = tournament.registrations.select_related("player", "tournament")
    return [places.get(player=seat.player_id) for seat in pairing.match.seats.all()]


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
