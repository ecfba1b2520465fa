"""Backups by themselves: after each round, every few minutes of play, once a day otherwise."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command

from core.backups import folders
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
from tournaments import backing_up, queries, tasks
from tournaments.models import Backup, JobKind
from tournaments.services import rounds

pytestmark = [pytest.mark.django_db, pytest.mark.check(38), pytest.mark.goal("G13")]

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    return tmp_path / "backups"


def test_a_closed_round_wants_a_backup_and_gets_one(folder: Path):
    event = make_event(players=4)

    play_round(event)
    job = event.jobs.get(kind=JobKind.BACK_UP)
    assert job not in queries.jobs_to_show(event)
    tasks.back_up(job.pk)

    job.refresh_from_db()
    (kept,) = folders.backups_in(folder)
    made = Backup.objects.get()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert (made.name, made.size) == (kept.name, kept.stat().st_size)
    assert job.get_kind_label() == "make a backup (round 1)"


def test_many_wishes_before_a_backup_are_one_backup(folder: Path):
    events = [make_event(players=4, name=name) for name in ("Spring", "Autumn")]
    for event in events:
        play_round(event)

    for event in events:
        tasks.back_up(event.jobs.get(kind=JobKind.BACK_UP).pk)

    assert len(folders.backups_in(folder)) == 1
    assert {event.jobs.get(kind=JobKind.BACK_UP).state for event in events} == {JobState.DONE}


def test_a_round_closed_again_is_backed_up_again(folder: Path):
    event = make_event(players=4)
    play_round(event)
    tasks.back_up(event.jobs.get(kind=JobKind.BACK_UP).pk)

    rounds.reopen(get_round(event, 1), owner_of(event), "a slip was found")
    close_round(get_round(event, 1))
    tasks.back_up(event.jobs.get(kind=JobKind.BACK_UP).pk)

    assert len(folders.backups_in(folder)) == 2


def test_where_no_folder_is_named_nothing_is_asked_for():
    event = make_event(players=4)

    play_round(event)
    tasks.back_up_when_due()

    assert not event.jobs.filter(kind=JobKind.BACK_UP).exists()
    assert not Backup.objects.exists()


def test_while_a_round_is_played_one_is_made_every_ten_minutes_otherwise_daily(folder: Path):
    def made_at(moment: datetime) -> int:
        with time_machine.travel(moment, tick=False):
            tasks.back_up_when_due()
        return Backup.objects.count()

    assert made_at(NOON) == 1
    assert made_at(NOON + timedelta(hours=23)) == 1
    assert made_at(NOON + timedelta(hours=24)) == 2
    start_round(make_event(players=4))
    assert made_at(NOON + timedelta(hours=24, minutes=9)) == 2
    assert made_at(NOON + timedelta(hours=24, minutes=10)) == 3
    assert made_at(NOON + timedelta(hours=24, minutes=11)) == 3


def test_a_backup_is_late_after_twice_the_interval_of_now(folder: Path):
    with time_machine.travel(NOON, tick=False):
        tasks.back_up_when_due()
        made = queries.last_backup()

    assert queries.is_late_backup(None)
    assert not queries.is_late_backup(made, NOON + timedelta(days=2))
    assert queries.is_late_backup(made, NOON + timedelta(days=2, seconds=1))
    start_round(make_event(players=4))
    assert not queries.is_late_backup(made, NOON + timedelta(minutes=20))
    assert queries.is_late_backup(made, NOON + timedelta(minutes=20, seconds=1))


def test_a_backup_of_a_moment_to_come_proves_nothing(folder: Path):
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        tasks.back_up_when_due()

    with time_machine.travel(NOON, tick=False):
        assert queries.last_backup() is None
        tasks.back_up_when_due()
        tasks.back_up_when_due()
        made = queries.last_backup()

    assert made
    assert made.began_at == NOON
    assert len(folders.backups_in(folder)) == Backup.objects.count() == 2


def test_a_round_gets_its_backup_after_the_clock_was_ahead(folder: Path):
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        tasks.back_up_when_due()
    with time_machine.travel(NOON) as traveller:
        event = make_event(players=4)
        play_round(event)
        traveller.shift(timedelta(seconds=1))

        tasks.back_up(event.jobs.get(kind=JobKind.BACK_UP).pk)

    assert event.jobs.get(kind=JobKind.BACK_UP).state == JobState.DONE
    assert Backup.objects.filter(began_at__lt=NOON + timedelta(minutes=5)).count() == 1


def test_a_clock_that_is_far_ahead_leaves_the_newest_and_takes_no_place(folder: Path, settings):
    settings.BACKUPS_KEPT = 4
    ahead = timedelta(days=settings.BACKUP_DAYS + 7)
    for days in (*range(4), 3 + ahead.days, 4 + ahead.days):
        with time_machine.travel(NOON + timedelta(days=days), tick=False):
            tasks.back_up_when_due()
            newest = sorted(folders.backups_in(folder))[-3:]
    assert [path.name[9:17] for path in newest] == ["20261124", "20261231", "20270101"]

    for days in (4, 5, 6):
        with time_machine.travel(NOON + timedelta(days=days), tick=False):
            tasks.back_up_when_due()
            made = queries.last_backup()
            assert made
            assert made.name in {path.name for path in folders.backups_in(folder)}

    kept = sorted(path.name[9:17] for path in folders.backups_in(folder))
    assert kept == ["20261124", "20261125", "20261126", "20261127"]


def test_no_worker_waits_for_a_backup_that_another_makes(folder: Path):
    event = make_event(players=4)
    play_round(event)
    job = event.jobs.get(kind=JobKind.BACK_UP)

    with folders.alone(folder, patient=True):
        tasks.back_up(job.pk)
        tasks.back_up_when_due()
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.QUEUED, 0)
    assert not folders.backups_in(folder)

    assert job.leased_until
    with time_machine.travel(job.leased_until + timedelta(seconds=1), tick=False):
        tasks.back_up(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert len(folders.backups_in(folder)) == 1


def test_old_ones_go_with_their_rows(folder: Path, settings):
    settings.BACKUPS_KEPT = 2
    for day in range(4):
        with time_machine.travel(NOON + timedelta(days=day), tick=False):
            tasks.back_up_when_due()

    kept = [path.name for path in folders.backups_in(folder)]
    assert kept == [row.name for row in queries.backups()]
    assert len(kept) == 2
    assert kept[0].startswith("datafort-20261124T")


def test_one_made_elsewhere_by_hand_is_nobodys_to_throw_away(folder: Path, settings, tmp_path):
    settings.BACKUPS_KEPT = 1
    for _ in range(3):
        backing_up.back_up(tmp_path / "stick")

    assert len(folders.backups_in(tmp_path / "stick")) == 3


def test_a_folder_that_cannot_be_written_to_stands_on_the_desk(folder: Path):
    folder.touch()  # a file is in the way
    event = make_event(players=4)
    play_round(event)

    tasks.back_up(event.jobs.get(kind=JobKind.BACK_UP).pk)

    job = event.jobs.get(kind=JobKind.BACK_UP)
    assert job.state == JobState.FAILED
    assert job.error.startswith("The folder for backups cannot be written to: ")
    assert str(folder) not in job.error
    assert job in queries.jobs_to_show(fresh(event))
    with pytest.raises(CommandError, match="cannot be written to"):
        call_command("backup", str(folder))


def test_the_command_tells_where_the_backup_is(folder: Path):
    told = StringIO()

    call_command("backup", stdout=told)

    assert told.getvalue().splitlines()[0] == str(folders.backups_in(folder)[0])


def test_the_command_without_a_folder_asks_for_one():
    with pytest.raises(CommandError, match="Name a folder, or set DATAFORT_BACKUPS"):
        call_command("backup")


def test_the_standings_are_told_by_the_newest_table_of_each_round():
    event = make_event(players=4)
    empty = queries.standings_digest()
    play_round(event)
    first = queries.standings_digest()

    tasks.recompute_standings(event.jobs.get(kind=JobKind.RECOMPUTE_STANDINGS).pk)
    assert queries.standings_digest() == first != empty
    event.snapshots.get().rows.filter(rank=1).update(match_points=99)
    assert queries.standings_digest() != first
