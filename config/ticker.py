"""The schedule of Celery beat, in threads of the web server."""

import logging
from importlib import import_module
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections

logger = logging.getLogger(__name__)


def start_ticker() -> Event:
    """Resume leftover jobs, then run the schedule until the returned event is set."""
    stopped = Event()
    Thread(target=_resume_jobs, name="take-over", daemon=True).start()
    schedule: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    for name, entry in schedule.items():
        seconds = entry["schedule"].total_seconds()
        thread = Thread(
            target=_run_repeatedly,
            args=(_import_task(entry["task"]), seconds, stopped),
            daemon=True,
        )
        thread.name = f"ticker-{name}"
        thread.start()
    return stopped


def _resume_jobs() -> None:
    try:
        _import_task("tournaments.event.services.take_over")()
    except Exception:
        # The sweeper retries soon.
        logger.exception("jobs could not be taken over")
    finally:
        connections.close_all()


def _import_task(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _run_repeatedly(task: Any, seconds: float, stopped: Event) -> None:
    while not stopped.wait(seconds):
        close_old_connections()
        try:
            task()
        except Exception:
            # The next run may succeed.
            logger.exception("%s failed", task.name)
        finally:
            close_old_connections()
