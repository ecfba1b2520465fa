"""The database of a test process is a copy of a template that was migrated once.

The template is reused until a migration, a shipped card or ruling, or an importer changes. On
SQLite it is a file beside pytest's cache, on PostgreSQL a database.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from tests.templates import KEPT, one_at_a_time, stamp


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Make pytest-django use the copied file on SQLite."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: Any,
) -> Iterator[None]:
    """Use a copy of the template as the database of this process."""
    folder = KEPT / "databases"
    folder.mkdir(parents=True, exist_ok=True)
    test = connection.settings_dict["TEST"]
    with one_at_a_time(folder), django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            test["TEMPLATE"] = _postgresql_template()
        else:
            shutil.copyfile(_sqlite_template(folder), test["NAME"])
    yield
    if connection.vendor == "sqlite":
        connection.close()
        for file in Path(test["NAME"]).parent.glob(f"{Path(test['NAME']).name}*"):
            file.unlink()


def _sqlite_template(folder: Path) -> Path:
    template = folder / f"{stamp()}.sqlite3"
    if not template.exists():
        for old in folder.glob("*.sqlite3*"):
            old.unlink()
        making = folder / "making.sqlite3"
        _fill(str(making))
        making.rename(template)
    return template


def _postgresql_template() -> str:
    prefix = f"template_{connection.settings_dict['NAME']}_"
    name, making = prefix + stamp(), sql.Identifier(prefix + "making")
    with psycopg.connect(os.environ["DATABASE_URL"], dbname="postgres", autocommit=True) as server:
        existing = server.execute("SELECT datname FROM pg_database").fetchall()
        if (name,) not in existing:
            for (old,) in existing:
                if old.startswith(prefix):
                    server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
            server.execute(sql.SQL("CREATE DATABASE {}").format(making))
            _fill(prefix + "making")
            rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            server.execute(rename.format(making, sql.Identifier(name)))
    return name


def _fill(name: str) -> None:
    """Migrate the database with this name, and store cards and rulings in it."""
    from tests.factories import library

    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        call_command("migrate", verbosity=0)
        library.keep()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before
