"""Signs of life of beat and of the workers, in the cache that all processes share.

The embedded profile has neither: its web process does their work.
"""

import time

from django.conf import settings
from django.core.cache import cache

BEAT = "beat"
DEFAULT, SLOW = "default", "slow"
"""Queues: pairing and standings; and work that takes minutes or waits for another site."""
PROCESSES = (BEAT, DEFAULT, SLOW)
"""Beat, and the workers of a queue under its name."""
SILENT_AFTER = 30  # seconds
"""A worker sends a sign of life every 2 seconds, beat every 5."""


def record(process: str) -> None:
    """Note that this process is alive."""
    cache.set(_key(process), time.time(), timeout=None)


def ages() -> dict[str, float | None]:
    """Seconds since the last sign of life of each process, None without any."""
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
    """Processes that no longer seem to run, or never did."""
    return [process for process, age in ages().items() if is_silent(age)]


def _key(process: str) -> str:
    return f"heartbeat:{process}"
