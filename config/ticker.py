"""The schedule of Celery beat, in threads of the web server."""

import logging
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections
from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)


def start_ticker() -> Event:
    """Resume leftover jobs, then run the schedule until the returned event is set."""
    stopped = Event()
    Thread(target=_resume_jobs, name="take-over", daemon=True).start()
    schedule: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    for name, entry in schedule.items():
        seconds = entry["schedule"].total_seconds()
        Thread(
            target=_run_repeatedly,
            name=f"ticker-{name}",
            args=(import_string(entry["task"]), seconds, stopped),
            daemon=True,
        ).start()
    return stopped


def _resume_jobs() -> None:
    try:
        import_string("tournaments.event.services.take_over")()
    except Exception:
        # The sweeper retries soon.
        logger.exception("leftover jobs could not be resumed")
    finally:
        connections.close_all()


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
