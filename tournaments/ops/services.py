"""Make, copy and restore backups of the site.

Automatic backups follow a closed round, a finished event or a timer, with a minimum interval
between them.
"""

import logging
import platform
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext as _

from core import backups, jobs
from core.backups import BackupRefused
from core.database import try_session_lock
from core.jobs import JobState
from core.version import VERSION
from players import incidents
from players.models import IncidentKind
from tournaments.event.services import next_job_number
from tournaments.models import Job, JobKind, LatestBackup, SiteJob, SiteJobKind, Tournament
from tournaments.ops import queries

logger = logging.getLogger(__name__)

BACKUP_LOCK = "backup"
COPY_LOCK = "copy of a backup"
# Delay before retrying a backup or copy while another is in progress.
RETRY_AFTER = timedelta(seconds=10)
# Delay before retrying a failed copy of the newest backup.
COPY_RETRY_AFTER = timedelta(hours=1)
# Longest wait of a copy for a worker on the machine that has the backup.
MACHINE_WAIT = timedelta(days=1)


class BackupUnderWay(Exception):  # noqa: N818 - no error: the backup is tried again
    """Another worker is making a backup; one dump at a time is enough load on the database."""


class BackupTooSoon(Exception):  # noqa: N818 - no error: the backup is made later
    """The minimum interval since the last backup has not passed."""

    def __init__(self, moment: datetime) -> None:
        super().__init__("The last backup is too recent.")
        self.moment = moment


class NewerBackup(BackupRefused):
    """The backup has migrations that this release lacks."""


def request_backup(tournament: Tournament, round_number: int | None = None) -> None:
    """Request a backup that includes this change; no effect if the site makes no backups.

    Call inside the transaction of the change, with the event locked. An event has at most one
    request that is queued or has failed. A backup already running does not include this change.
    """
    if not queries.backups_are_made():
        return
    jobs_of_event = tournament.jobs.filter(kind=JobKind.BACK_UP)
    job = (
        jobs_of_event.exclude(state__in=(JobState.RUNNING, JobState.DONE))
        .select_for_update()
        .first()
    )
    if job is None:
        number = next_job_number(tournament, JobKind.BACK_UP)
        key = f"backup_{tournament.pk}:{number}"
        job = Job(tournament=tournament, kind=JobKind.BACK_UP, key=key)
    job.payload = {"wanted_at": timezone.now().isoformat()}
    if round_number is not None:
        job.payload["number"] = round_number
    if job.has_failed:
        jobs.requeue(job)
    else:
        job.save()
    transaction.on_commit(partial(_move_to_commit_time, job))
    jobs.enqueue(job)


def _move_to_commit_time(job: Job) -> None:
    """Date the request at the commit: an earlier backup lacks the change."""
    payload = job.payload | {"wanted_at": timezone.now().isoformat()}
    Job.objects.filter(pk=job.pk, state=JobState.QUEUED).update(payload=payload)


def make_overdue_backup() -> None:
    """Make a backup if the newest one is older than the current interval."""
    now = timezone.now()
    if queries.backups_are_made() and not backups.is_backup_running(
        Path(settings.BACKUP_FOLDER), now
    ):
        with suppress(BackupUnderWay, BackupTooSoon):
            _make_backup_unless_newer(now - queries.backup_interval())


def make_backup_by_timer() -> None:
    """Make a backup if one is due. A failure is shown on the operations page and raised."""
    try:
        make_overdue_backup()
    except (BackupRefused, OSError) as error:
        # With SQLite, a full disk also prevents this row. Raise the original error regardless.
        with suppress(DatabaseError):
            incidents.record_incident(IncidentKind.FAILED_BACKUP, detail=str(error))
        raise


def make_backup(folder: Path, keep_alive: Callable[[], None] = lambda: None) -> backups.Backup:
    """Make a backup in this folder.

    A backup in the site's folder is recorded as the latest and queued for the operator's command.
    Old backups are deleted there.
    """
    now = timezone.now()
    # Runs even if another backup is in progress; the lock only defers later automatic backups.
    with try_session_lock(BACKUP_LOCK):
        made = backups.make(folder, now, keep_alive)
    if settings.BACKUP_FOLDER and folder.resolve() == Path(settings.BACKUP_FOLDER).resolve():
        try:
            _record_backup(made)
        except DatabaseError as error:
            # The table may be missing before the migrations of a new release. The backup is
            # complete.
            logger.warning("Backup %s is not recorded in the database: %s", made.path.name, error)
        backups.delete_old(folder, now, backups.retention())
    return made


@transaction.atomic
def _record_backup(made: backups.Backup) -> None:
    """Record the backup in the database for all machines, and request its off-site copy."""
    machine = platform.node()
    fields = {"machine": machine, "name": made.path.name, "size": made.size}
    LatestBackup.objects.update_or_create(pk=1, defaults={"began_at": made.began_at, **fields})
    if settings.BACKUP_COMMAND:
        # The sweeper queues it: the process of a management command ends too early.
        SiteJob.objects.get_or_create(
            key=f"copy:{made.path.name}",
            defaults={
                "kind": SiteJobKind.COPY_BACKUP,
                "payload": {"began_at": made.began_at.isoformat(), **fields},
            },
        )


