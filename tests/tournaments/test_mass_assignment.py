from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any
from unittest import mock

import pytest
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from players.models import User
from tests.factories.tournaments import make_event, make_user
from tests.shared_rows import shared_rows
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.matrix.scene import Scene, make_scene, stable_rows
from tests.tournaments.matrix.test_route_matrix import QUICK_ACTORS, expected
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.skipif(
        connection.vendor != "sqlite",
        reason="Only SQLite reuses keys after a rollback.",
    ),
    pytest.mark.usefixtures("quiet_requests"),
    pytest.mark.check(4),
]
NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
# Fields of many forms, so that many writes succeed.
FORM_FIELDS = {
    "reason": "Why not",
    "name": "Zed",
    "names": "Zed",
    "username": "helper",
    "role": "judge",
    "minutes": "5",
    "number": "4",
    "player": "1",
    "text": "Three minutes.",
    "subject": "Dice",
    "about": "A question",
    "infraction": "late",
    "code": "",
    "starts_on": "2026-05-02",
    "game": "onr",
    "time_zone": "UTC",
    "visibility": "unlisted",
    "scope": "read",
    "size": "4",
}


def foreign_fields(foreign_event: Tournament, account: User) -> dict[str, Any]:
    """Columns that no form has."""
    return {
        **dict.fromkeys(("is_staff", "is_superuser", "is_active", "verified", "is_locked"), "1"),
        **dict.fromkeys(("points", "match_points", "version", "pk", "id", "attempts"), "99"),
        **dict.fromkeys(("decks_revealed_at", "finished_at", "closed_at"), "2026-05-02 10:00"),
        **dict.fromkeys(("tournament", "tournament_id", "practice_of"), str(foreign_event.pk)),
        **dict.fromkeys(("user", "user_id", "owner", "made_by", "by"), str(account.pk)),
        "join_code": "ABCDEFGH",
        "slug": "taken",
        "digest": "0" * 64,
        "is_practice": "on",
    }


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def rows_after(browser: Client, address: str, fields: dict[str, Any]) -> dict[str, list[Any]]:
    # Fixed random choices, because the log contains the code of a local ruling.
    with transaction.atomic(), mock.patch("secrets.choice", Random(7).choice):
        assert browser.post(address, fields).status_code < 500
        rows = stable_rows()
        transaction.set_rollback(True)
    return rows


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_forms_ignore_foreign_fields(step: int, scene: Scene, time_machine):
    time_machine.move_to(NOW, tick=False)
    make_user("helper")
    more = foreign_fields(make_event(players=0, name="Elsewhere"), make_user())
    before, wrong, done = stable_rows(), [], 0
    writes = [(name, row) for name, row in EXPECTED.items() if "POST" in row.methods]

    for name, row in writes[::step]:
        first = next(
            (actor for actor in QUICK_ACTORS if expected(actor, "POST", row) == "ok"), None
        )
        if first is None or name == "practice":
            continue
        address = scene.address(name)
        with transaction.atomic():
            browser = scene.browser(first)
            plain = rows_after(browser, address, FORM_FIELDS)
            stuffed = rows_after(browser, address, {**more, **FORM_FIELDS})
            transaction.set_rollback(True)
        done += plain != before
        if changed := {table for table, rows in plain.items() if stuffed[table] != rows}:
            wrong.append(f"{name} as {first}: {changed}")

    assert not wrong, "\n".join(wrong)
    assert done > 32 / step, "too few writes succeeded"
