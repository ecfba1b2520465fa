"""Jobs that wait: queued again by the sweeper, taken over from a process that ended."""

from collections.abc import Iterable

from core import jobs
from tournaments.models import Job, JobKind


def sweep() -> None:
    """Queue again the jobs nobody works on: the broker was down, or a worker died."""
    _enqueue(jobs.to_enqueue(Job))


def take_over() -> None:
    """Do what was left undone; for the only process of a site, as it starts."""
    _enqueue(jobs.take_over(Job))


def _enqueue(waiting: Iterable[Job]) -> None:
    for job in waiting:
        # One of a newer release is known to its workers; the others are not to wait for that.
        if job.kind in JobKind.values:
            jobs.enqueue_waiting(job)
