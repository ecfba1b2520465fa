"""Off-site copies of backups by the operator's command."""

import shlex
import sys
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from core import backups, jobs
from core.database import try_session_lock
from core.jobs import JobState
from tests.factories.tournaments import make_event, make_user
from tests.tournaments.pages import url
from tournaments import tasks
from tournaments.models import SiteJob
from tournaments.ops import queries as operation_queries
from tournaments.ops.services import COPY_LOCK
from tournaments.privacy import services as privacy_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(38)]


@pytest.fixture
def folder(tmp_path: Path, settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    return tmp_path / "backups"


@pytest.fixture
def set_command(tmp_path: Path, settings) -> Callable[[str], None]:
    """Set a command that runs these lines of Python with one argument."""

    def write(lines: str) -> None:
        script = tmp_path / "copy backup.py"
        script.write_text(lines)
        settings.BACKUP_COMMAND = shlex.join([sys.executable, str(script), "off; site"])

    return write


def make_backup() -> SiteJob:
    call_command("backup", stdout=StringIO())
    return SiteJob.objects.latest("pk")


def run(job: SiteJob) -> SiteJob:
    tasks.copy_backup(job.pk)
    job.refresh_from_db()
    return job


def fail_permanently(job: SiteJob) -> SiteJob:
    for _ in range(jobs.MAX_ATTEMPTS):
        SiteJob.objects.filter(pk=job.pk).update(leased_until=None)
        run(job)
    return job


def test_command_gets_its_arguments_and_the_path_without_a_shell(
    folder: Path, tmp_path: Path, set_command
):
    set_command(
        "import shutil, sys\n"
        "assert sys.argv[1] == 'off; site'\n"
        f"shutil.copy(sys.argv[2], {str(tmp_path / 'copied')!r})"
    )
    job = make_backup()
    assert job.state == JobState.QUEUED
    assert not (tmp_path / "copied").exists()

    assert run(job).state == JobState.DONE

    (made,) = backups.backups_in(folder)
    assert (tmp_path / "copied").read_bytes() == made.path.read_bytes()
    assert operation_queries.newest_copy_time() == made.began_at


def test_sweeper_queues_the_copy(folder: Path, set_command, monkeypatch):
    queued: list[int] = []
    monkeypatch.setattr(jobs, "_enqueue_now", lambda task, job_id, **_: queued.append(job_id))
    set_command("")
    job = make_backup()

    with time_machine.travel(timezone.now() + timedelta(seconds=10)):
        assert operation_queries.queue_lengths() == {"default": 0, "slow": 1}
        assert operation_queries.oldest_waiting_seconds() > 5
        tasks.sweep_jobs()

    assert queued == [job.pk]


def test_failed_command_is_tried_again_and_shown_to_administrators(
    folder: Path, set_command, caplog
):
    set_command("import sys; sys.exit('ssh: connection refused')")
    event = make_event(players=2, owner=make_user("owner", is_staff=True))
    browser = Client()
    browser.force_login(event.staff.get().user)
    job = run(make_backup())
    assert job.state == JobState.QUEUED
    assert job.leased_until is not None
    assert job.leased_until > timezone.now()
    assert "was not copied" not in browser.get(url("desk", event)).text

    job = fail_permanently(job)

    assert job.state == JobState.FAILED
    assert "ended with status 1: ssh: connection refused Tried 5 times." in job.error
    assert len(backups.backups_in(folder)) == 1
    assert "is not copied" in caplog.text
    assert "ssh: connection refused" in browser.get(url("desk", event)).text
    part = browser.get("/readyz").json()["parts"]["backup"]
    assert part["status"] == "yellow"
    assert "The last backup was not copied off-site" in part["detail"]

    set_command("")
    assert run(make_backup()).state == JobState.DONE
    assert "connection refused" not in browser.get(url("desk", event)).text
    assert browser.get("/readyz").json()["parts"]["backup"]["status"] == "green"


def test_failed_copy_is_queued_again_every_hour(folder: Path, set_command):
    set_command("import sys; sys.exit(1)")
    job = fail_permanently(make_backup())
    assert job.error.endswith("ended with status 1: it printed no reason Tried 5 times.")

    tasks.back_up_when_due()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        tasks.back_up_when_due()
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_copy_removes_failures_of_older_backups(folder: Path, set_command):
    set_command("import sys; sys.exit(1)")
    old, newest = fail_permanently(make_backup()), make_backup()
    later = fail_permanently(make_backup())
    set_command("")

    assert run(newest).state == JobState.DONE

    assert not SiteJob.objects.filter(pk=old.pk).exists()
    assert operation_queries.failed_copy() == later


def test_command_that_takes_too_long_is_stopped_with_its_children(
    folder: Path, tmp_path: Path, set_command, settings, monkeypatch
):
    settings.BACKUP_COMMAND_MINUTES = 0
    child = f"import time; time.sleep(3); open({str(tmp_path / 'late')!r}, 'w')"
    set_command(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])")

    job = fail_permanently(make_backup())

    assert "was stopped: it took longer than DATAFORT_BACKUP_COMMAND_MINUTES (0)." in job.error
    assert not (tmp_path / "late").exists()


