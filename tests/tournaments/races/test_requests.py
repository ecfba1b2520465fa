"""Simultaneous requests of API clients and phones, in real threads."""

from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from matches.models import ResultReport
from tests.factories.tournaments import make_event, owner_of, sitting, start_round, table
from tests.tournaments.races.clients import api_clients, phones, post_requests, send_at_once
from tests.tournaments.races.steps import JSON_HEADERS, SWEEP, count_statuses
from tournaments.models import IdempotencyRecord, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

REQUESTS = 6
EVENT = "/api/v1/events/spring-run/"
SETTINGS = f"{EVENT}settings/"


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


@pytest.mark.check(28)
@pytest.mark.goal("G6")
def test_one_of_several_patches_with_the_same_etag_is_accepted(event: Tournament):
    clients = api_clients(owner_of(event).user, REQUESTS)
    seen: dict[str, Any] = {"HTTP_IF_MATCH": clients[0].get(SETTINGS).headers["ETag"]}

    answers = send_at_once(
        [
            partial(client.patch, SETTINGS, {"name": f"Run {number}"}, "json", **seen)
            for number, client in enumerate(clients)
        ]
    )

    assert count_statuses(answers) == {200: 1, 412: REQUESTS - 1}


@pytest.mark.check(29)
def test_simultaneous_requests_with_one_key_add_one_player(event: Tournament):
    zed = {"players": [{"name": "Zed"}]}
    key: dict[str, Any] = {"format": "json", "HTTP_IDEMPOTENCY_KEY": "add-zed-once"}
    clients = api_clients(owner_of(event).user, REQUESTS)

    answers = send_at_once(post_requests(clients, f"{EVENT}registrations/", zed, **key))

    assert count_statuses(answers) == {201: REQUESTS}
    assert event.registrations.filter(player__name="Zed").count() == 1
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == REQUESTS - 1


@pytest.mark.check(29)
def test_simultaneous_requests_with_one_key_make_one_report(event: Tournament):
    reporter, _ = sitting(table(start_round(event), 1))
    address = reverse("tournaments:report", args=[event.slug, 1, 1])

    answers = send_at_once(
        post_requests(
            phones(reporter, REQUESTS),
            address,
            SWEEP,
            headers={**JSON_HEADERS, "Idempotency-Key": "one-key"},
        )
    )

    assert count_statuses(answers) == {200: REQUESTS}
    assert [answer.json() for answer in answers] == [answers[0].json()] * REQUESTS
    assert (ResultReport.objects.count(), IdempotencyRecord.objects.count()) == (1, 1)
    assert event.log.filter(action="result reported").count() == 1
