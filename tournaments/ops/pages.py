"""Health checks, metrics and the operations page.

A warning concerns only the operator. Any other failure means that the site is unusable.
"""

import asyncio
import platform
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from health_check import checks
from health_check.base import HealthCheck, HealthCheckResult
from health_check.exceptions import HealthCheckException, ServiceUnavailable, ServiceWarning
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from core import backups, processes
from core.jobs import FAILED_STATES, LIVE_STATES, JobState
from core.version import VERSION
from core.views import contact_address, operator_text
from players import incidents
from players import queries as player_queries
from players.models import REFUSED_LOGINS, IncidentCount, IncidentKind
from tournaments.models import (
    Job,
    JobKind,
    LatestBackup,
    Round,
    SiteJob,
    SiteJobKind,
    Tournament,
    Webhook,
)
from tournaments.ops import queries

SLOW_JOB = 60  # seconds
PROCESS_DESCRIPTIONS = {
    processes.BEAT: "beat",
    processes.DEFAULT_QUEUE: "worker of the default queue",
    processes.SLOW_QUEUE: "worker of the slow queue",
}
COLOURS = ("green", "yellow", "red")
RECENT_PERIOD, ONE_DAY = timedelta(hours=1), timedelta(days=1)
# Since the start of the previous hour. The alert rule in deploy/ has the same number.
MANY_REFUSED_LOGINS = 100
# Maximum rows per table of the operations page.
MAX_ROWS_PER_TABLE, MAX_LOGINS_LISTED = 50, 15
SITE_REGISTRY = CollectorRegistry()


class Cache(checks.Cache):
    """Only a warning: pages work without a cache, but slower."""

    async def run(self) -> None:
        try:
            await super().run()
        except HealthCheckException as error:
            raise ServiceWarning(_("The cache does not respond.")) from error


class SiteCheck(HealthCheck):
    """A check that uses the database connection of this request."""

    # Shown when the check passes.
    detail = ""

    async def run(self) -> None:
        try:
            await sync_to_async(self.verify)()
        except DatabaseError as error:
            raise ServiceUnavailable(_("The database does not respond.")) from error

    def verify(self) -> None:
        """Raise a HealthCheckException if the part is unhealthy."""
        raise NotImplementedError


class Migrations(SiteCheck):
    def verify(self) -> None:
        if missing := missing_migrations():
            raise ServiceUnavailable(
                _("Migrations not applied: %(missing)s.") % {"missing": ", ".join(missing)}
            )


class Jobs(SiteCheck):
    """No job has been waiting for long."""

    def verify(self) -> None:
        lengths = queries.queue_lengths()
        self.detail = f"Jobs waiting: {', '.join(f'{n} {queue}' for queue, n in lengths.items())}."
        if (seconds := queries.oldest_waiting_seconds()) > SLOW_JOB:
            raise ServiceWarning(
                _("A job has been waiting for %(seconds)s seconds. %(detail)s")
                % {"seconds": format(seconds, ".0f"), "detail": self.detail}
            )


class Workers(SiteCheck):
    """Beat and a worker for each queue are running."""

    def verify(self) -> None:
        if silent := processes.silent_processes():
            raise ServiceWarning(
                _("No sign of life for %(silent_after)s seconds: %(process_descriptions)s.")
                % {
                    "silent_after": processes.SILENT_AFTER,
                    "process_descriptions": ", ".join(
                        PROCESS_DESCRIPTIONS[process] for process in silent
                    ),
                }
            )


class Backup(SiteCheck):
    """The last backup is recent, and its off-site copy has not failed."""

    def verify(self) -> None:
        last = queries.last_backup()
        if queries.backups_are_made() and queries.is_late_backup(last):
            raise ServiceWarning(f"Last backup: {last.began_at.isoformat() if last else 'none'}.")
        if failed := queries.failed_copy():
            raise ServiceWarning(
                _("The last backup was not copied off-site: %(error)s")
                % {"error": failed.shown_error}
            )


class Disk(SiteCheck):
    """There is enough free space for data and backups."""

    def verify(self) -> None:
        spaces = queries.disk_spaces()
        for space in spaces:
            # A full disk stops the site only if its data is on it.
            if space.role == "database" and space.is_full:
                raise ServiceUnavailable(
                    _("%(free)s bytes are free for the database.") % {"free": space.free}
                )
        if spaces and spaces[0].is_low:
            raise ServiceWarning(_("%(free)s bytes are free.") % {"free": spaces[0].free})