def test_lease_is_renewed_while_the_command_runs(folder: Path, set_command, monkeypatch):
    renewed: list[int] = []
    monkeypatch.setattr(jobs, "renew_lease", lambda job: renewed.append(job.pk))
    monkeypatch.setattr(backups, "CALLBACK_SECONDS", 0.1)
    set_command("import time; time.sleep(1)")

    assert run(make_backup()).state == JobState.DONE

    assert renewed


def test_missing_program_is_named(folder: Path, settings):
    settings.BACKUP_COMMAND = "/no/such/program --now"

    job = run(make_backup())

    assert job.error == "/no/such/program cannot be run: No such file or directory."


def test_only_one_copy_runs_at_a_time(folder: Path, set_command):
    is_locked, may_end = Event(), Event()

    def upload() -> None:
        with try_session_lock(COPY_LOCK):
            is_locked.set()
            may_end.wait(30)
        connection.close()

    set_command("")
    job = make_backup()
    thread = Thread(target=upload)
    thread.start()
    assert is_locked.wait(30)
    assert run(job).state == JobState.QUEUED
    assert job.error == "Another backup is being copied."
    may_end.set()
    thread.join()


def test_copy_is_left_to_the_machine_that_has_the_backup(folder: Path, set_command, monkeypatch):
    set_command("")
    monkeypatch.setattr("platform.node", lambda: "elsewhere")
    job = make_backup()
    for backup in backups.backups_in(folder):
        backup.path.unlink()
    monkeypatch.setattr("platform.node", lambda: "here")

    assert run(job).state == JobState.QUEUED
    assert job.error.endswith("is on another machine (elsewhere).")

    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        assert run(job).state == JobState.FAILED
    assert job.error.endswith("is no longer in the backup folder of elsewhere.")


def test_backup_in_another_folder_and_site_without_command_make_no_copies(
    folder: Path, tmp_path: Path, set_command, settings
):
    call_command("backup", stdout=StringIO())
    set_command("")
    call_command("backup", str(tmp_path / "stick"), stdout=StringIO())
    assert not SiteJob.objects.exists()

    job = make_backup()
    settings.BACKUP_COMMAND = ""
    assert run(job).state == JobState.DONE
    assert operation_queries.failed_copy() is None


def test_metrics_show_the_age_of_the_newest_copy(folder: Path, set_command, client, settings):
    settings.METRICS_TOKEN = "a token of forty characters, all made up"
    headers = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
    set_command("")
    job = make_backup()
    assert "datafort_backup_copy_age_seconds" not in client.get("/metrics", headers=headers).text
    run(job)

    text = client.get("/metrics", headers=headers).text

    assert "datafort_backup_copy_age_seconds " in text
    assert 'datafort_jobs{kind="copy_backup",state="done"} 1.0' in text


def test_ended_copies_are_deleted_after_thirty_days(folder: Path, set_command):
    set_command("")
    for _ in range(3):
        make_backup()
    ended, failed, _waiting = SiteJob.objects.order_by("pk")
    old = timezone.now() - timedelta(days=31)
    SiteJob.objects.filter(pk=ended.pk).update(state=JobState.DONE, finished_at=old)
    SiteJob.objects.filter(pk=failed.pk).update(state=JobState.FAILED, finished_at=old)

    privacy_services.delete_old_jobs()

    assert SiteJob.objects.get().state == JobState.QUEUED
