"""Failures of a database in the middle of a request."""

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
"""Milliseconds that this process waits for a lock; the site waits for 5 seconds."""


@contextmanager
def locked() -> Iterator[None]:
    """Another connection writes and does not finish."""
    with _locked_by_another(), _little_patience():
        yield
    _as_between_requests()


@contextmanager
def full() -> Iterator[None]:
    """No file of this process can grow; on SQLite, that is the database."""
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
    """PostgreSQL ends the connection at the first write of a request, as in a restart."""

    def terminate_at_write(execute: Callable[..., Any], query: str, *args: Any) -> Any:
        if query.lstrip().upper().startswith(WRITES):
            with _second_connection() as server:
                pid = connection.connection.info.backend_pid
                server.execute("select pg_terminate_backend(%s, 5000)", [pid])
        return execute(query, *args)

    with connection.execute_wrapper(terminate_at_write):
        yield
    _as_between_requests()


IS_SQLITE = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
TROUBLES: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "locked": locked,
    **({"full": full} if IS_SQLITE else {"gone": gone}),
}
"""Failures that the database of this test run supports."""


def _as_between_requests() -> None:
    """Close old connections, as the site does between requests and a test client does not."""
    close_old_connections()


@contextmanager
def _locked_by_another() -> Iterator[None]:
    if IS_SQLITE:
        second_connection = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        second_connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            second_connection.execute("ROLLBACK")
            second_connection.close()
        return
    with _second_connection() as server, server.transaction():
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


def _second_connection() -> "psycopg.Connection[Any]":
    parameters = connection.get_connection_params()
    return psycopg.connect(
        host=parameters.get("host"),
        port=parameters.get("port"),
        user=parameters.get("user"),
        password=parameters.get("password"),
        dbname=parameters["dbname"],
        autocommit=True,
    )