CHECKS: tuple[type[HealthCheck], ...] = (
    checks.Database,
    Migrations,
    Cache,
    Jobs,
    Workers,
    Backup,
    Disk,
)


def health_document(*, with_details: bool) -> dict[str, object]:
    """Return the colour of each part and the worst colour overall, optionally with details."""
    results: list[HealthCheckResult] = async_to_sync(_check_results)()
    parts = {
        type(result.check).__name__.lower(): _part_document(result, with_details)
        for result in results
    }
    status = max(map(_result_colour, results), key=COLOURS.index)
    return {"status": status, "version": VERSION, "parts": parts}


async def _check_results() -> list[HealthCheckResult]:
    return await asyncio.gather(*(check().get_result() for check in CHECKS))


def _part_document(result: HealthCheckResult, with_details: bool) -> dict[str, str]:
    part = {"status": _result_colour(result)}
    detail = result.error.message if result.error else getattr(result.check, "detail", "")
    if with_details and detail:
        part["detail"] = detail
    return part


def _result_colour(result: HealthCheckResult) -> str:
    if result.error is None:
        return "green"
    return "yellow" if isinstance(result.error, ServiceWarning) else "red"


@lru_cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def missing_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in known_migrations() - applied.keys())


class SiteCollector(Collector):
    """Metrics of jobs, queues, processes, events, backups, disks, incidents and webhooks."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("datafort", "Version of Datafort", value={"version": VERSION})
        yield _job_metric()
        waiting = queries.oldest_waiting_seconds()
        yield GaugeMetricFamily(
            "datafort_oldest_waiting_job_seconds", "Age of the oldest waiting job", value=waiting
        )
        lengths = queries.queue_lengths()
        yield _labelled_gauge(
            "datafort_queue_length", "Jobs that no worker has taken", "queue", lengths
        )
        ages = processes.heartbeat_ages()
        up = {process: int(not processes.is_silent(age)) for process, age in ages.items()}
        yield _labelled_gauge("datafort_process_up", "1 with a recent sign of life", "process", up)
        yield _labelled_gauge(
            "datafort_heartbeat_age_seconds",
            "Age of the last sign of life",
            "process",
            {process: age for process, age in ages.items() if age is not None},
        )
        yield _labelled_gauge("datafort_events", "Events by state", "state", _event_counts())
        if queries.backups_are_made():
            yield from _backup_metrics()
        yield from _disk_metrics()
        yield from _incident_metrics()
        failing = queries.failing_webhooks().count()
        yield GaugeMetricFamily(
            "datafort_failing_webhooks", "Webhooks whose last message failed", value=failing
        )


SITE_REGISTRY.register(SiteCollector())


def _backup_metrics() -> Iterator[Metric]:
    interval = queries.backup_interval().total_seconds()
    yield GaugeMetricFamily(
        "datafort_backup_interval_seconds", "Current time between two backups", value=interval
    )
    if (last := queries.last_backup()) is not None:
        age = (timezone.now() - last.began_at).total_seconds()
        yield GaugeMetricFamily(
            "datafort_backup_age_seconds", "Age of the newest backup", value=age
        )
        yield GaugeMetricFamily(
            "datafort_backup_bytes", "Size of the newest backup", value=last.size
        )
    if (copied_at := queries.newest_copy_time()) is not None:
        age = (timezone.now() - copied_at).total_seconds()
        yield GaugeMetricFamily(
            "datafort_backup_copy_age_seconds", "Age of the newest off-site copy", value=age
        )


def _disk_metrics() -> Iterator[Metric]:
    spaces = queries.disk_spaces()
    free = {space.role: space.free for space in spaces}
    yield _labelled_gauge(
        "datafort_disk_free_bytes", "Free space on the disk of a folder", "folder", free
    )
    size = {space.role: space.size for space in spaces}
    yield _labelled_gauge(
        "datafort_disk_size_bytes", "Size of the disk of a folder", "folder", size
    )


def _incident_metrics() -> Iterator[Metric]:
    totals = incidents.totals_since(timezone.now() - RECENT_PERIOD)
    refused = {reason.value: totals[reason] for reason in REFUSED_LOGINS}
    since = "since the start of the previous hour"
    yield _labelled_gauge("datafort_refused_logins", f"Refused logins {since}", "reason", refused)
    unsent, failed = totals[IncidentKind.UNSENT_EMAIL], totals[IncidentKind.FAILED_BACKUP]
    yield GaugeMetricFamily(
        "datafort_unsent_emails", f"Emails that were not accepted {since}", value=unsent
    )
    yield GaugeMetricFamily(
        "datafort_failed_backups", f"Backups of the timer that failed {since}", value=failed
    )


def _job_metric() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily("datafort_jobs", "Jobs by kind and state", labels=["kind", "state"])
    for model, kinds in ((Job, JobKind.values), (SiteJob, SiteJobKind.values)):
        rows = model.objects.order_by().values_list("kind", "state").annotate(number=Count("pk"))
        counts = {(kind, state): number for kind, state, number in rows}
        for kind in kinds:
            for state in JobState.values:
                gauge.add_metric([kind, state], counts.get((kind, state), 0))
    return gauge


def _event_counts() -> dict[str, int]:
    under_way = Tournament.objects.under_way().count()
    finished = Tournament.objects.exclude(finished_at=None).count()
    open_events = Tournament.objects.count() - finished - under_way
    return {"round is played": under_way, "open": open_events, "finished": finished}


def _labelled_gauge(
    name: str, description: str, label: str, values: Mapping[str, float]
) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, description, labels=[label])
    for key, value in values.items():
        gauge.add_metric([key], value)
    return gauge


@dataclass(frozen=True)
class SiteProblem:
    title: str
    advice: str
    # HTML id of the section with details.
    anchor: str = ""
    # Events cannot continue, or data is at risk.
    is_urgent: bool = False


PROCESS_PROBLEMS = {
    processes.BEAT: (
        gettext_lazy("Beat is not running: nothing happens automatically"),
        gettext_lazy("Start it: systemctl start datafort-beat, or docker compose up -d beat."),
    ),
    processes.DEFAULT_QUEUE: (
        gettext_lazy("The worker of the default queue is not running: rounds are not paired"),
        gettext_lazy("Start it: systemctl start datafort-worker, or docker compose up -d worker."),
    ),
    processes.SLOW_QUEUE: (
        gettext_lazy("The worker of the slow queue is not running: no backups, emails, webhooks"),
        gettext_lazy(
            "Start it: systemctl start datafort-worker-slow, or docker compose up -d worker_slow."
        ),
    ),
}
PROCESS_LABELS = {
    processes.BEAT: gettext_lazy("Beat"),
    processes.DEFAULT_QUEUE: gettext_lazy("Workers of the default queue: pairings, standings"),
    processes.SLOW_QUEUE: gettext_lazy("Workers of the slow queue: backups, emails, webhooks"),
}
DISK_ROLES = {
    "database": gettext_lazy("Database"),
    "data": gettext_lazy("Data folder"),
    "backups": gettext_lazy("Backups"),
}
ORGANISERS = {
    "anybody": gettext_lazy("Anyone with an account"),
    "approved": gettext_lazy("Approved accounts and site staff"),
    "staff": gettext_lazy("Site staff"),
}


@dataclass(frozen=True)
class OperationsPage:
    failed_jobs: Sequence[Job]
    job_counts: Mapping[tuple[str, str], int]
    live_jobs: Sequence[Job]
    webhooks: Sequence[Webhook]
    stored_backups: queries.StoredBackups
    last_backup: backups.Backup | LatestBackup | None
    # Off-site copy of the newest backup.
    failed_copy: SiteJob | None
    disks: Sequence[queries.DiskSpace]
    rounds: Sequence[Round]
    # In the past day.
    refused_logins: incidents.RefusedLogins
    # In the past day.
    unsent_emails: Sequence[IncidentCount]
    # Last failure of the timer in the past day.
    backup_failure: IncidentCount | None

    @cached_property
    def failed_count(self) -> int:
        return self._number_of_jobs(FAILED_STATES)

    @cached_property
    def live_count(self) -> int:
        return self._number_of_jobs(LIVE_STATES)

    def _number_of_jobs(self, states: Collection[str]) -> int:
        return sum(number for (_, state), number in self.job_counts.items() if state in states)

    @property
    def failed_backup(self) -> IncidentCount | None:
        """The last failure of the timer, unless a newer backup exists."""
        failure, backup = self.backup_failure, self.last_backup
        return None if failure and backup and backup.began_at > failure.last_at else failure

    @property
    def makes_backups(self) -> bool:
        return queries.backups_are_made()

    @property
    def backup_is_late(self) -> bool:
        return self.makes_backups and queries.is_late_backup(self.last_backup)

    @property
    def problems(self) -> list[SiteProblem]:
        """All problems, urgent ones first."""
        problems = [
            *_service_problems(),
            *_disk_problems(self.disks),
            *_job_problems(self),
            *_backup_problems(self),
            *_message_problems(self),
        ]
        return sorted(problems, key=lambda problem: not problem.is_urgent)


def operations_page() -> OperationsPage:
    """Read the state of the site. The number of queries and rows does not depend on its size."""
    now = timezone.now()
    past_day = incidents.counts_since(now - ONE_DAY).order_by("-hour", "-count")
    return OperationsPage(
        failed_jobs=sorted(
            queries.failed_jobs()[:MAX_ROWS_PER_TABLE],
            key=lambda job: not job.stops_event,
        ),
        job_counts=queries.job_counts(),
        live_jobs=list(queries.live_jobs()[:MAX_ROWS_PER_TABLE]),
        webhooks=list(queries.failing_webhooks()[:MAX_ROWS_PER_TABLE]),
        stored_backups=queries.stored_backups(10),
        last_backup=queries.last_backup(),
        failed_copy=queries.failed_copy(),
        disks=queries.disk_spaces(),
        rounds=queries.rounds_in_progress(MAX_ROWS_PER_TABLE),
        refused_logins=incidents.refused_logins(now - ONE_DAY, now - RECENT_PERIOD),
        unsent_emails=list(past_day.filter(kind=IncidentKind.UNSENT_EMAIL)),
        backup_failure=past_day.filter(kind=IncidentKind.FAILED_BACKUP).first(),
    )


def _service_problems() -> Iterator[SiteProblem]:
    if missing := missing_migrations():
        title = ngettext(
            "The database lacks %(number)d migration of this release",
            "The database lacks %(number)d migrations of this release",
            len(missing),
        )
        advice = _("Run manage.py set_up, then restart the web servers and workers.")
        yield SiteProblem(title % {"number": len(missing)}, advice, "versions", is_urgent=True)
    mark = secrets.token_hex(8)
    cache.set("operations-page", mark, timeout=60)
    if cache.get("operations-page") != mark:
        # Heartbeats are stored in the cache, so the state of beat and the workers is unknown.
        yield SiteProblem(
            _("The cache does not respond"),
            _(
                "Check that Redis is running and that REDIS_URL is right. Until it responds, "
                "pages are slower, rate limits are off, and jobs wait."
            ),
            "processes",
            is_urgent=True,
        )
        return
    for process in processes.silent_processes():
        problem, step = PROCESS_PROBLEMS[process]
        yield SiteProblem(str(problem), str(step), "processes", is_urgent=True)


def _disk_problems(disks: Iterable[queries.DiskSpace]) -> Iterator[SiteProblem]:
    for disk in disks:
        if disk.is_low:
            place = {"size": filesizeformat(disk.free), "folder": disk.folder}
            title = (
                _("The disk is full: %(size)s free in %(folder)s")
                if disk.is_full
                else _("The disk is nearly full: %(size)s free in %(folder)s")
            )
            advice = _("Delete old logs and files of other programs, or enlarge the disk.")
            yield SiteProblem(title % place, advice, "disks", is_urgent=disk.is_full)


def _job_problems(page: OperationsPage) -> Iterator[SiteProblem]:
    stopped = [job for job in page.failed_jobs if job.stops_event]
    if stopped:
        title = ngettext(
            "%(number)d event cannot continue: its pairing or standings failed",
            "%(number)d events cannot continue: their pairings or standings failed",
            number := len({job.tournament_id for job in stopped}),
        )
        advice = _("Read the error, fix the cause, then retry the job.")
        yield SiteProblem(title % {"number": number}, advice, "failed-jobs", is_urgent=True)
    if number := page.failed_count - len(stopped):
        title = ngettext("%(number)d job failed", "%(number)d jobs failed", number)
        advice = _("Read the errors. Retry the jobs, or delete those that no longer matter.")
        yield SiteProblem(title % {"number": number}, advice, "failed-jobs")
    if (seconds := queries.oldest_waiting_seconds()) > SLOW_JOB:
        minutes = int(seconds // 60)
        title = ngettext(
            "A job has been waiting for %(minutes)d minute",
            "A job has been waiting for %(minutes)d minutes",
            minutes,
        )
        advice = _("The workers are busy or stopped. Check the queues and their logs.")
        yield SiteProblem(title % {"minutes": minutes}, advice, "processes")


def _backup_problems(page: OperationsPage) -> Iterator[SiteProblem]:
    advice = _("Run manage.py backup on the server: it shows the error. Then fix the cause.")
    if page.backup_is_late:
        title = _("The last backup is late") if page.last_backup else _("No backup exists yet")
        yield SiteProblem(title, advice, "backups", is_urgent=True)
    elif page.failed_backup:
        yield SiteProblem(_("The last backup failed"), advice, "backups")
    if page.failed_copy:
        reason = _(
            "%(error)s The copy is tried again every hour. Run the command by hand to test it."
        )
        title = _("The last backup was not copied off-site")
        yield SiteProblem(title, reason % {"error": page.failed_copy.shown_error}, "backups")
    if not page.makes_backups:
        advice = _("Set DATAFORT_BACKUPS to a folder, for the workers and for the web servers.")
        yield SiteProblem(_("This site makes no backups"), advice, "backups")


def _message_problems(page: OperationsPage) -> Iterator[SiteProblem]:
    if number := sum(count.count for count in page.unsent_emails):
        title = ngettext(
            "The mail server did not accept %(number)d email in the past day",
            "The mail server did not accept %(number)d emails in the past day",
            number,
        )
        advice = _("Check DATAFORT_EMAIL_URL and the account at the mail server.")
        yield SiteProblem(title % {"number": number}, advice, "emails")
    if number := len(page.webhooks):
        title = ngettext("%(number)d webhook is failing", "%(number)d webhooks are failing", number)
        advice = _("The receiver has to be fixed. Tell the organisers of the event.")
        yield SiteProblem(title % {"number": number}, advice, "webhooks")
    if (refused := page.refused_logins.recent) > MANY_REFUSED_LOGINS:
        title = _("%(number)d logins were refused since the start of the previous hour")
        advice = _("If they come from a few addresses, block these in the proxy or firewall.")
        yield SiteProblem(title % {"number": refused}, advice, "logins")


def site_settings() -> dict[str, Any]:
    """Return the operator's settings that visitors of the site can see."""
    is_approved = settings.ORGANISERS == "approved"
    return {
        "operator": settings.OPERATOR_NAME,
        "contact": settings.OPERATOR_CONTACT,
        "has_security_txt": bool(contact_address()),
        "own_privacy": bool(operator_text("privacy")),
        "own_imprint": bool(operator_text("imprint")),
        "organisers": ORGANISERS[settings.ORGANISERS],
        "needs_approval": is_approved,
        "approved": player_queries.approved_organisers().count() if is_approved else 0,
    }


def versions() -> dict[str, str]:
    with connection.cursor() as cursor:
        is_sqlite = connection.vendor == "sqlite"
        cursor.execute("SELECT sqlite_version()" if is_sqlite else "SHOW server_version")
        database = cursor.fetchone()[0]
    return {
        "Datafort": VERSION,
        "Python": platform.python_version(),
        connection.display_name: database,
    }


@dataclass(frozen=True)
class ProcessState:
    """Beat or the workers of a queue; `age` is in seconds since the last heartbeat."""

    name: str
    age: float | None
    is_silent: bool
    queue_length: int | None

    @property
    def seconds(self) -> int:
        return round(self.age or 0)


def process_states() -> list[ProcessState]:
    lengths = queries.queue_lengths()
    return [
        ProcessState(
            str(PROCESS_LABELS[process]), age, processes.is_silent(age), lengths.get(process)
        )
        for process, age in processes.heartbeat_ages().items()
    ]
