"""API clients and phones that send to one event at one moment: real threads, on both databases."""

from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from matches.models import ResultReport
from tests.factories.tournaments import make_event, owner_of, sitting, start_round, table
from tests.tournaments.races.crowd import api_clients, phones, posted, pushed
from tests.tournaments.races.evenings import ASKS, SWEEP, statuses
from tournaments.models import IdempotencyRecord, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 6
EVENT = "/api/v1/events/spring-run/"
SETTINGS = f"{EVENT}settings/"


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


@pytest.mark.check(28)
@pytest.mark.goal("G6")
def test_of_those_who_read_the_same_one_writes(event: Tournament):
    clients = api_clients(owner_of(event).user, HANDS)
    seen: dict[str, Any] = {"HTTP_IF_MATCH": clients[0].get(SETTINGS).headers["ETag"]}

    answers = pushed(
        [
            partial(client.patch, SETTINGS, {"name": f"Run {number}"}, "json", **seen)
            for number, client in enumerate(clients)
        ]
    )

    assert statuses(answers) == {200: 1, 412: HANDS - 1}


@pytest.mark.check(29)
def test_one_key_at_once_adds_one_player(event: Tournament):
    zed = {"players": [{"name": "Zed"}]}
    key: dict[str, Any] = {"format": "json", "HTTP_IDEMPOTENCY_KEY": "add-zed-once"}
    clients = api_clients(owner_of(event).user, HANDS)

    answers = pushed(posted(clients, f"{EVENT}registrations/", zed, **key))

    assert statuses(answers) == {201: HANDS}
    assert event.registrations.filter(player__name="Zed").count() == 1
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == HANDS - 1


@pytest.mark.check(29)
def test_one_key_at_once_is_one_report(event: Tournament):
    one, _ = sitting(table(start_round(event), 1))
    address = reverse("tournaments:report", args=[event.slug, 1, 1])

    answers = pushed(
        posted(phones(one, HANDS), address, SWEEP, headers={**ASKS, "Idempotency-Key": "one-key"})
    )

    assert statuses(answers) == {200: HANDS}
    assert [answer.json() for answer in answers] == [answers[0].json()] * HANDS
    assert (ResultReport.objects.count(), IdempotencyRecord.objects.count()) == (1, 1)
    assert event.log.filter(action="result reported").count() == 1
