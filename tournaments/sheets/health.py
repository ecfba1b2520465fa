"""Whether the site can be worked with, as checks of django-health-check.

A warning is for whoever runs the site; anything else means that nobody can work.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from health_check import checks
from health_check.base import HealthCheck
from health_check.exceptions import HealthCheckException, ServiceUnavailable, ServiceWarning

from core import jobs
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Job

SLOW_JOB = 60  # seconds
LITTLE_DISK, NO_DISK = 1024**3, 64 * 1024**2  # bytes


def oldest_waiting_seconds() -> float:
    """For how long the job that waits longest could have been begun; 0 when none waits."""
    now = timezone.now()
    moments = (job.leased_until or job.created_at for job in jobs.waiting(Job))
    return max(((now - moment).total_seconds() for moment in moments), default=0.0)


class Cache(checks.Cache):
    """Pages work without a cache, only slower."""

    async def run(self) -> None:
        try:
            await super().run()
        except HealthCheckException as error:
            raise ServiceWarning("The cache does not answer.") from error


class SiteCheck(HealthCheck):
    """A check that asks the connection of this request."""

    async def run(self) -> None:
        try:
            await sync_to_async(self.look)()
        except DatabaseError as error:
            raise ServiceUnavailable("The database does not answer.") from error

    def look(self) -> None:
        """Raises HealthCheckException."""
        raise NotImplementedError


class Migrations(SiteCheck):
    """The tables are those of this release."""

    def look(self) -> None:
        had = MigrationRecorder(connection).applied_migrations()
        if missing := sorted(f"{app}.{name}" for app, name in known_migrations() - had.keys()):
            raise ServiceUnavailable(f"To be applied: {', '.join(missing)}.")


class Jobs(SiteCheck):
    """A worker takes what waits."""

    def look(self) -> None:
        if (seconds := oldest_waiting_seconds()) > SLOW_JOB:
            raise ServiceWarning(f"A job has waited for {seconds:.0f} seconds.")


class Backup(SiteCheck):
    """The last backup is not much older than it should be."""

    def look(self) -> None:
        last = queries.last_backup()
        if queries.backups_are_made() and queries.is_late_backup(last):
            raise ServiceWarning(f"Last backup: {last.began_at.isoformat() if last else 'none'}.")


class Disk(SiteCheck):
    """There is room for the data and for backups."""

    def look(self) -> None:
        least = min((shutil.disk_usage(path).free for path in _folders()), default=LITTLE_DISK)
        # A full disk stops the site only where its data is on it.
        if least < NO_DISK and connection.vendor == "sqlite":
            raise ServiceUnavailable(f"{least} bytes are free.")
        if least < LITTLE_DISK:
            raise ServiceWarning(f"{least} bytes are free.")


CHECKS: tuple[type[HealthCheck], ...] = (
    checks.Database,
    Migrations,
    Cache,
    Jobs,
    Backup,
    Disk,
)


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """App and name of each migration of this release."""
    return frozenset(MigrationLoader(None).disk_migrations)


def _folders() -> Iterator[Path]:
    wanted = [settings.VAR_DIR, settings.BACKUP_FOLDER]
    yield from (path for path in map(Path, filter(None, wanted)) if path.exists())


@dataclass(frozen=True)
class SiteBackup:
    """Of which moment it is, None where there is none yet; late: older than twice its interval."""

    began_at: datetime | None
    is_late: bool


def site_backup(actor: Actor) -> SiteBackup | None:
    """None for all but administrators of the site, and where the site makes no backups."""
    if actor.user is None or not actor.user.is_staff or not queries.backups_are_made():
        return None
    last = queries.last_backup()
    return SiteBackup(last.began_at if last else None, queries.is_late_backup(last))
