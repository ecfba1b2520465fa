"""The work of the job "make a backup": one file of the whole site, on the machine of the worker."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from core import jobs
from core.backups import BackupRefused, databases, files, folders
from core.version import VERSION
from tournaments import queries
from tournaments.models import Backup, Job

ASK_AGAIN = timedelta(seconds=5)
"""While another backup is being made."""


def back_up(folder: Path) -> Backup:
    """Make a backup in the folder, throw old ones away, and keep a row of it.

    Raises BackupRefused with what to do; OSError where the folder cannot be written to.
    """
    with folders.alone(folder, patient=True):
        return _made(folder)


def back_up_after(job: Job) -> None:
    """The backup that a round wanted when it was closed; one that began since holds it already."""
    wanted_at = datetime.fromisoformat(job.payload["wanted_at"])
    if not settings.BACKUP_FOLDER:
        return
    try:
        _unless_newer(wanted_at)
    except BlockingIOError as error:
        # No worker waits for another one: rounds want to be paired meanwhile.
        again_at = timezone.now() + ASK_AGAIN
        raise jobs.NotBefore("Another backup is being made.", again_at) from error
    except OSError as error:
        raise BackupRefused(
            f"The folder for backups cannot be written to: {error.strerror}. The event can go on; "
            "tell whoever runs the site."
        ) from error


def back_up_when_due() -> None:
    """For the schedule: a backup whenever the newest is as old as the interval of now."""
    if not queries.backups_are_made():
        return
    oldest = timezone.now() - queries.backup_interval()
    newest = queries.last_backup()
    if newest is None or newest.began_at <= oldest:
        with suppress(BlockingIOError):
            _unless_newer(oldest)


def _unless_newer(moment: datetime) -> None:
    """Asked once it is this process's turn: another may just have made the backup.

    Raises BlockingIOError while another makes one.
    """
    folder = Path(settings.BACKUP_FOLDER)
    with folders.alone(folder, patient=False):
        newest = queries.last_backup()
        if newest is None or newest.began_at <= moment:
            _made(folder)


def _made(folder: Path) -> Backup:
    began_at = timezone.now()
    target = folder / folders.fresh_name(began_at.astimezone(UTC))
    with TemporaryDirectory(prefix=".unfinished-", dir=folder) as aside:
        copy = Path(aside) / "copy"
        manifest = databases.copy(copy, lambda alias: _manifest(alias, began_at))
        files.write(target, manifest, copy)
    made = Backup.objects.create(
        began_at=began_at,
        finished_at=timezone.now(),
        name=target.name,
        size=target.stat().st_size,
        standings=manifest.facts["standings_sha256"],
    )
    if settings.BACKUP_FOLDER and folder.resolve() == Path(settings.BACKUP_FOLDER).resolve():
        _throw_old_away(folder, began_at)
    return made


def _manifest(alias: str, began_at: datetime) -> files.Manifest:
    return files.Manifest(
        version=VERSION,
        began_at=began_at.astimezone(UTC).isoformat(timespec="milliseconds"),
        database=connection.vendor,
        migrations=databases.applied_migrations(alias),
        facts=queries.backup_facts(alias),
    )


def _throw_old_away(folder: Path, now: datetime) -> None:
    longest = timedelta(days=settings.BACKUP_DAYS)
    kept = folders.backups_in(folder)
    over = folders.too_old(kept, now.astimezone(UTC), settings.BACKUPS_KEPT, longest)
    for path in over:
        path.unlink(missing_ok=True)
    Backup.objects.filter(name__in=[path.name for path in over]).delete()
    Backup.objects.filter(began_at__lt=now - longest).exclude(
        name__in=[path.name for path in folders.backups_in(folder)]
    ).delete()
