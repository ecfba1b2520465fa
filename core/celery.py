"""The Celery application; settings with the prefix CELERY_ configure it.

Tasks name it themselves, so that commands without tasks need not load Celery.
"""

from typing import Any

from celery import Celery
from kombu import Queue

DEFAULT, SLOW = "default", "slow"
"""Pairing and standings; and work that takes minutes or waits for another site."""


def queue_of(task: Any) -> str:
    """Name of the queue for this task."""
    is_slow = getattr(task, "aside", False) or getattr(task, "is_slow", False)
    return SLOW if is_slow else DEFAULT


def _route(*_: Any, task: Any = None, **__: Any) -> dict[str, str]:
    return {"queue": queue_of(task)}


app = Celery("datafort")
app.config_from_object("django.conf:settings", namespace="CELERY")
# A worker that is given no queues takes tasks from both.
app.conf.task_default_queue = DEFAULT
app.conf.task_queues = [Queue(name, routing_key=name) for name in (DEFAULT, SLOW)]
app.conf.task_routes = (_route,)
app.autodiscover_tasks()
# Each task is ready when it is declared: bound at its first use, two threads can meet one that is
# half bound, without a stack of requests.
app.finalize()
