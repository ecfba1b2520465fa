"""Whether the site can be worked with, as checks of django-health-check.

A warning is for whoever runs the site; anything else means that nobody can work.
"""

import asyncio
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from health_check import checks
from health_check.base import HealthCheck, HealthCheckResult
from health_check.exceptions import HealthCheckException, ServiceUnavailable, ServiceWarning

from tournaments.event import queries
from tournaments.operations import queries as operation_queries

SLOW_JOB = 60  # seconds
LITTLE_DISK, NO_DISK = 1024**3, 64 * 1024**2  # bytes
COLOURS = ("green", "yellow", "red")


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
        if (seconds := queries.oldest_waiting_seconds()) > SLOW_JOB:
            raise ServiceWarning(f"A job has waited for {seconds:.0f} seconds.")


class Backup(SiteCheck):
    """The last backup is not much older than it should be."""

    def look(self) -> None:
        last = operation_queries.last_backup()
        if operation_queries.backups_are_made() and operation_queries.is_late_backup(last):
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


def document(*, with_details: bool) -> dict[str, object]:
    """The colour of each part and the worst of them; with details what is wrong there."""
    results = async_to_sync(_results)()
    parts = {type(result.check).__name__.lower(): _part(result, with_details) for result in results}
    return {"status": max(map(_colour, results), key=COLOURS.index), "parts": parts}


async def _results() -> list[HealthCheckResult]:
    return await asyncio.gather(*(check().get_result() for check in CHECKS))


def _part(result: HealthCheckResult, with_details: bool) -> dict[str, str]:
    part = {"status": _colour(result)}
    if with_details and result.error is not None:
        part["detail"] = result.error.message
    return part


def _colour(result: HealthCheckResult) -> str:
    if result.error is None:
        return "green"
    return "yellow" if isinstance(result.error, ServiceWarning) else "red"


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """App and name of each migration of this release."""
    return frozenset(MigrationLoader(None).disk_migrations)


def _folders() -> Iterator[Path]:
    wanted = [settings.VAR_DIR, settings.BACKUP_FOLDER]
    yield from (path for path in map(Path, filter(None, wanted)) if path.exists())
