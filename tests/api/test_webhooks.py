"""Webhooks over the API."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.api.clients import make_token, with_token
from tests.factories.tournaments import make_event, owner_of
from tests.factories.webhooks import ADDRESS, DEAD, add_webhook, send_all
from tournaments.models import Tournament

WANTED = {"url": ADDRESS, "events": ["round.published"]}


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


@pytest.fixture
def client(event: Tournament) -> APIClient:
    """A program with the owner's token, bound to the event."""
    return with_token(make_token(owner_of(event).user, "manage", event))


def below(event: Tournament, *segments: object) -> str:
    return "/".join(["/api/v1/events", event.slug, *map(str, segments), ""])


def test_webhook_is_added_and_its_secret_shown_once(client: APIClient, event: Tournament):
    key = {"Idempotency-Key": "one-webhook-please"}

    added = client.post(below(event, "webhooks"), WANTED, format="json", headers=key)
    repeated = client.post(below(event, "webhooks"), WANTED, format="json", headers=key)

    webhook = event.webhooks.get()
    assert added.status_code == 201
    assert added.json()["secret"] == webhook.secret
    assert repeated.json() == {**added.json(), "secret": None}
    shown = client.get(below(event, "webhooks", webhook.pk)).json()
    listed = client.get(below(event, "webhooks")).json()["results"]
    assert listed == [shown]
    assert shown["site"] == "decks.example"
    assert "secret" not in shown
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


def test_webhook_is_changed_switched_off_and_removed(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    page = below(event, "webhooks", webhook.pk)

    changed = client.patch(page, {"events": ["cut.made"]}, format="json").json()
    assert (changed["events"], changed["is_on"]) == (["cut.made"], True)
    switched_off = client.patch(page, {"is_on": False}, format="json").json()
    assert (switched_off["events"], switched_off["is_on"]) == (["cut.made"], False)
    assert switched_off["disabled_why"] == "Switched off by an organiser."
    test_refusal = client.post(f"{page}test/")
    assert (test_refusal.status_code, test_refusal.json()["code"]) == (409, "webhook_is_off")
    assert client.patch(page, {"is_on": True}, format="json").json()["disabled_why"] == ""
    webhook.refresh_from_db()
    assert webhook.address == ADDRESS
    assert client.delete(page).status_code == 204
    assert client.get(page).status_code == 404


def test_concurrent_change_of_an_unsent_field_is_kept(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    queries: list[str] = []

    def change_during_query(execute: Any, sql: str, *args: Any) -> Any:
        answer = execute(sql, *args)
        if 'FROM "tournaments_webhook"' in sql and not queries:
            queries.append(sql)
            event.webhooks.update(events=["cut.made"])
        return answer

    with connection.execute_wrapper(change_during_query):
        switched_off = client.patch(
            below(event, "webhooks", webhook.pk), {"is_on": False}, format="json"
        )

    assert (switched_off.json()["events"], switched_off.json()["is_on"]) == (["cut.made"], False)


def test_deliveries_are_listed_and_can_be_repeated(client: APIClient, event: Tournament):
    webhook = add_webhook(event)
    page = below(event, "webhooks", webhook.pk, "deliveries")
    test_message = client.post(below(event, "webhooks", webhook.pk, "test"))
    assert test_message.status_code == 202
    send_all(event, DEAD)

    (message,) = client.get(page).json()["results"]
    assert message["id"] == message["payload"]["id"] == test_message.json()["id"]
    assert (message["state"], message["tries"]) == ("waiting", 1)
    assert message["last_error"] == "decks.example cannot be reached from here."
    waiting = client.post(f"{page}{message['id']}/again/")
    assert waiting.json()["code"] == "still_waiting"
    webhook.deliveries.update(state="given_up")
    assert client.post(f"{page}{message['id']}/again/").json()["state"] == "waiting"
    assert client.post(f"{page}{uuid4()}/again/").status_code == 404
