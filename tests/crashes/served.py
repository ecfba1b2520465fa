"""A served site that can be killed and restarted, optionally with a worker."""

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
"""Seconds to wait for an event; a test prints the time it measured."""


@dataclass
class Process:
    """A program in its own process group, so that all of its processes die together."""

    command: list[str]
    environment: dict[str, str]
    running: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        self.running = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environment, start_new_session=True
        )

    def kill(self) -> None:
        """Send SIGKILL to the program and all its children."""
        try:
            os.killpg(self.running.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        finally:
            self.running.wait(timeout=PATIENCE)


@dataclass
class ServedSite:
    """A site with its own database; `death` is the file that names the moment it dies at."""

    address: str
    death: Path
    web: Process
    worker: Process | None

    @property
    def processes(self) -> list[Process]:
        return [self.web, *([self.worker] if self.worker else [])]

    def start(self) -> None:
        """Start all processes, and wait for the first response."""
        for process in self.processes:
            process.start()
        wait_for(self.address)

    def kill(self) -> None:
        for process in self.processes:
            process.kill()

    def send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> int | None:
        """The status of the response; None without a response."""
        return self.status_and_body(method, path, body, headers)[0]

    def status_and_body(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> tuple[int | None, Any]:
        """The status and the body of the response."""
        # The seeds of an imported event derive from the bytes of its file, so they are those of
        # `works`.
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
            # The connection broke in the middle of the response.
            return None, None


@contextmanager
def serve_site(folder: Path, database: str, *, with_worker: bool) -> Iterator[ServedSite]:
    """Start the site on this database; kill it at the end of the block."""
    port = str(free_port())
    (folder / "static").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.crashes.settings",
        "DATAFORT_VAR": str(folder),
        "DATAFORT_REDIS_PREFIX": f"crash-{port}",
        "DATAFORT_DEATH": str(folder / "death"),
        "DATABASE_URL": database_url(database),
        "REDIS_URL": os.environ["REDIS_URL"] if with_worker else "",
        "DATAFORT_LOG_LEVEL": "ERROR",
        # A single program makes the requests of a whole event here.
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
    site = ServedSite(
        f"http://127.0.0.1:{port}",
        folder / "death",
        Process(web, environment),
        Process(worker, environment) if with_worker else None,
    )
    with ExitStack() as stack:
        stack.callback(site.kill)
        site.start()
        yield site


def database_url(database: str) -> str:
    """The address of a copy, in the format of DATABASE_URL."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{database}"
    settings = connection.settings_dict
    login = f"{quote(settings['USER'])}:{quote(settings['PASSWORD'])}"
    return f"postgres://{login}@{settings['HOST']}:{settings['PORT']}/{database}"
