"""Empty sites to restore backups into."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from django.db import connection, connections
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent.parent.parent


@dataclass(frozen=True)
class EmptySite:
    """An empty site and the environment for its commands."""

    environment: dict[str, str]
    name: str

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of manage.py without checking its exit status."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @contextmanager
    def connected(self) -> Iterator[str]:
        """Connect this process to the database and yield the alias."""
        alias = f"restored-{secrets.token_hex(4)}"
        kind = type(connections["default"])
        restored = kind({**connection.settings_dict, "NAME": self.name}, alias)
        connections[alias] = restored
        try:
            yield alias
        finally:
            restored.close()
            del connections[alias]


@contextmanager
def empty_site(folder: Path) -> Iterator[EmptySite]:
    """Create an empty site on the database engine of the tests; delete it at the end."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "DATAFORT_VAR": str(folder),
        "REDIS_URL": "",
    }
    if connection.vendor == "sqlite":
        path = str(folder / "datafort.sqlite3")
        yield EmptySite({**environment, "DATABASE_URL": f"sqlite:///{path}"}, path)
        return
    name = f"datafort_restored_{secrets.token_hex(4)}"
    settings = connection.settings_dict
    where = {key.lower(): settings[key] for key in ("HOST", "PORT", "USER", "PASSWORD")}
    with psycopg.connect(dbname="postgres", autocommit=True, **where) as server:
        server.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        try:
            password = quote(str(where["password"]), safe="")
            url = f"postgres://{where['user']}:{password}@{where['host']}:{where['port']}/{name}"
            yield EmptySite({**environment, "DATABASE_URL": url}, name)
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))
