"""A served site: a web server in its own process, optionally with a worker.

Without DATABASE_URL the site is embedded. With DATABASE_URL and REDIS_URL it is scaled: a new
PostgreSQL database and a real Celery worker with beat.
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
from psycopg import sql

from tests.templates import KEPT, one_at_a_time, stamp

ROOT = Path(__file__).resolve().parent.parent
SITES = KEPT / "sites"
"""Files of a site that is already set up; the next set-up only adds what is missing."""
BIN = Path(sys.executable).parent
THREADS = 6
"""Threads of a web process, as in docs/admin/systemd.md."""


@dataclass(frozen=True)
class Site:
    """A running site: its address, environment and processes."""

    address: str
    environment: dict[str, str]
    pids: tuple[int, ...]


def manage(site: Site, *arguments: str, **settings: str) -> None:
    """Run a command of manage.py for a running site."""
    _run(["manage.py", *arguments], {**site.environment, **settings})


@contextmanager
def live_site(folder: Path, *, demo: bool = False) -> Iterator[str]:
    """The address of a running site with its files in `folder`."""
    with running_site(folder, demo=demo) as site:
        yield site.address


@contextmanager
def running_site(
    folder: Path,
    *,
    demo: bool = False,
    workers: int = 1,
    worker_kept_up: bool = False,
    host: str = "127.0.0.1",
    **settings: str,
) -> Iterator[Site]:
    """A running site with its files in `folder`; `settings` extend its environment.

    A DATABASE_URL in them is used unchanged; with a REDIS_URL, a worker runs too. If it is
    `worker_kept_up`, it does not count among the processes of the site.
    """
    with ExitStack() as stack:
        port = str(free_port())
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
            "DATAFORT_VAR": str(folder),
            "DATAFORT_REDIS_PREFIX": f"live-{port}",
            **settings,
        }
        template_folder, url = kept_site(environment), os.environ.get("DATABASE_URL")
        if url and "DATABASE_URL" not in settings:
            template = kept_database(url, {**environment, "DATAFORT_VAR": str(template_folder)})
            environment["DATABASE_URL"] = stack.enter_context(fresh_database(url, template))
        shutil.copytree(template_folder, folder, dirs_exist_ok=True)
        set_up = ["manage.py", "set_up", "--port", port, "--host", host]
        _run([*set_up, *([] if demo else ["--no-demo"])], environment)
        commands = [_server(port, workers, host)]
        if environment.get("REDIS_URL") and worker_kept_up:
            stack.enter_context(kept_up(_worker(folder), environment))
        elif environment.get("REDIS_URL"):
            commands.append(_worker(folder))
        pids = [stack.enter_context(process(command, environment)) for command in commands]
        site = Site(f"http://127.0.0.1:{port}", environment, tuple(pids))
        wait_for(site.address)
        yield site


def kept_site(environment: dict[str, str]) -> Path:
    """The folder of a SQLite site with its static files, created if necessary."""
    SITES.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(SITES):
        site_folder, making = SITES / stamp(), SITES / "making"
        if not site_folder.exists():
            for old in SITES.glob("*/"):
                shutil.rmtree(old)
            migrated = KEPT / "databases" / f"{stamp()}.sqlite3"
            if migrated.exists():
                # The tables that tests.databases stores in it do no harm.
                making.mkdir(exist_ok=True)
                shutil.copyfile(migrated, making / "datafort.sqlite3")
            embedded = {**environment, "DATAFORT_VAR": str(making), "REDIS_URL": ""}
            embedded.pop("DATABASE_URL", None)
            _run(["manage.py", "set_up", "--no-demo"], embedded)
            making.rename(site_folder)
    return site_folder


@contextmanager
def another_server(site: Site, **settings: str) -> Iterator[Site]:
    """A second web server of the same site at its own port, as on another machine."""
    port = str(free_port())
    environment = {**site.environment, **settings}
    with process(_server(port, 1), environment) as pid:
        server = Site(f"http://127.0.0.1:{port}", environment, (pid,))
        wait_for(server.address)
        yield server


@contextmanager
def another_worker(site: Site, name: str) -> Iterator[int]:
    """A second worker of the same site, without beat; yields its process id."""
    command = [str(BIN / "celery"), "-A", "config", "worker", "--pool", "threads", "-n", name]
    with process(command, site.environment) as pid:
        yield pid


def kept_database(url: str, environment: dict[str, str]) -> str:
    """The PostgreSQL counterpart of `kept_site`: the name of a template database."""
    name, making = f"template_site_{stamp()}", "template_site_making"
    with one_at_a_time(SITES), psycopg.connect(url, dbname="postgres", autocommit=True) as server:
        existing = {row[0] for row in server.execute("select datname from pg_database")}
        if name not in existing:
            for old in existing:
                if old.startswith("template_site_"):
                    server.execute(sql.SQL("drop database {}").format(sql.Identifier(old)))
            migrated = f"template_{urlsplit(url).path.strip('/')}_{stamp()}"
            template = migrated if migrated in existing else "template1"
            create = sql.SQL("create database {} template {}")
            server.execute(create.format(sql.Identifier(making), sql.Identifier(template)))
            making_url = urlunsplit(urlsplit(url)._replace(path=f"/{making}"))
            _run(["manage.py", "set_up", "--no-demo"], {**environment, "DATABASE_URL": making_url})
            rename = sql.SQL("alter database {} rename to {}")
            server.execute(rename.format(sql.Identifier(making), sql.Identifier(name)))
    return name


def _worker(folder: Path) -> list[str]:
    beat = ["--beat", "--schedule", str(folder / "beat")]
    return [str(BIN / "celery"), "-A", "config", "worker", "--pool", "threads", *beat]


def _server(port: str, workers: int, host: str = "127.0.0.1") -> list[str]:
    if workers == 1:
        return [sys.executable, "manage.py", "serve", "--port", port, "--host", host]
    command = [str(BIN / "granian"), "--interface", "wsgi", "--port", port]
    command += ["--workers", str(workers), "--blocking-threads", str(THREADS)]
    command += ["--workers-kill-timeout", "8", "--log-level", "warning"]
    return [*command, "config.wsgi:application"]


def _run(arguments: list[str], environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True)


@contextmanager
def process(command: list[str], environment: dict[str, str]) -> Iterator[int]:
    """Run a command during the block; yields its process id."""
    started = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield started.pid
    finally:
        started.terminate()
        # granian ignores a signal to a worker that is still starting. It kills the worker only
        # after the --workers-kill-timeout of deploy/, 60 seconds.
        started.wait(timeout=90)


@contextmanager
def kept_up(command: list[str], environment: dict[str, str]) -> Iterator[None]:
    """Run a command, restarting it a second after a failure, as deploy/ does."""
    is_over = Event()

    def keep() -> None:
        while not is_over.is_set():
            started = subprocess.Popen(command, cwd=ROOT, env=environment)
            while not is_over.wait(1) and started.poll() is None:
                pass
            started.terminate()
            started.wait(timeout=20)

    keeper = Thread(target=keep)
    keeper.start()
    try:
        yield
    finally:
        is_over.set()
        keeper.join()


@contextmanager
def fresh_database(url: str, template: str = "template1") -> Iterator[str]:
    """A new database on the same server, copied from `template` and dropped at the end."""
    name = f"datafort_live_{secrets.token_hex(4)}"
    with psycopg.connect(url, dbname="postgres", autocommit=True) as server:
        create = sql.SQL("create database {} template {}")
        server.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def processor_seconds(pids: Iterable[int]) -> float:
    """Processor time used by these processes and their children, in seconds."""
    roots = [psutil.Process(pid) for pid in pids]
    family = [member for root in roots for member in (root, *root.children(recursive=True))]
    return sum(sum(member.cpu_times()[:2]) for member in family)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str, seconds: int = 60) -> None:
    """Wait until the address responds, for this many seconds at most."""
    for _ in range(10 * seconds):
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"Nothing answers at {address}.")
