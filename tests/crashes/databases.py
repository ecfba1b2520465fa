"""Copies of a database that is ready, and every row in one, read from outside."""

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
"""Every row by its table, in order of its key; each value as text."""

_numbers = count(1)
NOT_COMPARED = ("django_migrations", "sqlite_sequence", "rulings_words", "kept_")
"""What begins so says nothing of the site; tests keep cards and rulings in the last ones."""


@contextmanager
def copy_of_the_database(folder: Path) -> Iterator[str]:
    """A copy of the database of this test, by the name Django knows it by; gone afterwards."""
    connections.close_all()
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        copied = folder / f"copy{next(_numbers)}.sqlite3"
        with sqlite3.connect(name) as original, sqlite3.connect(copied) as copy:
            original.backup(copy)
        original.close()
        copy.close()
        copied.chmod(0o600)  # As the site wants it before it starts.
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


def use(name: str) -> None:
    """Let this process work on that copy; for children, which never go back."""
    connections.close_all()
    connection.settings_dict["NAME"] = name


def state_of(name: str) -> State:
    """All that is committed, as another process sees it."""
    if connection.vendor == "sqlite":
        return _state_of_file(Path(name))
    with _server(name) as server:
        server.execute("set transaction isolation level repeatable read")
        found = server.execute(
            "select table_name from information_schema.tables where table_schema = 'public' "
            "and table_type = 'BASE TABLE' order by 1"
        )
        tables = [str(table) for (table,) in found if not str(table).startswith(NOT_COMPARED)]
        return {
            table: _rows(server.execute(sql.SQL("select * from {}").format(sql.Identifier(table))))
            for table in tables
        }


def files_are_whole(name: str, folder: Path) -> bool:
    """Whether the files as they lie there, copied as they are, open as a sound database.

    PostgreSQL keeps its files itself; there it is enough that the database opens.
    """
    if connection.vendor != "sqlite":
        return True
    copied = folder / "files.sqlite3"
    for ending in ("", "-wal"):
        there = Path(f"{name}{ending}")
        Path(f"{copied}{ending}").unlink(missing_ok=True)
        if there.exists():
            shutil.copyfile(there, f"{copied}{ending}")
    opened = sqlite3.connect(copied)
    # The constraints of some tables ask for functions that Django brings.
    register(opened)
    try:
        faults = [row[0] for row in opened.execute("pragma integrity_check")]
        loose = list(opened.execute("pragma foreign_key_check"))
    finally:
        opened.close()
    for ending in ("", "-wal", "-shm"):
        Path(f"{copied}{ending}").unlink(missing_ok=True)
    return (faults, loose) == (["ok"], [])


def _state_of_file(file: Path) -> State:
    opened = sqlite3.connect(file)
    try:
        opened.execute("begin")
        found = opened.execute("select name from sqlite_master where type = 'table' order by 1")
        tables = [str(table) for (table,) in found if not str(table).startswith(NOT_COMPARED)]
        select = 'select * from "{}"'
        return {table: _rows(opened.execute(select.format(table))) for table in tables}
    finally:
        opened.close()


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
