"""An event in its first round, with clients of a judge, a head judge and a player."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from rulings import services as rulings_services
from rulings.models import Ruling
from tests.api.clients import client_of, guest
from tests.factories.tournaments import add_staff, make_event, sitting, start_round, tables_of
from tournaments.models import Pairing, Registration, Tournament


@dataclass(frozen=True)
class Scene:
    """`player` and `opponent` sit at table 1; `bystander` sits at table 2."""

    event: Tournament
    pairing: Pairing
    player: Registration
    opponent: Registration
    bystander: Registration

    def at(self, rest: str) -> str:
        return f"/api/v1/events/{self.event.slug}/{rest}"


def send(client: APIClient, address: str, body: Any = None, method: str = "post") -> Any:
    return getattr(client, method)(address, body or {}, "json")


@pytest.fixture
def scene(db: None) -> Scene:
    event = make_event(players=4)
    first, second = tables_of(start_round(event))
    player, opponent = sitting(first)
    return Scene(event, first, player, opponent, sitting(second)[0])


@pytest.fixture
def judge(scene: Scene) -> APIClient:
    return client_of(add_staff(scene.event, "judge", "jinteki"))


@pytest.fixture
def head(scene: Scene) -> APIClient:
    return client_of(add_staff(scene.event, "head_judge", "haas"))


@pytest.fixture
def phone(scene: Scene) -> APIClient:
    return guest(scene.player)


@pytest.fixture
def ruling(db: None) -> Ruling:
    document = rulings_services.get_local_document("onr")
    ruling = rulings_services.create_local_ruling(document, subject="Ambush", text="About ambush.")
    rulings_services.adopt_ruling(ruling, timezone.now())
    return ruling
