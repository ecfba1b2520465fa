"""Copies of a prepared database, and every row of a database, read from another connection."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
from django.db import connection, connections
from django.db.backends.sqlite3._functions import register  # type: ignore[import-untyped]
from psycopg import sql

Row: TypeAlias = dict[str, str]
State: TypeAlias = dict[str, list[Row]]
"""Rows by table, in order of their keys; every value as text."""

_numbers = count(1)
NOT_COMPARED = ("django_migrations", "sqlite_sequence", "rulings_words", "kept_")
"""Prefixes of tables that are not compared; the last two hold the tests' own cards and rulings."""


@contextmanager
def copy_of_the_database(folder: Path) -> Iterator[str]:
    """Copy the database of this test and yield Django's name of the copy; delete it afterwards."""
    connections.close_all()
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        copied = folder / f"copy{next(_numbers)}.sqlite3"
        with sqlite3.connect(name) as original, sqlite3.connect(copied) as copy:
            original.backup(copy)
        original.close()
        copy.close()
        copied.chmod(0o600)  # The site refuses to start with other permissions.
        yield str(copied)
        return
    copied_name = sql.Identifier(f"{name}_copy{next(_numbers)}")
    with _server() as server:
        server.execute(
            sql.SQL("create database {} template {}").format(copied_name, sql.Identifier(name))
        )
        try:
            yield copied_name.as_string().strip('"')
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(copied_name))


def use_database(name: str) -> None:
    """Switch this process to that copy; only for child processes, which never switch back."""
    connections.close_all()
    connection.settings_dict["NAME"] = name


def state_of(name: str) -> State:
    """Everything committed, as seen by another process."""
    if connection.vendor == "sqlite":
        return _state_of_file(Path(name))
    with _server(name) as server:
        server.execute("set transaction isolation level repeatable read")
        names = server.execute(
            "select table_name from information_schema.tables where table_schema = 'public' "
            "and table_type = 'BASE TABLE' order by 1"
        )
        tables = [str(table) for (table,) in names if not str(table).startswith(NOT_COMPARED)]
        return {
            table: _rows(server.execute(sql.SQL("select * from {}").format(sql.Identifier(table))))
            for table in tables
        }


def are_files_intact(name: str, folder: Path) -> bool:
    """Return True if a raw copy of the database files opens as a sound database.

    PostgreSQL recovers its own files; there, it is enough that the database opens.
    """
    if connection.vendor != "sqlite":
        return True
    copied = folder / "files.sqlite3"
    for ending in ("", "-wal"):
        original = Path(f"{name}{ending}")
        Path(f"{copied}{ending}").unlink(missing_ok=True)
        if original.exists():
            shutil.copyfile(original, f"{copied}{ending}")
    database = sqlite3.connect(copied)
    # Constraints of some tables call functions that Django registers.
    register(database)
    try:
        faults = [row[0] for row in database.execute("pragma integrity_check")]
        loose = list(database.execute("pragma foreign_key_check"))
    finally:
        database.close()
    for ending in ("", "-wal", "-shm"):
        Path(f"{copied}{ending}").unlink(missing_ok=True)
    return (faults, loose) == (["ok"], [])


def _state_of_file(file: Path) -> State:
    database = sqlite3.connect(file)
    try:
        database.execute("begin")
        names = database.execute("select name from sqlite_master where type = 'table' order by 1")
        tables = [str(table) for (table,) in names if not str(table).startswith(NOT_COMPARED)]
        select = 'select * from "{}"'
        return {table: _rows(database.execute(select.format(table))) for table in tables}
    finally:
        database.close()


def _rows(cursor: Any) -> list[Row]:
    columns = [column[0] for column in cursor.description]
    rows = [dict(zip(columns, map(str, row), strict=True)) for row in cursor]
    return sorted(rows, key=lambda row: [(len(value), value) for value in row.values()][:1])


def _server(name: str = "postgres") -> Any:
    settings = connection.settings_dict
    return psycopg.connect(
        host=settings["HOST"],
        port=settings["PORT"],
        user=settings["USER"],
        password=settings["PASSWORD"],
        dbname=name,
        autocommit=name == "postgres",
    )
