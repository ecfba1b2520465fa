"""A write is answered when it is on the disk, so that a cut of power takes back nothing told.

A commit that waits for the disk has everybody wait who wants the same rows. Here each answer waits
for itself, after the commit and without a lock. SQLite runs in WAL mode with `synchronous=NORMAL`:
a commit is in the file, but the file need not be on the disk yet. The crew (core.crew) asks
PostgreSQL with `synchronous_commit = off`, which does the same; every other thread and process that
writes there waits in the commit. What a GET writes by the way waits for nothing.
"""

import os
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

from core import crew
from core.methods import SAFE_METHODS

SYNC_POSTGRESQL = (
    "BEGIN; SET LOCAL synchronous_commit TO DEFAULT;"
    " SELECT pg_logical_emit_message(true, 'datafort', ''); COMMIT"
)
"""A commit of nothing but a word into the log; what was committed before is on the disk with it."""


def answers_on_disk(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, around whatever writes: what was committed is on the disk before the answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # With a 5xx nothing is said to be saved.
        is_told = response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        if request.method not in SAFE_METHODS and is_told and settings.ANSWERS_ON_DISK:
            sync()
        return response

    return middleware


def commit_early(connection: Any, **_: object) -> None:
    """A connection of the crew was opened: its commits do not wait for the disk, its answers do."""
    if connection.vendor == "postgresql" and settings.ANSWERS_ON_DISK and crew.is_at_work():
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")


def sync() -> None:
    """Wait until all that is committed is on the disk.

    Raises OSError where the disk of SQLite fails, DatabaseError where PostgreSQL does.
    """
    if connection.vendor == "sqlite":
        _sync_sqlite()
    elif crew.is_at_work():
        _sync_postgresql()


def _sync_sqlite() -> None:
    try:
        log = os.open(f"{connection.settings_dict['NAME']}-wal", os.O_RDWR)
    except FileNotFoundError:
        # The last connection was closed, and with it all was moved into the database, synced.
        return
    try:
        crew.step_aside()
        os.fsync(log)
    finally:
        os.close(log)


def _sync_postgresql() -> None:
    here: Any = connection
    if not here.health_check_done:
        # Nobody has asked the database anything for this request.
        return
    here.ensure_connection()
    crew.step_aside()
    with here.wrap_database_errors:
        # Several commands, so it cannot be prepared.
        here.connection.execute(SYNC_POSTGRESQL, prepare=False)
