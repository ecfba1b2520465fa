"""A write is answered when it is on the disk, so that a cut of power takes back nothing told.

SQLite runs in WAL mode with `synchronous=NORMAL`: a commit is in the file, but the file need not
be on the disk yet. To sync in each commit (`FULL`) would hold up all other writers meanwhile; here
each answer waits for itself, after the commit and without a lock. PostgreSQL syncs its own log.
"""

import os
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

from core import crew

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")


def answers_on_disk(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, around whatever writes: what was committed is on the disk before the answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE and settings.ANSWERS_ON_DISK:
            sync()
        return response

    return middleware


def sync() -> None:
    """Wait until all that is committed is on the disk. Raises OSError where the disk fails."""
    if connection.vendor != "sqlite":
        return
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
