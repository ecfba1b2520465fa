"""pg_dump and pg_restore: the programs of PostgreSQL that know how its data is copied."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient

from core.backups import BackupRefused

NO_HURRY = "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0"
LONGEST = 3600  # seconds


def refuse_old_client(connection: BaseDatabaseWrapper) -> None:
    """pg_dump reads no server that is newer than itself."""
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        server = int(cursor.fetchone()[0]) // 10_000
    told = _run(["pg_dump", "--version"], {}, server)
    found = re.search(r"(\d+)(\.\d+)*", told)
    client = int(found[1]) if found else 0
    if client < server:
        raise BackupRefused(
            f"pg_dump here is of PostgreSQL {client}, the server of {server}. "
            f"Install the client of PostgreSQL {server} or newer."
        )


def dump(settings: dict[str, Any], target: Path, snapshot: str) -> None:
    """Write the database, as that snapshot sees it, in the custom format of pg_dump."""
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
    _run(["pg_dump", *options, f"--file={target}"], _environment(settings))


def restore(settings: dict[str, Any], copy: Path) -> None:
    """Fill the empty database in one transaction."""
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    name = f"--dbname={settings['NAME']}"
    _run(["pg_restore", *options, name, str(copy)], _environment(settings))


def _environment(settings: dict[str, Any]) -> dict[str, str]:
    """Where the server is and the password, in the environment: arguments can be read by all."""
    _, kept = DatabaseClient.settings_to_cmd_args_env(settings, [])
    where = {
        "PGHOST": settings["HOST"],
        "PGPORT": str(settings["PORT"]),
        "PGUSER": settings["USER"],
        "PGDATABASE": settings["NAME"],
    }
    return {**(kept or {}), **{name: value for name, value in where.items() if value}}


def _run(command: list[str], more: Mapping[str, str], server: int | None = None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - our own words and paths, no shell
            command,
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except FileNotFoundError:
        wanted = f"PostgreSQL {server}" if server else "PostgreSQL"
        raise BackupRefused(
            f"{command[0]} is not installed. Backups of PostgreSQL need its client programs: "
            f"install the client of {wanted} (postgresql-client)."
        ) from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word why"])[0]
        raise BackupRefused(f"{command[0]} failed: {last}")
    return done.stdout
