"""Servers of a single test: one that never responds, Redis, and PostgreSQL."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from tempfile import TemporaryDirectory
from threading import Event, Thread

import psycopg
import redis

from tests.live_site import free_port
from tests.waiting import wait_until


class HangingServer:
    """Accepts every connection and never responds; `taken` counts them."""

    def __init__(self, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self.taken = 0
        self.called = Event()
        self._open: list[socket.socket] = []
        self._thread = Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # Closed: the test is over.
            self.taken += 1
            self._open.append(connection)
            self.called.set()

    def close(self) -> None:
        """Free the port and close all connections."""
        # Only a shutdown wakes a thread in accept().
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for connection in self._open:
            connection.close()


@contextmanager
def hanging_server(port: int = 0) -> Iterator[HangingServer]:
    """A server that never responds during the block."""
    server = HangingServer(port)
    try:
        yield server
    finally:
        server.close()


class OwnRedis:
    """A Redis without persistence that can be stopped, suspended, filled and restarted."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start an empty Redis, always at the same port."""
        program = shutil.which("redis-server")
        assert program, "redis-server is not installed"
        options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = [program, "--port", str(self.port), "--dir", str(self._folder), *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(self._answers, f"Redis at port {self.port}")

    def kill(self) -> None:
        """Kill it, as in a loss of power."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def hang(self) -> None:
        """Suspend it: it accepts connections and never responds."""
        assert self._process is not None
        self._process.send_signal(SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(SIGCONT)

    def fill(self) -> None:
        """Refuse all commands that need memory, as with maxmemory and noeviction."""
        self.client().config_set("maxmemory-policy", "noeviction")
        self.client().config_set("maxmemory", "1")

    def make_room(self) -> None:
        self.client().config_set("maxmemory", "0")

    def client(self) -> "redis.Redis":
        return redis.Redis.from_url(self.url, socket_timeout=5)

    def shut_down(self) -> None:
        if self._process is not None:
            self.kill()

    def _answers(self) -> bool:
        try:
            return bool(self.client().ping())
        except redis.RedisError:
            return False


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    """A running Redis, stopped at the end of the block."""
    server = OwnRedis(folder)
    server.start()
    try:
        yield server
    finally:
        server.shut_down()


class OwnPostgresql:
    """A cluster with one empty database, from the programs that Debian installs."""

    def __init__(self, folder: Path, options: str = "") -> None:
        self._options = options
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/faults"
        self._data = folder / "cluster"

    def create(self) -> None:
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync")
        self.start()
        with psycopg.connect(self.url, dbname="postgres", autocommit=True) as server:
            server.execute("create database faults")

    def start(self) -> None:
        settings = f"-c listen_addresses=127.0.0.1 -c fsync=off {self._options}"
        options, log = f"-p {self.port} -k {self._data} {settings}", self._data / "log"
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        """Stop immediately; committed data survives the restart."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: object) -> None:
        folder = postgresql_binaries()
        assert folder, "PostgreSQL is not installed"
        command = [f"{folder}/{program}", *map(str, arguments)]
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            command = ["su", "postgres", "-s", "/bin/sh", "-c", " ".join(map(_quoted, command))]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


def _quoted(argument: str) -> str:
    return "'" + argument.replace("'", "'\\''") + "'"


def postgresql_binaries() -> str:
    """The folder of the newest installed PostgreSQL, or ""."""
    return max(glob("/usr/lib/postgresql/*/bin"), default="")


@contextmanager
def own_postgresql(options: str = "") -> Iterator[OwnPostgresql]:
    """A running PostgreSQL for this test, stopped at the end of the block."""
    # PostgreSQL runs as an account of its own, which cannot read pytest's folders.
    with TemporaryDirectory(prefix="datafort-postgresql-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        server = OwnPostgresql(Path(folder), options)
        server.create()
        try:
            yield server
        finally:
            server.stop()
