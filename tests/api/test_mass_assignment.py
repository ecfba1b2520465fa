"""Writes with unknown fields are refused as a whole."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from players.models import Player
from tests.api.matrix.rows import PEOPLE
from tests.api.matrix.scene import Scene, make_scene
from tests.api.matrix.table import DECLARED, parts
from tests.api.test_matrix import expected_outcome
from tests.shared_rows import shared_rows
from tests.tournaments.matrix.scene import checksums

pytestmark = [
    pytest.mark.usefixtures("quiet_requests"),
    pytest.mark.check(4),
]
NOT_TAKEN = {
    **dict.fromkeys(("is_staff", "is_superuser", "verified", "is_locked", "is_practice"), True),
    **dict.fromkeys(("points", "match_points", "tournament", "user", "owner", "id", "pk"), 1),
    "decks_revealed_at": "2026-05-02T10:00:00Z",
    "slug": "taken",
    "join_code": "ABCDEFGH",
}
# Files have their own format, and deck checks write nothing.
OTHERWISE = {"POST imports", "POST deck_check", "POST deck_export"}
WRITES = [name for name in DECLARED if not name.startswith("GET ") and name not in OTHERWISE]
# Operations that do not read their body.
WITHOUT_BODY = {
    *("DELETE event", "DELETE registration", "DELETE webhook"),
    *("POST call_give_back", "POST call_take", "POST call_withdraw"),
    *("POST check_in", "POST claim_link", "POST clock_pause", "POST deck_lock"),
    *("POST decks_lock", "POST delivery_again", "POST drop", "POST finish"),
    *("POST my_check_in", "POST my_drop", "POST my_return"),
    *("POST return", "POST round_close", "POST round_start", "POST undo_check_in"),
    *("POST webhook_secret", "POST webhook_test"),
}


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def send_json(client: APIClient, operation: str, address: str, body: Any) -> Any:
    return getattr(client, parts(operation)[0].lower())(address, body, "json")


def outcomes(scene: Scene) -> dict[str, Any]:
    """The response of each operation to a body with unknown fields, sent by a permitted person."""
    responses: dict[str, Any] = {}
    clients = {actor: scene.client(actor) for actor in PEOPLE}
    for operation in WRITES:
        let_in = [person for person in PEOPLE if expected_outcome(person, operation) == "ok"]
        if not let_in:
            continue
        body = {**scene.body(operation), **NOT_TAKEN}
        with transaction.atomic():
            responses[operation] = send_json(
                clients[let_in[0]], operation, scene.address(operation), body
            )
            transaction.set_rollback(responses[operation].status_code != 400)
    return responses


def test_unknown_fields_are_refused(scene: Scene):
    # Claims of guests in the scene are no changes by an operation.
    Player.objects.filter(claimed_at=None).update(claimed_at=timezone.now())
    before = checksums()

    responses = outcomes(scene)

    accepted = {
        operation: set(NOT_TAKEN) - set(answer.json()["errors"])
        for operation, answer in responses.items()
        if answer.status_code == 400
    }
    assert {operation: names for operation, names in accepted.items() if names} == {}
    assert set(responses) - set(accepted) == WITHOUT_BODY
    assert checksums() == before
