"""A database copied while others write to it, and a copy put into an empty one."""

import gzip
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from psycopg import IsolationLevel

from core import starting
from core.backups import BackupRefused, DamagedBackup, postgres

T = TypeVar("T")
Told = Callable[[str], T]
"""Asks the database under this alias."""


def copy(target: Path, told: Told[T], using: str = "default") -> T:
    """Write the database as it is at one moment into `target`; what was `told` of that moment.

    Nobody who writes meanwhile waits.
    """
    connection = connections[using]
    if connection.vendor == "sqlite":
        return _copy_sqlite(connection, target, told)
    if connection.vendor == "postgresql":
        return _copy_postgres(connection, target, told)
    raise BackupRefused(f"Datafort makes no backups of a database of {connection.display_name}.")


def put_back(copy: Path, using: str = "default") -> None:
    """Fill the empty database with a copy of the same vendor; on PostgreSQL all of it or nothing.

    Raises BackupRefused where the database is not empty, DamagedBackup where the copy is unsound.
    """
    connection = connections[using]
    if connection.vendor == "sqlite":
        with _unserved(Path(connection.settings_dict["NAME"])):
            refuse_unless_empty(connection)
            _fill_sqlite(connection, copy)
    else:
        refuse_unless_empty(connection)
        connection.close()
        postgres.restore(connection.settings_dict, copy)


def refuse_unless_empty(connection: BaseDatabaseWrapper) -> None:
    """A backup is the whole site: it goes beside nothing."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    if tables:
        raise BackupRefused(
            f"There is data already in {connection.settings_dict['NAME']} ({len(tables)} tables). "
            "A backup is restored into an empty database only: move the old one away, or name "
            "a new one."
        )


def applied_migrations(using: str) -> list[str]:
    """Those this database has had, as "app.name", in order of the name."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _copy_sqlite(connection: BaseDatabaseWrapper, target: Path, told: Told[T]) -> T:
    """All pages in one step: with several a writer would make it begin again and again."""
    raw = target.with_name(f"{target.name}.raw")
    try:
        with (
            closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=30)) as source,
            closing(sqlite3.connect(raw)) as copied,
        ):
            source.backup(copied)
            # A copy is one file, without the log that a database at work keeps beside it.
            copied.execute("pragma journal_mode=delete")
        with _another(connection, NAME=str(raw), OPTIONS={}) as alias:
            _refuse_unsound(alias)
            answer = told(alias)
        with raw.open("rb") as source_file, gzip.open(target, "wb", compresslevel=3) as packed:
            shutil.copyfileobj(source_file, packed, 1024 * 1024)
    finally:
        raw.unlink(missing_ok=True)
    return answer


def _copy_postgres(connection: BaseDatabaseWrapper, target: Path, told: Told[T]) -> T:
    """What is told and what is dumped are seen in one snapshot of the database."""
    postgres.refuse_old_client(connection)
    options = {"isolation_level": IsolationLevel.REPEATABLE_READ, "options": postgres.NO_HURRY}
    with _another(connection, OPTIONS=options) as alias, transaction.atomic(using=alias):
        with connections[alias].cursor() as cursor:
            cursor.execute("select pg_export_snapshot()")
            (snapshot,) = cursor.fetchone()
        answer = told(alias)
        postgres.dump(connection.settings_dict, target, snapshot)
    return answer


@contextmanager
def _unserved(database: Path) -> Iterator[None]:
    """While no web process has the file, and none may begin."""
    try:
        lock = starting.hold(database, patience=0)
    except starting.NotSafe as error:
        raise BackupRefused(
            f"A web process serves {database}. Stop the site, then restore: it would go on with "
            "the file that it has open."
        ) from error
    with lock:
        yield


def _fill_sqlite(connection: BaseDatabaseWrapper, copy: Path) -> None:
    target = Path(connection.settings_dict["NAME"])
    raw = target.with_name(f".{target.name}.restored")
    try:
        with gzip.open(copy, "rb") as packed, raw.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked, 1024 * 1024)
        with _another(connection, NAME=str(raw), OPTIONS={}) as alias:
            _refuse_unsound(alias)
        connection.close()
        for beside in ("-wal", "-shm"):
            target.with_name(target.name + beside).unlink(missing_ok=True)
        raw.chmod(0o600)
        raw.replace(target)
    finally:
        raw.unlink(missing_ok=True)


def _refuse_unsound(alias: str) -> None:
    # Asked by Django's own connection: constraints call functions that only it knows.
    with connections[alias].cursor() as cursor:
        cursor.execute("pragma quick_check")
        (verdict,) = cursor.fetchone()
    if verdict != "ok":
        raise DamagedBackup(f"The copy of the database is not sound: {verdict}.")


@contextmanager
def _another(connection: BaseDatabaseWrapper, **changes: Any) -> Iterator[str]:
    """A connection of its own for this thread, under an alias of its own, for the block."""
    alias = f"backup-{token_hex(4)}"
    another = type(connection)({**connection.settings_dict, **changes}, alias)
    connections[alias] = another
    try:
        yield alias
    finally:
        another.close()
        del connections[alias]
