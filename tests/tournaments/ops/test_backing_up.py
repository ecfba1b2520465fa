"""Automatic backups: after rounds and events, every few minutes of play, otherwise daily."""

import os
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from core import backups, jobs
from core.database import try_session_lock
from core.jobs import JobState
from tests.factories.tournaments import (
    close_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
)
from tests.moments import in_jobs
from tests.tournaments.pages import url
from tournaments import tasks
from tournaments.models import Job, JobKind, LatestBackup, RoundState, Tournament
from tournaments.ops import queries as operation_queries
from tournaments.ops.services import BACKUP_LOCK, RETRY_AFTER
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(38), pytest.mark.goal("G13")]

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    return tmp_path / "backups"


def add_backups(folder: Path, *moments: datetime) -> None:
    folder.mkdir(exist_ok=True)
    for moment in moments:
        (folder / f"{moment.strftime(backups.NAME_FORMAT)}.sqlite3.gz").touch()


def back_up_after(event: Tournament) -> JobState:
    """Run the newest backup request of this event."""
    job = event.jobs.filter(kind=JobKind.BACK_UP).latest("pk")
    tasks.back_up(job.pk)
    job.refresh_from_db()
    return JobState(job.state)


@pytest.mark.goal("G19")
def test_closed_rounds_share_a_requested_backup(folder: Path):
    events = [make_event(players=4, name=name) for name in ("Spring", "Autumn")]
    for event in events:
        play_round(event)
    job = events[0].jobs.get(kind=JobKind.BACK_UP)
    assert job not in events[0].jobs.shown_at_desk()
    assert job.get_kind_label() == "make a backup (round 1)"

    assert [back_up_after(event) for event in events] == [JobState.DONE, JobState.DONE]

    (made,) = backups.backups_in(folder)
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in folder.iterdir()] == [made.path.name]


def test_another_worker_takes_over_within_a_minute(event: Tournament, folder: Path):
    def die(moment: str) -> None:
        raise KeyboardInterrupt

    play_round(event)
    job = event.jobs.get(kind=JobKind.BACK_UP)
    with in_jobs(die), pytest.raises(KeyboardInterrupt):
        tasks.back_up(job.pk)

    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        assert jobs.waiting_jobs(Job).get() == job


def test_long_backup_is_made_by_one_worker(event: Tournament, folder: Path):
    waiting: list[Job] = []

    def find_waiting(moment: str) -> None:
        clock.shift(50)
        waiting.extend(jobs.waiting_jobs(Job))

    play_round(event)
    with in_jobs(find_waiting), time_machine.travel(timezone.now()) as clock:
        assert back_up_after(event) == JobState.DONE

    assert waiting == []


def test_round_closed_again_is_backed_up_once_the_interval_is_over(event: Tournament, folder: Path):
    with time_machine.travel(NOON) as clock:
        play_round(event)
        assert back_up_after(event) == JobState.DONE
        clock.shift(60)
        rounds_services.reopen_round(get_round(event, 1), owner_of(event), "a slip was found")
        close_round(get_round(event, 1))
        closed_at = timezone.now()

        assert back_up_after(event) == JobState.QUEUED
        clock.shift(8 * 60)
        assert not jobs.waiting_jobs(Job).filter(kind=JobKind.BACK_UP).exists()
        clock.shift(2 * 60)
        assert jobs.waiting_jobs(Job).filter(kind=JobKind.BACK_UP).exists()
        assert back_up_after(event) == JobState.DONE

    made = backups.backups_in(folder)
    assert len(made) == 2
    assert made[0].began_at > closed_at


def test_finished_event_requests_a_backup(event: Tournament, folder: Path):
    play_round(event)
    back_up_after(event)

    settings_services.finish_event(fresh(event), owner_of(event))

    assert back_up_after(event) == JobState.QUEUED
    with time_machine.travel(timezone.now() + timedelta(minutes=10, seconds=1)):
        assert back_up_after(event) == JobState.DONE
    assert len(backups.backups_in(folder)) == 2


