"""Heartbeats of beat and the workers, and limits of this process."""

# Heartbeats are in the cache that all processes share. The embedded profile has neither beat nor
# workers: its web process does their work.

import time
from contextlib import suppress

from django.conf import settings
from django.core.cache import cache

BEAT = "beat"
# Queues: pairing and standings; and work that takes minutes or waits for another site.
DEFAULT_QUEUE, SLOW_QUEUE = "default", "slow"
# Beat, and a worker for each queue under the queue's name.
PROCESSES = (BEAT, DEFAULT_QUEUE, SLOW_QUEUE)
# A worker sends a heartbeat every 2 seconds, beat every 5.
SILENT_AFTER = 30  # seconds


def record_heartbeat(process: str) -> None:
    cache.set(_heartbeat_key(process), time.time(), timeout=None)


def heartbeat_ages() -> dict[str, float | None]:
    """Return the seconds since the last heartbeat of each process, None without a heartbeat."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return {}
    recorded = cache.get_many([_heartbeat_key(process) for process in PROCESSES])
    now = time.time()
    return {
        process: max(0.0, now - recorded[_heartbeat_key(process)])
        if _heartbeat_key(process) in recorded
        else None
        for process in PROCESSES
    }


def is_silent(age: float | None) -> bool:
    return age is None or age > SILENT_AFTER


def silent_processes() -> list[str]:
    return [process for process, age in heartbeat_ages().items() if is_silent(age)]


def _heartbeat_key(process: str) -> str:
    return f"heartbeat:{process}"


def raise_open_file_limit(count: int) -> None:
    # 1,024 on Linux and 256 on macOS by default.
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # macOS has a limit below RLIM_INFINITY
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
