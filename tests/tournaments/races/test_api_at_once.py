"""Programs that write to one event at the same moment: real threads, on both databases."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.tokens import make_token
from tests.factories import tournaments as make
from tests.tournaments.races.hands import at_once
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 6
EVENT = "/api/v1/events/spring-run/"
ZED = {"players": [{"name": "Zed"}]}


@pytest.fixture
def event() -> Tournament:
    return make.make_event(players=2)


def programs(event: Tournament) -> list[APIClient]:
    """As many as there are hands, with one token of the owner."""
    token = make_token(make.owner_of(event).user)
    clients = [APIClient() for _ in range(HANDS)]
    for client in clients:
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return clients


def statuses(answers: Sequence[Any]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


@pytest.mark.check(28)
@pytest.mark.goal("G6")
def test_of_those_who_read_the_same_one_writes(event: Tournament):
    clients = programs(event)
    seen: dict[str, Any] = {"HTTP_IF_MATCH": clients[0].get(EVENT).headers["ETag"]}
    names = [f"Run {number}" for number in range(HANDS)]

    answers = at_once(
        [
            partial(client.patch, EVENT, {"name": name}, "json", **seen)
            for client, name in zip(clients, names, strict=True)
        ]
    )

    assert statuses(answers) == [200] + [412] * (HANDS - 1)


@pytest.mark.check(29)
def test_one_key_at_once_adds_one_player(event: Tournament):
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "add-zed-once"}
    path = f"{EVENT}registrations/"

    answers = at_once(
        [partial(client.post, path, ZED, "json", **key) for client in programs(event)]
    )

    assert statuses(answers) == [201] * HANDS
    assert event.registrations.filter(player__name="Zed").count() == 1
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == HANDS - 1