def test_closing_and_reopening_a_round_58_times_deletes_no_backup(
    event: Tournament, folder: Path, client: Client
):
    owner = owner_of(event).user
    assert owner is not None
    client.force_login(owner)
    with time_machine.travel(NOON) as clock:
        add_backups(folder, *(NOON - timedelta(days=days) for days in range(1, 14)))
        before = {backup.path for backup in backups.backups_in(folder)}
        play_round(event)
        back_up_after(event)
        for _ in range(58):
            clock.shift(20)
            client.post(url("reopen_round", event, 1), {"reason": "a slip"})
            assert get_round(event, 1).state == RoundState.RUNNING
            tasks.back_up_when_due()
            client.post(url("close", event, 1))
            assert get_round(event, 1).is_closed
            back_up_after(event)
        minutes = 58 * 20 // 60
        closed_at = timezone.now()
        clock.shift(10 * 60)
        assert back_up_after(event) == JobState.DONE

    made = backups.backups_in(folder)
    assert before <= {backup.path for backup in made}
    assert len(made) - len(before) <= 1 + minutes // 10 + 1
    assert made[0].began_at > closed_at
    assert event.jobs.filter(kind=JobKind.BACK_UP).count() <= 1 + minutes // 10 + 1


def test_request_during_a_dump_gets_a_dump_of_its_own(event: Tournament, folder: Path):
    play_round(event)
    job = event.jobs.get(kind=JobKind.BACK_UP)
    event.jobs.filter(pk=job.pk).update(state=JobState.RUNNING)

    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "a slip was found")
    close_round(get_round(event, 1))

    states = event.jobs.filter(kind=JobKind.BACK_UP).values_list("state", flat=True)
    assert list(states) == [JobState.QUEUED, JobState.RUNNING]


def test_machines_with_separate_folders_share_the_interval(
    folder: Path, tmp_path: Path, settings, monkeypatch
):
    def back_up_on(machine: str, moment: datetime) -> int:
        monkeypatch.setattr("platform.node", lambda: machine)
        settings.BACKUP_FOLDER = str(tmp_path / machine)
        with time_machine.travel(moment, tick=False):
            tasks.back_up_when_due()
            assert not operation_queries.is_late_backup(operation_queries.last_backup())
        return len(backups.backups_in(tmp_path / machine))

    start_round(make_event(players=4))
    assert back_up_on("one", NOON) == 1
    assert back_up_on("two", NOON + timedelta(minutes=9)) == 0
    assert back_up_on("two", NOON + timedelta(minutes=10)) == 1
    assert back_up_on("one", NOON + timedelta(minutes=19)) == 1
    assert back_up_on("one", NOON + timedelta(minutes=20)) == 2


def test_backup_deleted_from_the_machine_is_made_again(folder: Path):
    tasks.back_up_when_due()
    for backup in backups.backups_in(folder):
        backup.path.unlink()

    tasks.back_up_when_due()

    assert len(backups.backups_in(folder)) == 1


def test_backup_made_by_hand_is_always_made_and_counts(folder: Path, tmp_path: Path):
    start_round(make_event(players=4))
    with time_machine.travel(NOON) as clock:
        for _ in range(2):
            call_command("backup", stdout=StringIO())
        clock.shift(9 * 60)
        tasks.back_up_when_due()
        assert len(backups.backups_in(folder)) == 2

        call_command("backup", str(tmp_path / "stick"), stdout=StringIO())
        clock.shift(61)
        tasks.back_up_when_due()
        assert len(backups.backups_in(folder)) == 3


def test_backup_before_the_migrations_of_a_release_is_made(folder: Path, caplog, monkeypatch):
    def fail(*args: object, **fields: object) -> None:
        raise DatabaseError("no such table")

    monkeypatch.setattr(LatestBackup.objects, "update_or_create", fail)

    call_command("backup", stdout=StringIO())

    assert len(backups.backups_in(folder)) == 1
    assert "is not recorded in the database: no such table" in caplog.text


def test_site_without_a_folder_makes_no_backups(event: Tournament):
    play_round(event)
    tasks.back_up_when_due()

    assert not event.jobs.filter(kind=JobKind.BACK_UP).exists()
    with pytest.raises(CommandError, match="Name a folder, or set DATAFORT_BACKUPS"):
        call_command("backup")


def test_timer_makes_backups_every_ten_minutes_during_a_round_otherwise_daily(folder: Path):
    def back_up_at(moment: datetime) -> int:
        with time_machine.travel(moment, tick=False):
            tasks.back_up_when_due()
        return len(backups.backups_in(folder))

    assert back_up_at(NOON) == 1
    assert back_up_at(NOON + timedelta(hours=23)) == 1
    assert back_up_at(NOON + timedelta(hours=24)) == 2
    start_round(make_event(players=4))
    assert back_up_at(NOON + timedelta(hours=24, minutes=9)) == 2
    assert back_up_at(NOON + timedelta(hours=24, minutes=10)) == 3


