"""What programs that watch the site are shown: whether it can be worked with, and its counts.

A warning of a check is for whoever runs the site; anything else means that nobody can work.
"""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count
from django.utils import timezone
from health_check import checks
from health_check.base import HealthCheck, HealthCheckResult
from health_check.exceptions import HealthCheckException, ServiceUnavailable, ServiceWarning
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from core import heartbeats, private_files
from core.jobs import JobState
from core.version import VERSION
from tournaments.event import queries
from tournaments.models import Job, JobKind, SiteJob, SiteJobKind, Tournament
from tournaments.operations import queries as operation_queries

SLOW_JOB = 60  # seconds
LITTLE_DISK, NO_DISK = 1024**3, 64 * 1024**2  # bytes
PROCESS_NAMES = {
    heartbeats.BEAT: "beat",
    heartbeats.DEFAULT: "worker of the default queue",
    heartbeats.SLOW: "worker of the slow queue",
}
COLOURS = ("green", "yellow", "red")
SITE = CollectorRegistry()


class Cache(checks.Cache):
    """Pages work without a cache, only slower."""

    async def run(self) -> None:
        try:
            await super().run()
        except HealthCheckException as error:
            raise ServiceWarning("The cache does not answer.") from error


class SiteCheck(HealthCheck):
    """A check that asks the connection of this request."""

    detail = ""
    """Shown with the details of a part that is well."""

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
        lengths = operation_queries.queue_lengths()
        self.detail = f"Jobs waiting: {', '.join(f'{n} {queue}' for queue, n in lengths.items())}."
        if (seconds := queries.oldest_waiting_seconds()) > SLOW_JOB:
            raise ServiceWarning(f"A job has waited for {seconds:.0f} seconds. {self.detail}")


class Workers(SiteCheck):
    """Beat runs, and a worker for each queue."""

    def look(self) -> None:
        if silent := heartbeats.silent_processes():
            raise ServiceWarning(
                f"No sign of life for {heartbeats.SILENT_AFTER} seconds: "
                f"{', '.join(PROCESS_NAMES[process] for process in silent)}."
            )


class Backup(SiteCheck):
    """The last backup is recent, and its off-site copy has not failed."""

    def look(self) -> None:
        last = operation_queries.last_backup()
        if operation_queries.backups_are_made() and operation_queries.is_late_backup(last):
            raise ServiceWarning(f"Last backup: {last.began_at.isoformat() if last else 'none'}.")
        if failed := operation_queries.failed_copy():
            raise ServiceWarning(f"The last backup was not copied off-site: {failed.error}")


class Disk(SiteCheck):
    """There is room for the data and for backups."""

    def look(self) -> None:
        # A full disk stops the site only where its data is on it.
        of_data = [path.parent for path in private_files.database_files()]
        if (free := _free(of_data)) < NO_DISK:
            raise ServiceUnavailable(f"{free} bytes are free for the database.")
        wanted = filter(None, (settings.VAR_DIR, settings.BACKUP_FOLDER))
        if (free := _free([*of_data, *map(Path, wanted)])) < LITTLE_DISK:
            raise ServiceWarning(f"{free} bytes are free.")


def _free(folders: Iterable[Path]) -> int:
    """The least of what is free on the disks of these folders, in bytes."""
    free = (shutil.disk_usage(path).free for path in folders if path.exists())
    return min(free, default=LITTLE_DISK)


CHECKS: tuple[type[HealthCheck], ...] = (
    checks.Database,
    Migrations,
    Cache,
    Jobs,
    Workers,
    Backup,
    Disk,
)


def document(*, with_details: bool) -> dict[str, object]:
    """The colour of each part and the worst of them; with details what is wrong there."""
    results = async_to_sync(_results)()
    parts = {type(result.check).__name__.lower(): _part(result, with_details) for result in results}
    status = max(map(_colour, results), key=COLOURS.index)
    return {"status": status, "version": VERSION, "parts": parts}


async def _results() -> list[HealthCheckResult]:
    return await asyncio.gather(*(check().get_result() for check in CHECKS))


def _part(result: HealthCheckResult, with_details: bool) -> dict[str, str]:
    part = {"status": _colour(result)}
    detail = result.error.message if result.error else getattr(result.check, "detail", "")
    if with_details and detail:
        part["detail"] = detail
    return part


def _colour(result: HealthCheckResult) -> str:
    if result.error is None:
        return "green"
    return "yellow" if isinstance(result.error, ServiceWarning) else "red"


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """App and name of each migration of this release."""
    return frozenset(MigrationLoader(None).disk_migrations)


class SiteCollector(Collector):
    """Jobs, queues, beat and workers, events by where they stand, the age of the last backup."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("datafort", "Version of Datafort", value={"version": VERSION})
        yield _jobs()
        waiting = queries.oldest_waiting_seconds()
        yield _one("datafort_oldest_waiting_job_seconds", "Since when it waits", waiting)
        lengths = operation_queries.queue_lengths()
        yield _by("datafort_queue_length", "Jobs no worker has taken", "queue", lengths)
        ages = heartbeats.ages()
        up = {process: int(not heartbeats.is_silent(age)) for process, age in ages.items()}
        yield _by("datafort_process_up", "1 with a recent sign of life", "process", up)
        known = {process: age for process, age in ages.items() if age is not None}
        name = "datafort_heartbeat_age_seconds"
        yield _by(name, "Age of the last sign of life", "process", known)
        yield _by("datafort_events", "Events by where they stand", "state", _events())
        if (last := operation_queries.last_backup()) is not None:
            age = (timezone.now() - last.began_at).total_seconds()
            yield _one("datafort_backup_age_seconds", "Age of the newest backup", age)
            yield _one("datafort_backup_bytes", "Size of the newest backup", last.size)
        if (copied_at := operation_queries.copied_at()) is not None:
            age = (timezone.now() - copied_at).total_seconds()
            yield _one("datafort_backup_copy_age_seconds", "Age of the newest off-site copy", age)


SITE.register(SiteCollector())


def _jobs() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily("datafort_jobs", "Jobs by kind and state", labels=["kind", "state"])
    for model, kinds in ((Job, JobKind.values), (SiteJob, SiteJobKind.values)):
        rows = model.objects.order_by().values_list("kind", "state").annotate(number=Count("pk"))
        found = {(kind, state): number for kind, state, number in rows}
        for kind in kinds:
            for state in JobState.values:
                gauge.add_metric([kind, state], found.get((kind, state), 0))
    return gauge


def _events() -> dict[str, int]:
    under_way = queries.under_way().count()
    finished = Tournament.objects.exclude(finished_at=None).count()
    waiting = Tournament.objects.count() - finished - under_way
    return {"round is played": under_way, "open": waiting, "finished": finished}


def _one(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, words, value=value)


def _by(name: str, words: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, words, labels=[label])
    for key, value in values.items():
        gauge.add_metric([key], value)
    return gauge
