"""Backups: made when a round is closed or time is up, and one put back into an empty site."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from core import backups, jobs
from core.advisory_lock import session_lock
from core.backups import BackupRefused
from core.version import VERSION
from tournaments.models import Job, JobKind, Round
from tournaments.operations import queries as operation_queries

BACKUP_LOCK = "backup"
RETRY_AFTER = timedelta(seconds=10)
"""Before a backup is tried again that found another one being made."""


class BackupUnderWay(Exception):  # noqa: N818 - no error: the backup is tried again
    """Another worker makes a backup: one dump at a time is enough for the database."""


class NewerBackup(BackupRefused):
    """The backup knows tables that this release does not."""


def after_round(round_: Round) -> None:
    """Ask for a backup that holds this closed round; nothing where the site makes none.

    Call inside the transaction of the change. Closed again, the round wants another.
    """
    if not operation_queries.backups_are_made():
        return
    tournament = round_.stage.tournament
    job, _ = Job.objects.get_or_create(
        key=f"backup:{tournament.pk}:{round_.number}",
        defaults={"tournament": tournament, "kind": JobKind.BACK_UP},
    )
    job.payload = {"number": round_.number, "wanted_at": timezone.now().isoformat()}
    jobs.requeue(job)
    jobs.enqueue(job)


def make_when_overdue() -> None:
    """Make a backup when the newest is too old for what goes on."""
    now = timezone.now()
    if operation_queries.backups_are_made() and not backups.is_being_made(
        Path(settings.BACKUP_FOLDER), now
    ):
        with suppress(BackupUnderWay):
            _make_unless_newer(now - operation_queries.backup_interval())


def make(folder: Path, goes_on: Callable[[], None] = lambda: None) -> backups.Backup:
    """A backup in this folder; in that of the site old ones are thrown away."""
    now = timezone.now()
    made = backups.make(folder, now, goes_on)
    if settings.BACKUP_FOLDER and folder.resolve() == Path(settings.BACKUP_FOLDER).resolve():
        backups.delete_old(folder, now, backups.retention())
    return made


def make_after_round(job: Job) -> None:
    """The backup that a round wanted when it was closed; one that began since holds it already."""
    if not operation_queries.backups_are_made():
        return
    try:
        wanted_at = datetime.fromisoformat(job.payload["wanted_at"])
        _make_unless_newer(wanted_at, partial(jobs.keep, job))
    except BackupUnderWay:
        # No worker waits for it: the job comes back when the other backup may be ready.
        raise jobs.NotBefore(
            "Another backup is being made.", timezone.now() + RETRY_AFTER
        ) from None
    except OSError as error:
        raise backups.BackupRefused(
            f"The folder for backups cannot be written to: {error.strerror}. The event can go on; "
            "tell whoever runs the site."
        ) from error


def _make_unless_newer(moment: datetime, goes_on: Callable[[], None] = lambda: None) -> None:
    """Make a backup unless one has begun since. Raises BackupUnderWay."""
    with session_lock(BACKUP_LOCK) as is_locked:
        if not is_locked:
            raise BackupUnderWay
        newest = operation_queries.last_backup()
        if newest is None or newest.began_at <= moment:
            make(Path(settings.BACKUP_FOLDER), goes_on)


def restore(path: Path) -> None:
    """Put the site in the backup into the empty database, then bring it to this release.

    Raises BackupRefused and its kinds.
    """
    backups.restore(path)
    loader = MigrationLoader(connection)
    applied = {name for name in loader.applied_migrations if name[0] in loader.migrated_apps}
    release = backups.release_of(path)
    writer = f"Datafort {release}" if release else "A release that did not record its version"
    if unknown := sorted(applied - loader.disk_migrations.keys()):
        raise NewerBackup(
            f"{writer} wrote this backup. Datafort {VERSION} does not know its migration "
            f"{'.'.join(unknown[0])}, so the backup is of a newer release, or of one whose "
            "migrations have been replaced. Install that release, and use the restored database "
            "with it."
        )
    try:
        call_command("migrate", verbosity=0)
    except (CommandError, DatabaseError, InconsistentMigrationHistory) as error:
        raise BackupRefused(
            f"{writer} wrote this backup, and its data could not be brought to Datafort {VERSION}: "
            f"{str(error).strip()} Install that release, and use the restored database with it."
        ) from error
