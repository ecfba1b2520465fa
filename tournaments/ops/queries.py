"""Queries for backups, disks, jobs, failing webhooks and rounds in progress."""

import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from core import jobs, private_files
from core.backups import Backup, backups_in
from core.jobs import FAILED_STATES, LIVE_STATES, JobState
from core.processes import DEFAULT_QUEUE, SLOW_QUEUE
from matches.models import SETTLED_STATES
from players import incidents
from tournaments.models import (
    JOB_MODELS,
    STATES_IN_PLAY,
    DeliveryState,
    Job,
    JobKind,
    LatestBackup,
    Round,
    SiteJob,
    SiteJobKind,
    Tournament,
    Webhook,
    WebhookDelivery,
)

LOW_DISK_BYTES, FULL_DISK_BYTES = 1024**3, 64 * 1024**2  # bytes

# Interval between backups while no round is played.
QUIET_INTERVAL = timedelta(days=1)


def backups_are_made() -> bool:
    return bool(settings.BACKUP_FOLDER)


def last_backup() -> Backup | LatestBackup | None:
    """Return the newest backup, by the time of its data.

    It is in the backup folder of this machine, or recorded in the database by another machine.
    Ignores backups dated in the future: they were made while the clock was ahead.
    """
    if not backups_are_made():
        return None
    now = timezone.now()
    in_folder = backups_in(Path(settings.BACKUP_FOLDER))
    newest: list[Backup | LatestBackup] = []
    newest += [backup for backup in in_folder if backup.began_at <= now][:1]
    # A recorded backup of this machine that is missing from the folder was deleted.
    elsewhere = LatestBackup.objects.exclude(machine=platform.node()).filter(began_at__lte=now)
    newest += elsewhere[:1]
    return max(newest, key=lambda backup: backup.began_at, default=None)


def shortest_interval() -> timedelta:
    return timedelta(minutes=settings.BACKUP_MINUTES)


def backup_interval() -> timedelta:
    """Return the current time between two backups; shorter while a round is played."""
    return shortest_interval() if Tournament.objects.under_way().exists() else QUIET_INTERVAL


def failed_copy() -> SiteJob | None:
    """Return the newest off-site copy job if it failed; None if no copies are made."""
    if not backups_are_made() or not settings.BACKUP_COMMAND:
        return None
    copies = SiteJob.objects.filter(kind=SiteJobKind.COPY_BACKUP).exclude(state__in=LIVE_STATES)
    newest = copies.order_by("-pk").first()
    return newest if newest is not None and newest.has_failed else None


def newest_copy_time() -> datetime | None:
    """Return the time of the data in the newest off-site copy."""
    if not settings.BACKUP_COMMAND:
        return None
    copies = SiteJob.objects.filter(kind=SiteJobKind.COPY_BACKUP, state=JobState.DONE)
    newest = copies.order_by("-pk").first()
    return datetime.fromisoformat(newest.payload["began_at"]) if newest else None


def is_late_backup(backup: Backup | LatestBackup | None) -> bool:
    """Return True if there is no backup or it is older than twice the current interval."""
    return backup is None or timezone.now() - backup.began_at > 2 * backup_interval()


def queue_lengths() -> dict[str, int]:
    """Return the number of jobs in each queue that could have started but no worker has taken."""
    from core.celery import queue_of  # Celery is slow to load

    lengths = dict.fromkeys((DEFAULT_QUEUE, SLOW_QUEUE), 0)
    # A newer release may have stored kinds that this one does not know.
    known = {*JobKind.values, *SiteJobKind.values}
    for model in JOB_MODELS:
        waiting = (
            jobs.waiting_jobs(model).order_by().values_list("kind").annotate(number=Count("pk"))
        )
        for kind, number in waiting.filter(kind__in=known):
            lengths[queue_of(jobs.task_of(model(kind=kind)))] += number
    return lengths


def job_counts() -> dict[tuple[str, str], int]:
    rows = (
        Job.objects.filter(state__in=(*LIVE_STATES, *FAILED_STATES))
        .order_by()
        .values_list("kind", "state")
    )
    return {(kind, state): number for kind, state, number in rows.annotate(number=Count("pk"))}