@pytest.mark.parametrize(("silent_for", "made"), [(60, 0), (600, 1)])
def test_timer_waits_for_a_backup_in_progress(folder: Path, silent_for: int, made: int):
    copy = folder / ".unfinished-of-another" / "copy"
    copy.parent.mkdir(parents=True)
    copy.touch()
    written_at = timezone.now().timestamp() - silent_for
    os.utime(copy, (written_at, written_at))

    tasks.back_up_when_due()

    assert len(backups.backups_in(folder)) == made


def test_backup_waits_in_the_queue_while_another_is_made(event: Tournament, folder: Path):
    is_locked, may_end = Event(), Event()

    def dump() -> None:
        with try_session_lock(BACKUP_LOCK):
            is_locked.set()
            may_end.wait(30)
        connection.close()

    play_round(event)
    thread = Thread(target=dump)
    thread.start()
    assert is_locked.wait(30)
    tasks.back_up_when_due()
    assert back_up_after(event) == JobState.QUEUED
    assert not backups.backups_in(folder)

    may_end.set()
    thread.join()
    with time_machine.travel(timezone.now() + RETRY_AFTER + timedelta(seconds=1)):
        assert list(jobs.waiting_jobs(Job)) == [event.jobs.get(kind=JobKind.BACK_UP)]
        assert back_up_after(event) == JobState.DONE
    assert len(backups.backups_in(folder)) == 1


def test_backup_is_late_after_twice_the_current_interval(folder: Path):
    def is_late_after(**age: int) -> bool:
        with time_machine.travel(NOON + timedelta(**age), tick=False):
            return operation_queries.is_late_backup(operation_queries.last_backup())

    assert operation_queries.is_late_backup(None)
    add_backups(folder, NOON)
    assert not is_late_after(days=2)
    assert is_late_after(days=2, seconds=1)
    start_round(make_event(players=4))
    assert is_late_after(minutes=20, seconds=1)


def test_backup_dated_in_the_future_is_ignored(folder: Path):
    add_backups(folder, timezone.now() + timedelta(days=1))
    assert operation_queries.last_backup() is None

    tasks.back_up_when_due()

    assert operation_queries.last_backup()


def test_leftovers_of_a_killed_backup_are_deleted_after_the_longest_run(tmp_path: Path):
    leftovers = tmp_path / ".unfinished-abc"
    leftovers.mkdir()
    (leftovers / "copy").touch()

    backups.make(tmp_path, timezone.now())
    assert leftovers.exists()
    backups.make(tmp_path, timezone.now() + timedelta(seconds=backups.LONGEST_RUN + 1))

    assert not leftovers.exists()


def test_backups_in_another_folder_are_never_deleted(folder: Path, settings, tmp_path):
    printed = StringIO()
    add_backups(tmp_path / "stick", NOON - timedelta(days=400), NOON - timedelta(days=401))
    for _ in range(5):
        call_command("backup", str(tmp_path / "stick"), stdout=printed)

    stored = backups.backups_in(tmp_path / "stick")
    made = [str(backup.path) for backup in reversed(stored[:5])]
    assert made == printed.getvalue().splitlines()[::2]
    assert len(stored) == 7


def test_unwritable_folder_is_shown_on_the_desk(folder: Path):
    folder.touch()  # a file blocks the folder
    event = make_event(players=4)
    play_round(event)

    assert back_up_after(event) == JobState.FAILED

    job = event.jobs.get(kind=JobKind.BACK_UP)
    assert job.error.startswith("The backup folder cannot be written to: ")
    assert str(folder) not in job.error
    assert job in fresh(event).jobs.shown_at_desk()
    with pytest.raises(CommandError, match="cannot be written to"):
        call_command("backup", str(folder))


def test_database_without_a_site_is_not_backed_up(folder: Path, monkeypatch):
    monkeypatch.setattr(connection.introspection, "table_names", list)

    with pytest.raises(CommandError, match="holds no Datafort site"):
        call_command("backup", str(folder))

    assert not folder.exists()
