"""Backups: the newest, how often they are made, whether one is late; and jobs that wait."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from core import jobs
from core.backups import Backup, kept_in
from core.heartbeats import DEFAULT, SLOW
from tournaments.event.queries.events import under_way
from tournaments.models import Job, JobKind

QUIET = timedelta(days=1)
"""Between two backups while nobody plays."""


def backups_are_made() -> bool:
    """Whether this site makes backups by itself."""
    return bool(settings.BACKUP_FOLDER)


def last_backup() -> Backup | None:
    """The newest, by the moment whose data it holds.

    One of a moment to come was made while the clock was ahead: how old it is, nobody knows.
    """
    if not backups_are_made():
        return None
    now = timezone.now()
    return next((one for one in kept_in(Path(settings.BACKUP_FOLDER)) if one.began_at <= now), None)


def backup_interval() -> timedelta:
    """How often one is made just now: more often while somebody plays."""
    busy = timedelta(minutes=settings.BACKUP_MINUTES)
    return busy if busy and under_way().exists() else QUIET


def is_late_backup(backup: Backup | None) -> bool:
    """Whether the newest backup is older than twice the interval of now."""
    return backup is None or timezone.now() - backup.began_at > 2 * backup_interval()


def queue_lengths() -> dict[str, int]:
    """Number of jobs in each queue that could have begun by now, but no worker has taken."""
    from core.celery import queue_of  # Celery is slow to load

    lengths = dict.fromkeys((DEFAULT, SLOW), 0)
    waiting = jobs.waiting(Job).order_by().values_list("kind").annotate(number=Count("pk"))
    # A newer release may have stored kinds that this one does not know.
    for kind, number in waiting.filter(kind__in=JobKind.values):
        lengths[queue_of(jobs.task_of(Job(kind=kind)))] += number
    return lengths