def failed_jobs() -> QuerySet[Job]:
    """Return failed jobs of the kinds this release has, with their events, newest first."""
    failed = Job.objects.filter(state__in=FAILED_STATES)
    return _known_jobs_with_event(failed).order_by("-finished_at", "-pk")


def live_jobs() -> QuerySet[Job]:
    """Return queued and running jobs with their events, oldest first."""
    live = Job.objects.filter(state__in=LIVE_STATES)
    return _known_jobs_with_event(live).order_by("created_at", "pk")


def _known_jobs_with_event(rows: QuerySet[Job]) -> QuerySet[Job]:
    # A newer release may have stored kinds that this one does not know.
    return rows.filter(kind__in=JobKind.values).select_related("tournament")


def failing_webhooks() -> QuerySet[Webhook]:
    """Return webhooks whose last message failed in the past week, worst first.

    Annotated with the newest failure as `last_error`, `last_status` and `failed_at`.
    """
    given_up = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), state=DeliveryState.GIVEN_UP)
    newest = given_up.order_by("-pk")
    rows = Webhook.objects.filter(failures__gt=0).annotate(
        last_error=Subquery(newest.values("last_error")[:1]),
        last_status=Subquery(newest.values("last_status")[:1]),
        failed_at=Subquery(newest.values("made_at")[:1]),
    )
    recent = rows.filter(failed_at__gte=timezone.now() - incidents.STORED_FOR)
    return recent.select_related("tournament").order_by("-failures", "pk")


def rounds_in_progress(most: int) -> Sequence[Round]:
    """Return published and running rounds of unfinished events.

    Annotated with `tables` and with `unsettled_tables`, which have no settled result.
    """
    has_match = Q(pairings__match__isnull=False)
    is_open = has_match & ~Q(pairings__match__state__in=SETTLED_STATES)
    rows = Round.objects.filter(state__in=STATES_IN_PLAY, stage__tournament__finished_at=None)
    rounds = list(
        rows.select_related("stage__tournament")
        .annotate(
            tables=Count("pairings", filter=has_match),
            unsettled_tables=Count("pairings", filter=is_open),
        )
        .order_by("published_at", "pk")[:most]
    )
    Round.prefetch_names(rounds)
    return rounds


@dataclass(frozen=True)
class DiskSpace:
    role: str
    folder: Path
    free: int
    size: int

    @property
    def is_full(self) -> bool:
        return self.free < FULL_DISK_BYTES

    @property
    def is_low(self) -> bool:
        return self.free < LOW_DISK_BYTES


def disk_spaces() -> list[DiskSpace]:
    """Return the disk space of each data folder, least free space first.

    The disk of a PostgreSQL server is not visible from here.
    """
    files = private_files.database_files()
    folders = {
        "database": files[0].parent if files else None,
        "data": Path(settings.VAR_DIR),
        "backups": Path(settings.BACKUP_FOLDER) if settings.BACKUP_FOLDER else None,
    }
    spaces = []
    for role, folder in folders.items():
        if folder is not None and folder.exists():
            usage = shutil.disk_usage(folder)
            spaces.append(DiskSpace(role, folder, usage.free, usage.total))
    return sorted(spaces, key=lambda space: space.free)


@dataclass(frozen=True)
class StoredBackups:
    # With sizes in bytes.
    newest: Sequence[tuple[Backup, int]]
    number: int
    # Total size in bytes.
    size: int


def stored_backups(most: int) -> StoredBackups:
    """Return the `most` newest backups, with the number and size of all."""
    sized = []
    for backup in backups_in(Path(settings.BACKUP_FOLDER)) if backups_are_made() else ():
        try:
            sized.append((backup, backup.size))
        except FileNotFoundError:
            continue  # just deleted by age
    return StoredBackups(sized[:most], len(sized), sum(size for _, size in sized))


def oldest_waiting_seconds() -> float:
    """Age in seconds of the oldest job that is ready to run; 0 if there is none."""
    ready_at = Coalesce("leased_until", "created_at")
    oldest = [
        jobs.waiting_jobs(model).aggregate(oldest=Min(ready_at))["oldest"] for model in JOB_MODELS
    ]
    ages = [timezone.now() - moment for moment in oldest if moment is not None]
    return max(ages, default=timedelta(0)).total_seconds()
