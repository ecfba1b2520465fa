"""Backups to a full disk: no partial file, a visible error, play continues."""

import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client

from core import backups
from core.jobs import JobState
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
)
from tests.tournaments.pages import text_of
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.models import Job, JobKind, RoundState

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.goal("G12"),
    pytest.mark.skipif(
        connection.vendor == "postgresql" and shutil.which("pg_dump") is None,
        reason="Backups of PostgreSQL need pg_dump.",
    ),
]
# Bytes of the disk, and of the space left when it is full: less than any dump needs.
SIZE, ROOM = 16 * 1024 * 1024, 64 * 1024


class Disk:
    """A small file system, or a folder with a file size limit where mounting is not allowed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
        self.is_own = subprocess.run(mount, check=False, capture_output=True).returncode == 0

    @contextmanager
    def full(self) -> Iterator[None]:
        """Leave ROOM for new files within the block."""
        filler, limits = self.folder / "filler", resource.getrlimit(resource.RLIMIT_FSIZE)
        if self.is_own:
            filler.write_bytes(bytes(shutil.disk_usage(self.folder).free - ROOM))
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        if self.is_own:
            unmount = ["umount", "--lazy", str(self.folder)]
            subprocess.run(unmount, check=True)


@pytest.fixture
def disk(tmp_path: Path, settings) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    disk = Disk(folder)
    settings.BACKUP_FOLDER = str(folder / "backups")
    yield disk
    disk.unmount()


def back_up(job: Job) -> JobState:
    tasks.back_up(job.pk)
    job.refresh_from_db()
    return JobState(job.state)


def test_full_disk_leaves_no_half_backup_and_stops_nothing(disk: Disk, client: Client):
    event = make_event(players=4)
    play_round(event)
    job = event.jobs.get(kind=JobKind.BACK_UP)
    folder = disk.folder / "backups"

    with disk.full():
        assert back_up(job) == JobState.FAILED
        draft = draft_round(event)

    assert backups.backups_in(folder) == []
    assert list(folder.iterdir()) == []
    assert draft.state == RoundState.DRAFT
    assert job in fresh(event).jobs.shown_at_desk()
    assert "full" in job.error or "pg_dump failed" in job.error
    client.force_login(make_user("root", is_superuser=True, is_staff=True))
    assert job.error in text_of(client.get("/operations/"))

    event_services.retry_job(job, owner_of(event))
    assert back_up(Job.objects.get(pk=job.pk)) == JobState.DONE
    (made,) = backups.backups_in(folder)
    backups.check(made.path)


def test_full_disk_at_the_time_of_a_backup_is_shown_to_the_administrator(
    disk: Disk, client: Client
):
    play_round(make_event(players=4))
    client.force_login(make_user("root", is_superuser=True, is_staff=True))

    with disk.full():
        with pytest.raises(backups.BackupRefused):
            tasks.back_up_when_due()
        page = text_of(client.get("/operations/"))

    assert "No backup exists yet" in page
    if disk.is_own:
        assert "The disk is full" in page
    tasks.back_up_when_due()
    assert len(backups.backups_in(disk.folder / "backups")) == 1