def make_requested_backup(job: Job) -> None:
    """Make the backup requested for an event, unless a later backup includes the change.

    Raises NotBefore within `BACKUP_MINUTES` of the last backup, or while another is being made.
    """
    if not queries.backups_are_made():
        return
    try:
        wanted_at = datetime.fromisoformat(job.payload["wanted_at"])
        _make_backup_unless_newer(wanted_at, partial(jobs.renew_lease, job))
    except BackupUnderWay:
        # Do not block the worker: retry when the other backup may be finished.
        raise jobs.NotBefore(
            _("Another backup is being made."), timezone.now() + RETRY_AFTER
        ) from None
    except BackupTooSoon as soon:
        raise jobs.NotBefore(str(soon), soon.moment) from None
    except OSError as error:
        raise backups.BackupRefused(
            _(
                "The backup folder cannot be written to: %(strerror)s. The event can continue. "
                "Tell the operator of this site."
            )
            % {"strerror": error.strerror}
        ) from error


def _make_backup_unless_newer(
    moment: datetime, keep_alive: Callable[[], None] = lambda: None
) -> None:
    """Make a backup unless one has begun since `moment`. Raises BackupUnderWay and BackupTooSoon.

    With PostgreSQL, all machines of a site share the lock and the row of the latest backup.
    """
    with try_session_lock(BACKUP_LOCK) as is_locked:
        if not is_locked:
            raise BackupUnderWay
        newest = queries.last_backup()
        if newest is not None:
            if newest.began_at > moment:
                return
            next_at = newest.began_at + queries.shortest_interval()
            if next_at > timezone.now():
                raise BackupTooSoon(next_at)
        make_backup(Path(settings.BACKUP_FOLDER), keep_alive)


def copy_backup_off_site(job: SiteJob) -> None:
    """Run the operator's command on a backup of this machine. Raises BackupRefused.

    One copy runs at a time, so that a slow upload leaves worker processes free for backups.
    """
    if not settings.BACKUP_COMMAND or not queries.backups_are_made():
        return
    path = Path(settings.BACKUP_FOLDER) / job.payload["name"]
    if not path.is_file():
        _leave_to_its_machine(job)
    with try_session_lock(COPY_LOCK) as is_locked:
        if not is_locked:
            moment = timezone.now() + RETRY_AFTER
            raise jobs.NotBefore(_("Another backup is being copied."), moment)
        limit = timedelta(minutes=settings.BACKUP_COMMAND_MINUTES)
        try:
            backups.run_operator_command(
                path, settings.BACKUP_COMMAND, limit, partial(jobs.renew_lease, job)
            )
        except backups.OperatorCommandError as error:
            logger.warning("Backup %s is not copied: %s", path.name, error)
            raise jobs.TryLater(str(error)) from error
    # Failures of older backups no longer matter.
    earlier = SiteJob.objects.filter(kind=SiteJobKind.COPY_BACKUP, pk__lt=job.pk)
    earlier.filter(state__in=jobs.FAILED_STATES).delete()


def _leave_to_its_machine(job: SiteJob) -> None:
    """Raise NotBefore while a worker on the machine with the backup may take the job.

    Otherwise raises BackupRefused.
    """
    name, machine = job.payload["name"], job.payload["machine"]
    if machine != platform.node() and timezone.now() < job.created_at + MACHINE_WAIT:
        moment = timezone.now() + RETRY_AFTER
        raise jobs.NotBefore(
            _("%(name)s is on another machine (%(machine)s).") % {"name": name, "machine": machine},
            moment,
        )
    reason = _("%(name)s is no longer in the backup folder of %(machine)s.") % {
        "name": name,
        "machine": machine,
    }
    logger.warning("Backup is not copied: %s", reason)
    raise BackupRefused(reason)


def retry_failed_copy() -> None:
    """Requeue the newest copy an hour after it failed. Newer backups have their own jobs."""
    failed = queries.failed_copy()
    if failed is None or failed.finished_at is None:
        return
    if failed.finished_at < timezone.now() - COPY_RETRY_AFTER:
        with transaction.atomic():
            job = SiteJob.objects.select_for_update().get(pk=failed.pk)
            if job.has_failed:
                jobs.requeue(job)


def restore_backup(path: Path) -> None:
    """Restore a backup into the empty database, then migrate it to this release.

    Raises BackupRefused or a subclass.
    """
    backups.restore(path)
    loader = MigrationLoader(connection)
    applied = {name for name in loader.applied_migrations if name[0] in loader.migrated_apps}
    release = backups.release_of(path)
    writer = f"Datafort {release}" if release else "A release that did not record its version"
    if unknown := sorted(applied - loader.disk_migrations.keys()):
        raise NewerBackup(
            _(
                "%(writer)s wrote this backup. Datafort %(version)s does not know its "
                "migration %(unknown)s: the release is newer, or its migrations have been "
                "replaced. Install that release and use the restored database with it."
            )
            % {"writer": writer, "version": VERSION, "unknown": ".".join(unknown[0])}
        )
    try:
        call_command("migrate", verbosity=0)
    except (CommandError, DatabaseError, InconsistentMigrationHistory) as error:
        raise BackupRefused(
            _(
                "%(writer)s wrote this backup. Its data could not be upgraded to Datafort "
                "%(version)s: %(error)s Install that release and use the restored database "
                "with it."
            )
            % {"writer": writer, "version": VERSION, "error": str(error).strip()}
        ) from error
