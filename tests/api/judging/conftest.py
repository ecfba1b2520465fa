"""An event in its first round, with a judge, a head judge and a table that plays."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import User
from rulings import services as ruling_services
from rulings.models import Ruling
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    add_staff,
    make_event,
    start_round,
    tables_of,
)
from tournaments.models import Pairing, Registration, Tournament


@dataclass(frozen=True)
class Hall:
    """`mine` and `theirs` sit at table 1; `other` sits at table 2."""

    event: Tournament
    pairing: Pairing
    mine: Registration
    theirs: Registration
    other: Registration

    def at(self, rest: str) -> str:
        """An address below the event."""
        return f"/api/v1/events/{self.event.slug}/{rest}"


def client_of(user: User | None) -> APIClient:
    """A client that is logged in."""
    assert user is not None
    client = APIClient()
    client.force_authenticate(user)
    return client


def phone_of(place: Registration) -> APIClient:
    """The phone of a guest who has a personal link."""
    return claim(APIClient(), place.player)


def posted(client: APIClient, address: str, body: Any = None, method: str = "post") -> Any:
    """What a write is answered."""
    return getattr(client, method)(address, body or {}, "json")


@pytest.fixture
def hall(db: None) -> Hall:
    event = make_event(players=4)
    first, second = tables_of(start_round(event))
    places = event.registrations.select_related("player", "tournament")
    sitting = [places.get(player=seat.player) for seat in first.match.seats.all()]
    other = places.get(player=second.match.seats.all()[0].player)
    return Hall(event, first, sitting[0], sitting[1], other)


@pytest.fixture
def judge(hall: Hall) -> APIClient:
    return client_of(add_staff(hall.event, "judge", "jinteki"))


@pytest.fixture
def head(hall: Hall) -> APIClient:
    return client_of(add_staff(hall.event, "head_judge", "haas"))


@pytest.fixture
def phone(hall: Hall) -> APIClient:
    return phone_of(hall.mine)


@pytest.fixture
def ruling(db: None) -> Ruling:
    document = ruling_services.local_document("onr")
    ruling = ruling_services.new_ruling(document, subject="Ambush", text="About ambush.")
    ruling_services.adopt(ruling, timezone.now())
    return ruling
