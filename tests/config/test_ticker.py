"""The schedule in the web server, without beat."""

from datetime import timedelta
from threading import Event

import pytest

from config import ticker

TURNS: list[str] = []
ENOUGH = Event()


class Task:
    """Counts its runs and fails the first time."""

    name = "a task"

    def __call__(self) -> None:
        TURNS.append(self.name)
        if len(TURNS) == 1:
            raise OSError("the disk is full")
        if len(TURNS) >= 3:
            ENOUGH.set()


a_task = Task()


def test_task_continues_after_a_failed_run(settings, caplog: pytest.LogCaptureFixture):
    entry = {"task": f"{__name__}.a_task", "schedule": timedelta(milliseconds=5)}
    settings.CELERY_BEAT_SCHEDULE = {"one": entry}

    stopped = ticker.start_ticker()
    try:
        assert ENOUGH.wait(30)
    finally:
        stopped.set()

    assert "a task failed" in caplog.text
    assert "the disk is full" in caplog.text
