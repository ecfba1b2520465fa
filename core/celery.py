"""The Celery application."""

# Tasks import it themselves, so that commands without tasks do not load Celery.

import logging
from typing import Any

from celery import Celery, signals
from kombu.entity import Queue

from core import processes
from core.processes import DEFAULT_QUEUE, SLOW_QUEUE


def queue_of(task: Any) -> str:
    is_slow = getattr(task, "aside", False) or getattr(task, "is_slow", False)
    return SLOW_QUEUE if is_slow else DEFAULT_QUEUE


def _route(*_: Any, task: Any = None, **__: Any) -> dict[str, str]:
    return {"queue": queue_of(task)}


app = Celery("datafort")
app.config_from_object("django.conf:settings", namespace="CELERY")
# A worker started without a list of queues takes tasks from both.
app.conf.task_default_queue = DEFAULT_QUEUE
app.conf.task_queues = [
    Queue(name, routing_key=name)  # type: ignore[no-untyped-call]
    for name in (DEFAULT_QUEUE, SLOW_QUEUE)
]
app.conf.task_routes = (_route,)
app.autodiscover_tasks()
# Bind each task when it is declared. Tasks bound at their first use can be seen half bound by a
# second thread, without a stack of requests.
app.finalize()


@signals.setup_logging.connect
def keep_logging(**_: Any) -> None:
    # With a receiver, Celery adds no handlers and no level of its own.
    logging.captureWarnings(True)


@signals.heartbeat_sent.connect
def record_worker(**_: Any) -> None:
    for queue in app.amqp.queues.consume_from:
        processes.record_heartbeat(queue)


@signals.beat_init.connect
@signals.beat_embedded_init.connect
def watch_beat(**_: Any) -> None:
    # Beat is alive whenever the broker accepts a message from it.
    signals.after_task_publish.connect(record_beat)


def record_beat(**_: Any) -> None:
    processes.record_heartbeat(processes.BEAT)
