"""What is answered is on the disk: the log is synced after the commit, before the answer."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse

from core import durability
from core.crew import crewed
from core.durability import answers_on_disk
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(32)]
on_sqlite = pytest.mark.skipif(
    bool(os.environ.get("DATABASE_URL")), reason="is about the log of SQLite"
)
on_postgresql = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL"), reason="is about the log of PostgreSQL"
)


def ask(method: str, events: list[str]) -> HttpResponse:
    """A write of one event through the middleware; `events` tells what happened in which order."""

    def view(_request: HttpRequest) -> HttpResponse:
        Tournament.objects.create(name="Run", slug="run", starts_on="2026-05-02")
        events.append("committed")
        return HttpResponse("saved")

    request = HttpRequest()
    request.method = method
    response = answers_on_disk(view)(request)
    events.append("answered")
    return response


@pytest.fixture
def synced(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happened, in order, with each file that was synced by its ending."""
    settings.ANSWERS_ON_DISK = True
    events: list[str] = []

    def sync(file: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        events.append(path.name.rpartition("-")[2])

    monkeypatch.setattr("core.durability.os.fsync", sync)
    monkeypatch.setattr("core.crew.step_aside", lambda: events.append("next one, please"))
    return events


@on_sqlite
def test_the_answer_to_a_write_waits_for_the_disk(synced: list[str]) -> None:
    ask("POST", synced)

    assert synced == ["committed", "next one, please", "wal", "answered"]


@on_sqlite
def test_whoever_only_looks_waits_for_no_disk(synced: list[str]) -> None:
    ask("GET", synced)

    assert synced == ["committed", "answered"]


@on_sqlite
def test_a_disk_that_fails_is_no_success(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ANSWERS_ON_DISK = True

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.durability.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        ask("POST", [])


@on_sqlite
def test_a_database_nobody_has_open_is_on_the_disk(tmp_path: Path, synced: list[str]) -> None:
    file = tmp_path / "closed.sqlite3"
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE t (a)")
    database.close()
    kept = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(file)
    try:
        durability.sync()
    finally:
        connection.settings_dict["NAME"] = kept

    assert synced == []


def asked(question: str) -> Any:
    """What PostgreSQL answers."""
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


@pytest.fixture
def reconnected(settings: Any) -> Iterator[None]:
    """This thread opens its connection anew, as the sites do it."""
    settings.ANSWERS_ON_DISK = True
    connection.close()
    yield
    connection.close()


@on_postgresql
def test_a_crew_waits_with_the_answer_and_not_with_the_commit(settings: Any) -> None:
    settings.ANSWERS_ON_DISK = True
    told: dict[str, Any] = {}

    def view(_request: HttpRequest) -> HttpResponse:
        Tournament.objects.create(name="Run", slug="run", starts_on="2026-05-02")
        told["commit"] = asked("show synchronous_commit")
        told["end"] = asked("select pg_current_wal_insert_lsn()")
        return HttpResponse("saved")

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        request = HttpRequest()
        request.method = "POST"
        try:
            answers_on_disk(view)(request)
            told["is on disk"] = asked(f"select pg_current_wal_flush_lsn() >= '{told['end']}'")
            told["later"] = asked("show synchronous_commit")
        finally:
            connection.close()
        start_response("200 OK", [])
        return []

    crewed(site, 1)({"REQUEST_METHOD": "POST"}, lambda *_head: None)

    assert (told["commit"], told["later"]) == ("off", "off")
    assert told["is on disk"]


@on_postgresql
def test_whoever_is_of_no_crew_waits_in_the_commit(reconnected: None) -> None:
    of_the_server = "select reset_val from pg_settings where name = 'synchronous_commit'"

    assert asked("show synchronous_commit") == asked(of_the_server) != "off"


@pytest.mark.parametrize(("method", "times"), [("POST", 1), ("DELETE", 1), ("GET", 0)])
def test_only_the_answer_to_a_write_waits(
    settings: Any, monkeypatch: pytest.MonkeyPatch, method: str, times: int
) -> None:
    settings.ANSWERS_ON_DISK = True
    waited: list[str] = []
    monkeypatch.setattr(durability, "sync", lambda: waited.append(method))
    request = HttpRequest()
    request.method = method

    answers_on_disk(lambda _: HttpResponse("here"))(request)

    assert waited == [method] * times


@on_postgresql
def test_who_has_asked_the_database_nothing_waits_for_nothing(settings: Any) -> None:
    settings.ANSWERS_ON_DISK = True
    opened: list[Any] = []

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        request = HttpRequest()
        request.method = "POST"
        answers_on_disk(lambda _: HttpResponse(status=403))(request)
        opened.append(connection.connection)
        start_response("403 Forbidden", [])
        return []

    crewed(site, 1)({"REQUEST_METHOD": "POST"}, lambda *_head: None)

    assert opened == [None]


def test_what_failed_is_told_at_once(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is away is not asked once more whether it has kept anything."""
    settings.ANSWERS_ON_DISK = True
    monkeypatch.setattr(durability, "sync", lambda: pytest.fail("nothing was saved"))
    request = HttpRequest()
    request.method = "POST"

    assert answers_on_disk(lambda _: HttpResponse(status=503))(request).status_code == 503


def test_sites_are_served_so(settings: Any) -> None:
    from config.settings import base

    assert base.ANSWERS_ON_DISK
    assert "core.durability.answers_on_disk" in settings.MIDDLEWARE
    sessions = settings.MIDDLEWARE.index("django.contrib.sessions.middleware.SessionMiddleware")
    assert settings.MIDDLEWARE.index("core.durability.answers_on_disk") < sessions
