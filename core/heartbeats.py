"""Heartbeats of beat and the workers, in the cache that all processes share.

The embedded profile has neither: its web process does their work.
"""

import time

from django.conf import settings
from django.core.cache import cache

BEAT = "beat"
# Queues: pairing and standings; and work that takes minutes or waits for another site.
DEFAULT, SLOW = "default", "slow"
# Beat, and a worker for each queue under the queue's name.
PROCESSES = (BEAT, DEFAULT, SLOW)
# A worker sends a heartbeat every 2 seconds, beat every 5.
SILENT_AFTER = 30  # seconds


def record(process: str) -> None:
    cache.set(_key(process), time.time(), timeout=None)


def ages() -> dict[str, float | None]:
    """Seconds since the last heartbeat of each process, None without a heartbeat."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return {}
    recorded = cache.get_many([_key(process) for process in PROCESSES])
    now = time.time()
    return {
        process: max(0.0, now - recorded[_key(process)]) if _key(process) in recorded else None
        for process in PROCESSES
    }


def is_silent(age: float | None) -> bool:
    return age is None or age > SILENT_AFTER


def silent_processes() -> list[str]:
    """Return the processes that no longer seem to run, or never did."""
    return [process for process, age in ages().items() if is_silent(age)]


def _key(process: str) -> str:
    return f"heartbeat:{process}"
