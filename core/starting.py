"""The first thing a web process does: refuse what is unsafe, and hold a SQLite database alone."""

import fcntl
import os
import time
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core import checks

from core.checks import TAG

PATIENCE = 10.0
"""Seconds a new process waits for one that is about to end."""
LOOK_EVERY = 0.1
_held: list[IO[str]] = []


class NotSafe(SystemExit):
    """Ends the process; the text says what is wrong and what to do."""


def begin() -> None:
    """Go on only when everything is right. Raises NotSafe."""
    found = [
        told
        for told in checks.run_checks(tags=[TAG], include_deployment_checks=True)
        if told.level >= checks.ERROR
    ]
    if found:
        lines = [f"  {message.id}: {message.msg}\n    {message.hint}" for message in found]
        raise NotSafe("\n".join(["Datafort does not start:", *lines]))
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        _held.append(hold(Path(str(database["NAME"]))))


def hold(database: Path, patience: float = PATIENCE) -> IO[str]:
    """Be the one web process of this SQLite file for as long as the answer is kept open.

    The lock ends with the process, however that ends. Commands of manage.py need none: they are
    short, and SQLite makes them wait. Raises NotSafe when another process keeps it.
    """
    path = database.with_name(f"{database.name}.writer")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+")
    until = time.monotonic() + patience
    while not _is_locked(file):
        if time.monotonic() >= until:
            raise NotSafe(_told(database, file))
        time.sleep(LOOK_EVERY)
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def _is_locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _told(database: Path, file: IO[str]) -> str:
    file.seek(0)
    return (
        f"Datafort does not start: process {file.read() or 'unknown'} serves {database} already. "
        "A SQLite file takes one web process (granian --workers 1). Stop the other one, or use "
        "PostgreSQL (DATABASE_URL) for more."
    )
