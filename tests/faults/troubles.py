"""What can happen to a database in the middle of a request, made to happen."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import close_old_connections, connection

WRITES = ("INSERT", "UPDATE", "DELETE")
PATIENCE = 50
"""Milliseconds that this process waits for a lock here; the site waits for 5 seconds."""


@contextmanager
def locked() -> Iterator[None]:
    """Somebody else writes, and does not come to an end."""
    with _held_by_another(), _little_patience():
        yield
    _as_between_requests()


@contextmanager
def full() -> Iterator[None]:
    """No file of this process takes a byte more; SQLite is what writes to files here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    connection.ensure_connection()
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    _as_between_requests()


@contextmanager
def gone() -> Iterator[None]:
    """PostgreSQL ends the connection when the request begins to write, as in a restart."""

    def end_it(execute: Callable[..., Any], query: str, *rest: Any) -> Any:
        if query.lstrip().upper().startswith(WRITES):
            with _another() as other:
                pid = connection.connection.info.backend_pid
                other.execute("select pg_terminate_backend(%s, 5000)", [pid])
        return execute(query, *rest)

    with connection.execute_wrapper(end_it):
        yield
    _as_between_requests()


IS_SQLITE = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
TROUBLES: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "locked": locked,
    **({"full": full} if IS_SQLITE else {"gone": gone}),
}
"""What can be made to happen to the database of this test run."""


def _as_between_requests() -> None:
    """The site looks at its connections then; the browser of a test leaves that out."""
    close_old_connections()


@contextmanager
def _held_by_another() -> Iterator[None]:
    if IS_SQLITE:
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()
        return
    with _another() as server, server.transaction():
        tables = ", ".join(f'"{name}"' for name in connection.introspection.table_names())
        server.execute(f"lock table {tables} in exclusive mode")
        yield


@contextmanager
def _little_patience() -> Iterator[None]:
    setting = "PRAGMA busy_timeout = {}" if IS_SQLITE else "SET statement_timeout = {}"
    with connection.cursor() as cursor:
        cursor.execute(setting.format(PATIENCE))
    try:
        yield
    finally:
        connection.close()


def _another() -> "psycopg.Connection[Any]":
    """A connection of somebody else to the same PostgreSQL."""
    known = connection.get_connection_params()
    return psycopg.connect(
        host=known.get("host"),
        port=known.get("port"),
        user=known.get("user"),
        password=known.get("password"),
        dbname=known["dbname"],
        autocommit=True,
    )
