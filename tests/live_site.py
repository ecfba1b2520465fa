"""The site as it is served: granian in a process of its own, a worker beside it.

Embedded without DATABASE_URL; with DATABASE_URL and REDIS_URL it is scaled: a
fresh PostgreSQL database and a real Celery worker with beat.
"""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


@contextmanager
def live_site(folder: Path, *, demo: bool = False) -> Iterator[str]:
    """The address of a running site whose files live in `folder`."""
    with ExitStack() as stack:
        port = str(_free_port())
        address = f"http://127.0.0.1:{port}"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
            "DATAFORT_VAR": str(folder),
            "DATAFORT_REDIS_PREFIX": f"live-{port}",
        }
        if database_url := os.environ.get("DATABASE_URL"):
            environment["DATABASE_URL"] = stack.enter_context(_fresh_database(database_url))
        set_up = ["manage.py", "set_up", "--port", port]
        _run([*set_up, *([] if demo else ["--no-demo"])], environment)
        if os.environ.get("REDIS_URL"):
            stack.enter_context(_process(_worker(folder), environment))
        stack.enter_context(_process(_server(port), environment))
        _wait_for(address)
        yield address


def _worker(folder: Path) -> list[str]:
    beat = ["--beat", "--schedule", str(folder / "beat")]
    return [str(BIN / "celery"), "-A", "config", "worker", "--pool", "threads", *beat]


def _server(port: str) -> list[str]:
    command = [str(BIN / "granian"), "--interface", "wsgi", "--port", port, "--workers", "1"]
    return [
        *command,
        "--blocking-threads",
        "8",
        "--log-level",
        "warning",
        "config.wsgi:application",
    ]


def _run(arguments: list[str], environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True)


@contextmanager
def _process(command: list[str], environment: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def _fresh_database(url: str) -> Iterator[str]:
    """A new database on the same server, dropped at the end."""
    name = f"datafort_live_{secrets.token_hex(4)}"
    with psycopg.connect(url, dbname="postgres", autocommit=True) as server:
        server.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"Nothing answers at {address}.")
