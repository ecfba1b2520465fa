"""Backups: the newest, how often they are made, off-site copies; and jobs that wait."""

import platform
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from core import jobs
from core.backups import Backup, kept_in
from core.heartbeats import DEFAULT, SLOW
from core.jobs import LIVE, JobState
from tournaments.event.queries.events import under_way
from tournaments.models import JOB_MODELS, JobKind, LatestBackup, SiteJob, SiteJobKind

QUIET = timedelta(days=1)
"""Between two backups while nobody plays."""


def backups_are_made() -> bool:
    """Whether this site makes backups by itself."""
    return bool(settings.BACKUP_FOLDER)


def last_backup() -> Backup | LatestBackup | None:
    """Return the newest backup of the site, by the moment whose data it holds.

    It is in the folder of this machine, or the database names it: then it is on another machine.
    A backup with a date in the future was made while the clock was ahead, so it proves nothing.
    """
    if not backups_are_made():
        return None
    now = timezone.now()
    found: list[Backup | LatestBackup] = []
    in_folder = kept_in(Path(settings.BACKUP_FOLDER))
    found += [backup for backup in in_folder if backup.began_at <= now][:1]
    # A backup that was deleted from this machine is none.
    elsewhere = LatestBackup.objects.exclude(machine=platform.node()).filter(began_at__lte=now)
    found += elsewhere[:1]
    return max(found, key=lambda backup: backup.began_at, default=None)


def shortest_interval() -> timedelta:
    """Return the least time between two automatic backups of the site."""
    return timedelta(minutes=settings.BACKUP_MINUTES)


def backup_interval() -> timedelta:
    """Return the time between two backups for now: shorter while a round is played."""
    return shortest_interval() if under_way().exists() else QUIET


def newest_copy() -> SiteJob | None:
    """Return the newest job that has copied a backup off-site, or failed to."""
    copies = SiteJob.objects.filter(kind=SiteJobKind.COPY_BACKUP)
    return copies.exclude(state__in=LIVE).order_by("-pk").first()


def failed_copy() -> SiteJob | None:
    """Return the job of the newest off-site copy if it failed; None where no copies are made."""
    if not backups_are_made() or not settings.BACKUP_COMMAND:
        return None
    newest = newest_copy()
    return newest if newest is not None and newest.has_failed else None


def copied_at() -> datetime | None:
    """Return the moment whose data the newest off-site copy holds."""
    if not settings.BACKUP_COMMAND:
        return None
    copies = SiteJob.objects.filter(kind=SiteJobKind.COPY_BACKUP, state=JobState.DONE)
    newest = copies.order_by("-pk").first()
    return datetime.fromisoformat(newest.payload["began_at"]) if newest else None


def is_late_backup(backup: Backup | LatestBackup | None) -> bool:
    """Whether the newest backup is older than twice the interval of now."""
    return backup is None or timezone.now() - backup.began_at > 2 * backup_interval()


def queue_lengths() -> dict[str, int]:
    """Number of jobs in each queue that could have begun by now, but no worker has taken."""
    from core.celery import queue_of  # Celery is slow to load

    lengths = dict.fromkeys((DEFAULT, SLOW), 0)
    # A newer release may have stored kinds that this one does not know.
    known = {*JobKind.values, *SiteJobKind.values}
    for model in JOB_MODELS:
        waiting = jobs.waiting(model).order_by().values_list("kind").annotate(number=Count("pk"))
        for kind, number in waiting.filter(kind__in=known):
            lengths[queue_of(jobs.task_of(model(kind=kind)))] += number
    return lengths
