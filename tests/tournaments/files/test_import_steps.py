"""Imports store their rows in bounded transactions and hide the event until the last one."""

import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.rate_limits import Busy
from matches.models import Match
from players.models import Player, User
from tests.factories.large_events import large_document, large_file
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_user
from tests.moments import after_each
from tests.tournaments.pages import text_of
from tournaments import tasks
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.event import snapshots as event_snapshots
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.files import import_steps
from tournaments.files import services as files_services
from tournaments.files.records import TournamentFileRefused
from tournaments.files.services import import_file
from tournaments.models import LogAction, StandingSnapshot, Tournament, Visibility
from tournaments.rounds import draft_changes

PAGE = "/events/import/"
AT = "2026-05-02T18:00:00Z"
STEPS = "tournaments.files.services.steps_of_event"


class Died(BaseException):
    """The process was killed."""


@pytest.fixture(autouse=True)
def _database(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import in small steps without pauses."""
    monkeypatch.setattr(files_services, "PAUSE", 0)
    monkeypatch.setattr(import_steps, "TABLES_AT_ONCE", 2)


@pytest.fixture
def importer() -> User:
    return make_user("importer")


def hidden_event() -> Tournament:
    return Tournament.objects.get(import_touched_at__isnull=False)


def import_and(action: Any, owner: User, *, step: int = 4, **more: Any) -> Any:
    """Import, and call `action` once after this step."""
    passed = 0

    def watch() -> None:
        nonlocal passed
        passed += 1
        if passed == step:
            action()

    with after_each(STEPS, watch):
        return import_file(large_file(8, 3), owner=owner, file_name="cup.json", **more)


def leave_incomplete_event(owner: User, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Let the process die halfway through, so that it deletes nothing."""

    def die() -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(files_services, "delete_incomplete_import", lambda event: None)
        with pytest.raises(Died):
            import_and(die, owner, step=8)
    return hidden_event()


def abandon(event: Tournament) -> None:
    """Date the last step so far back that the import counts as dead."""
    touched = timezone.now() - files_services.ABANDONED_AFTER - timedelta(seconds=1)
    Tournament.objects.filter(pk=event.pk).update(import_touched_at=touched)


def test_each_transaction_stores_a_bounded_number_of_rows(importer: User) -> None:
    rows: list[int] = []
    counts = {"before": 0}

    def count() -> int:
        return sum(model.objects.count() for model in (Match, Player, StandingSnapshot))

    def watch() -> None:
        rows.append(count() - counts["before"])
        counts["before"] = count()

    with after_each(STEPS, watch):
        import_file(large_file(8, 3), owner=importer)

    assert len(rows) == 1 + 1 + 1 + 6 + 3, "players, a stage, its rounds, tables, standings"
    assert max(rows[1:]) == 2


def test_steps_stay_as_small_for_a_larger_event(importer: User) -> None:
    longest = []
    for players in (8, 24):
        statements: list[int] = [0]

        def watch(statements: list[int] = statements) -> None:
            statements.append(len(captured))

        with CaptureQueriesContext(connection) as captured, after_each(STEPS, watch):
            import_file(large_file(players, 3), owner=importer)
        longest.append(max(b - a for a, b in pairwise(statements)))

    assert longest[1] <= longest[0]


def test_result_is_the_event_of_the_file(importer: User) -> None:
    document = large_document(8, 3)
    document["event"]["settings"] |= {"registration_is_open": True, "finished_at": AT}

    imported = import_file(json.dumps(document).encode(), owner=importer, file_name="cup.json")

    event = imported.tournament
    assert event is not None
    assert event.import_touched_at is None
    assert event.visibility == Visibility.UNLISTED
    assert event.registration_is_open
    assert event.finished_at is not None
    assert event.snapshots.count() == 3
    assert event.imported_file.file_name == "cup.json"
    assert event_permissions.can_own(Actor(user=importer), event)
    assert [entry.action for entry in event.log.all()] == [LogAction.EVENT_IMPORTED]
    assert [line["rank"] for line in imported.answer["standings"]] == list(range(1, 9))


class TestIncomplete:
    def test_importer_sees_that_the_import_is_in_progress(self, importer: User) -> None:
        client, answers = logged_in(importer), {}

        def look() -> None:
            answers["event"] = client.get(hidden_event().get_absolute_url())
            answers["page"] = client.get(PAGE)

        import_and(look, importer)

        assert (answers["event"].status_code, answers["event"]["Retry-After"]) == (409, "5")
        assert "Large event is being imported." in text_of(answers["event"])
        assert "Import in progress: Large event" in text_of(answers["page"])
        assert "Import in progress" not in text_of(client.get(PAGE))

    @pytest.mark.parametrize("reader", ["stranger", "account", "administrator"])
    def test_incomplete_event_is_not_found_by_other_readers(
        self, reader: str, importer: User, client: Client
    ) -> None:
        if reader != "stranger":
            client.force_login(make_user("other", is_superuser=reader == "administrator"))
        answers: dict[str, Any] = {}

        def look() -> None:
            event = hidden_event()
            answers["page"] = client.get(event.get_absolute_url()).status_code
            answers["api"] = client.get(f"/api/v1/events/{event.slug}/").status_code
            answers["code"] = client.get(f"/join/{event.join_code}/").status_code
            answers["listed"] = "Large event" in text_of(client.get("/events/"))
            answers["mine"] = "Large event" in text_of(client.get("/events/mine/"))

        import_and(look, importer)

        assert answers["page"] == answers["api"] == 404
        assert answers["code"] != 200
        assert not answers["listed"]
        assert not answers["mine"]

    def test_staff_of_a_trusted_file_are_added_at_the_end(self, importer: User) -> None:
        staff: list[int] = []

        import_and(lambda: staff.append(hidden_event().staff.count()), importer, trusted=True)

        assert staff == [0]

    def test_incomplete_event_is_not_in_progress(self, importer: User) -> None:
        under_way: list[bool] = []

        def look() -> None:
            event = hidden_event()
            event.stages.get().rounds.update(state="running")
            under_way.append(Tournament.objects.under_way().filter(pk=event.pk).exists())
            event.stages.get().rounds.update(state="closed")

        import_and(look, importer, step=5)

        assert under_way == [False]

    def test_slug_is_reserved(self, importer: User) -> None:
        slugs: list[str] = []

        import_and(lambda: slugs.append(Tournament.objects.free_slug("Large event")), importer)

        assert slugs != ["large-event"]

    def test_readers_see_the_complete_event(self, importer: User) -> None:
        event = import_file(large_file(8, 3), owner=importer).tournament
        assert event is not None

        assert visibility.can_see(NOBODY, event)


class TestInterrupted:
    def test_failure_deletes_the_incomplete_event(self, importer: User) -> None:
        def fail() -> None:
            raise ValueError("The disk is full.")

        with pytest.raises(ValueError, match="full"):
            import_and(fail, importer, step=8)

        assert not Tournament.objects.exists()
        assert not Player.objects.exists()
        assert not Match.objects.exists()

    def test_timer_deletes_abandoned_imports(self, importer: User, monkeypatch) -> None:
        event = leave_incomplete_event(importer, monkeypatch)
        tasks.forget_absent()
        assert Tournament.objects.filter(pk=event.pk).exists(), "the import may still be running"
        assert files_services.imports_in_progress(importer).count() == 1

        abandon(event)
        assert files_services.imports_in_progress(importer).count() == 0
        tasks.forget_absent()

        assert not Tournament.objects.exists()
        assert not Player.objects.exists()
        assert not Match.objects.exists()

    def test_direct_link_shows_that_the_import_stopped(
        self, importer: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = leave_incomplete_event(importer, monkeypatch)
        client = logged_in(importer)

        alive = client.get(event.get_absolute_url())
        with time_machine.travel(timezone.now() + timedelta(seconds=61)):
            dead = client.get(event.get_absolute_url())

        assert "is being imported" in text_of(alive)
        assert (alive.status_code, alive["Refresh"]) == (409, "5")
        assert "stopped before it was complete. Import the file again." in text_of(dead)
        assert (dead.status_code, dead.get("Refresh")) == (409, None)

    def test_next_import_deletes_abandoned_imports(self, importer: User, monkeypatch) -> None:
        event = leave_incomplete_event(importer, monkeypatch)
        abandon(event)

        second = import_file(large_file(8, 3), owner=importer).tournament

        assert second is not None
        assert Tournament.objects.get() == second
        assert second.slug == "large-event"

    def test_incomplete_event_is_deleted_in_bounded_transactions(
        self, importer: User, monkeypatch
    ) -> None:
        event = leave_incomplete_event(importer, monkeypatch)
        monkeypatch.setattr(event_services, "TABLES_AT_ONCE", 2)
        matches = Match.objects.count()

        with CaptureQueriesContext(connection) as captured:
            event_services.delete_incomplete_import(event)

        savepoints = [query for query in captured if query["sql"].startswith("SAVEPOINT")]
        assert len(savepoints) > matches / 2
        assert not Tournament.objects.exists()

    def test_import_stops_if_its_event_was_deleted(self, importer: User) -> None:
        with pytest.raises(Busy, match="took too long"):
            import_and(lambda: event_services.delete_incomplete_import(hidden_event()), importer)

        assert not Tournament.objects.exists()


class TestSize:
    @pytest.fixture(autouse=True)
    def _small_site(self, settings: Any) -> None:
        settings.MAX_EVENT_LINES = 20

    def test_account_cannot_import_a_larger_event(self, importer: User) -> None:
        for preview in (True, False):
            with pytest.raises(
                TournamentFileRefused, match="8 players in 3 rounds are more than this site"
            ):
                import_file(large_file(8, 3), owner=importer, preview=preview)

        assert not Tournament.objects.exists()

    def test_administrators_and_commands_can_import_a_larger_event(
        self, importer: User, tmp_path: Any
    ) -> None:
        admin = make_user("admin", is_superuser=True)
        file = tmp_path / "large.json"
        file.write_bytes(large_file(8, 3))

        import_file(large_file(8, 3), owner=admin)
        call_command("import_tournament", str(file), "--owner", importer.username)

        assert Tournament.objects.count() == 2

    def test_account_cannot_pair_beyond_the_limit(self, importer: User) -> None:
        event = import_file(large_file(8, 2), owner=importer).tournament
        assert event is not None

        answer = logged_in(importer).post(
            f"/api/v1/events/{event.slug}/rounds/", {}, content_type="application/json"
        )

        assert (answer.status_code, answer.json()["code"]) == (409, "event_too_large")
        with pytest.raises(draft_changes.EventTooLarge, match="Ask the site's administrator"):
            draft_changes.request_pairing(event, 3, Actor(user=importer))


def test_standings_of_the_file_are_those_of_a_full_recomputation(importer: User) -> None:
    event = import_file(large_file(8, 3), owner=importer).tournament
    assert event is not None

    for round_, table in event_snapshots.compute_standings_from(event, 1):
        snapshot = event.snapshots.newest(round_.number)
        assert snapshot is not None
        rows = snapshot.rows.ranked()
        assert [row.registration.number for row in rows] == [int(line.id) for line in table]
