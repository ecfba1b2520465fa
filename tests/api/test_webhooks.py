"""Webhooks over the API."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.api.clients import make_token, with_token
from tests.factories.tournaments import make_event, owner_of
from tests.factories.webhooks import ADDRESS, DEAD, add_webhook, send_all
from tournaments.integrations import webhooks
from tournaments.models import Tournament

WANTED = {"url": ADDRESS, "events": ["round.published"]}


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


@pytest.fixture
def client(event: Tournament) -> APIClient:
    """A program with the owner's token, bound to the event."""
    return with_token(make_token(owner_of(event).user, "manage", event))


def below(event: Tournament, *rest: object) -> str:
    return "/".join(["/api/v1/events", event.slug, *map(str, rest), ""])


def test_a_webhook_is_added_with_its_secret_shown_once(client: APIClient, event: Tournament):
    key = {"Idempotency-Key": "one-webhook-please"}

    added = client.post(below(event, "webhooks"), WANTED, format="json", headers=key)
    again = client.post(below(event, "webhooks"), WANTED, format="json", headers=key)

    webhook = event.webhooks.get()
    assert added.status_code == 201
    assert added.json()["secret"] == webhook.secret
    assert again.json() == {**added.json(), "secret": None}
    read = client.get(below(event, "webhooks", webhook.pk)).json()
    listed = client.get(below(event, "webhooks")).json()["results"]
    assert listed == [read]
    assert read["site"] == "decks.example"
    assert "secret" not in read
    assert "very-secret" not in str(listed)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**WANTED, "url": "http://a.example/"}, "url"),
        ({**WANTED, "url": "https://10.0.0.1/"}, "url"),
        ({**WANTED, "url": "https://a.example/" + "x" * 300}, "url"),
        ({**WANTED, "url": 7}, "url"),
        ({**WANTED, "events": []}, "events"),
        ({**WANTED, "events": ["test"]}, "events"),
        ({**WANTED, "events": "round.closed"}, "events"),
        ({**WANTED, "events": [["round.closed"]]}, "events"),
        ({**WANTED, "secret": "mine"}, "secret"),
        ([], "request"),
    ],
)
def test_invalid_fields_are_named(client: APIClient, event: Tournament, body: object, field: str):
    answer = client.post(below(event, "webhooks"), body, format="json")

    assert answer.status_code == 400
    assert field in answer.json()["errors"] or field == "request"
    assert not event.webhooks.exists()


def test_a_webhook_is_changed_switched_and_removed(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    page = below(event, "webhooks", webhook.pk)

    changed = client.patch(page, {"events": ["cut.made"]}, format="json").json()
    assert (changed["events"], changed["is_on"]) == (["cut.made"], True)
    off = client.patch(page, {"is_on": False}, format="json").json()
    assert (off["events"], off["is_on"]) == (["cut.made"], False)
    assert off["disabled_why"] == webhooks.SWITCHED_OFF_BY_HAND
    refused = client.post(f"{page}test/")
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_is_off")
    assert client.patch(page, {"is_on": True}, format="json").json()["disabled_why"] == ""
    webhook.refresh_from_db()
    assert webhook.address == ADDRESS
    assert client.delete(page).status_code == 204
    assert client.get(page).status_code == 404


def test_concurrent_change_of_an_unsent_field_stays(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    seen: list[str] = []

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        answer = execute(sql, *rest)
        if 'FROM "tournaments_webhook"' in sql and not seen:
            seen.append(sql)
            event.webhooks.update(events=["cut.made"])
        return answer

    with connection.execute_wrapper(meanwhile):
        off = client.patch(below(event, "webhooks", webhook.pk), {"is_on": False}, format="json")

    assert (off.json()["events"], off.json()["is_on"]) == (["cut.made"], False)


def test_deliveries_are_listed_and_sent_again(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    page = below(event, "webhooks", webhook.pk, "deliveries")
    sent = client.post(below(event, "webhooks", webhook.pk, "test"))
    assert sent.status_code == 202
    send_all(event, DEAD)

    (message,) = client.get(page).json()["results"]
    assert message["id"] == message["payload"]["id"] == sent.json()["id"]
    assert (message["state"], message["tries"]) == ("waiting", 1)
    assert message["last_error"] == "decks.example cannot be reached from here."
    waiting = client.post(f"{page}{message['id']}/again/")
    assert waiting.json()["code"] == "still_waiting"
    webhook.deliveries.update(state="given_up")
    assert client.post(f"{page}{message['id']}/again/").json()["state"] == "waiting"
    assert client.post(f"{page}{uuid4()}/again/").status_code == 404
