"""A served site that is killed and started again, with a worker where there is one."""

import http.client
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

from tests.factories import files
from tests.live_site import BIN, ROOT, free_port, wait_for

PATIENCE = 60
"""Seconds until something that must happen is given up; what is measured is printed beside."""


@dataclass
class Process:
    """A program in a group of its own, so that all of it dies at once."""

    command: list[str]
    environment: dict[str, str]
    running: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        self.running = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environment, start_new_session=True
        )

    def kill(self) -> None:
        """SIGKILL to the program and all it has started."""
        try:
            os.killpg(self.running.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        finally:
            self.running.wait(timeout=PATIENCE)


@dataclass
class Served:
    """A site on a database of its own. `death` is the file that names the moment it dies at."""

    address: str
    death: Path
    web: Process
    worker: Process | None

    @property
    def processes(self) -> list[Process]:
        return [self.web, *([self.worker] if self.worker else [])]

    def start(self) -> None:
        """Start whatever runs, and wait for the first answer."""
        for process in self.processes:
            process.start()
        wait_for(self.address)

    def kill(self) -> None:
        """Kill everything at once."""
        for process in self.processes:
            process.kill()

    def ask(self, method: str, path: str, body: Any, headers: dict[str, str]) -> int | None:
        """The status of the answer; None where there is none."""
        return self.status_and_body(method, path, body, headers)[0]

    def status_and_body(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> tuple[int | None, Any]:
        """The status and the content of the answer."""
        # The seeds of an imported event come from the bytes of its file: the same as in `works`.
        content = None if body is None else files.as_bytes(body)
        request = urllib.request.Request(
            self.address + path,
            content,
            {"Content-Type": "application/json", **headers},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)
        except OSError:
            return None, None
        except (http.client.HTTPException, ValueError):
            # It broke off in the middle of the answer.
            return None, None


@contextmanager
def served(folder: Path, database: str, *, with_worker: bool) -> Iterator[Served]:
    """The site on this database, started; killed at the end."""
    port = str(free_port())
    (folder / "static").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.crashes.settings",
        "DATAFORT_VAR": str(folder),
        "DATAFORT_REDIS_PREFIX": f"crash-{port}",
        "DATAFORT_DEATH": str(folder / "death"),
        "DATABASE_URL": address_of(database),
        "REDIS_URL": os.environ["REDIS_URL"] if with_worker else "",
        "DATAFORT_LOG_LEVEL": "ERROR",
        # One program asks for a whole event here.
        "DATAFORT_LIMIT_TOKEN": "1000000",
        "DATAFORT_LIMIT_TOKEN_WRITES": "1000000",
        "DATAFORT_LIMIT_WRITES_AT_ONCE": "1000",
        "DATAFORT_LIMIT_PERSON": "1000000",
    }
    web = [sys.executable, "manage.py", "serve", "--port", port]
    worker = [
        *(str(BIN / "celery"), "-A", "config", "worker", "--pool", "threads", "--concurrency", "2"),
        *("--beat", "--schedule", str(folder / "beat"), "--loglevel", "ERROR"),
    ]
    site = Served(
        f"http://127.0.0.1:{port}",
        folder / "death",
        Process(web, environment),
        Process(worker, environment) if with_worker else None,
    )
    with ExitStack() as stack:
        stack.callback(site.kill)
        site.start()
        yield site


def address_of(database: str) -> str:
    """The address of a copy, as DATABASE_URL takes it."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{database}"
    at = connection.settings_dict
    login = f"{quote(at['USER'])}:{quote(at['PASSWORD'])}"
    return f"postgres://{login}@{at['HOST']}:{at['PORT']}/{database}"
