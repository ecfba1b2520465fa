"""An upgrade as in docs/admin/upgrades.md, while requests arrive every few milliseconds."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.api.live.visitor import with_token
from tests.behind_nginx import behind_nginx
from tests.live_site import (
    BIN,
    ROOT,
    free_port,
    fresh_database,
    kept_database,
    kept_site,
    wait_for,
)
from tests.rehearsed_site import DEPLOY, MISSING, Place, Started, of_compose, of_systemd
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.goal("G14"),
    pytest.mark.skipif(bool(MISSING), reason=f"The rehearsal needs {', '.join(MISSING)}."),
]
CODE = re.findall(r"^COPY (?!--)(\S+) /opt", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
OLD, NEW = "1.0", "1.1"
PAUSE = 0.005  # seconds between two requests of a thread
IN_A_ROW = 50
LIMITS = dict.fromkeys(
    ("DATAFORT_LIMIT_TOKEN", "DATAFORT_LIMIT_TOKEN_WRITES", "DATAFORT_LIMIT_PERSON"), "1000000"
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Both releases in folders, a link `site` to the old release, and a site that is set up."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    stored, url = kept_site(environment), os.environ["DATABASE_URL"]
    template = kept_database(url, {**environment, "DATAFORT_VAR": str(stored)})
    shutil.copytree(stored, tmp_path, dirs_exist_ok=True)
    for version in (OLD, NEW):
        make_release(tmp_path / version, version)
    switch(tmp_path / "site", tmp_path / OLD)
    with fresh_database(url, template) as database:
        yield Place.on_free_ports(tmp_path, database, code=tmp_path / "site")


def make_release(folder: Path, version: str) -> None:
    """Copy the code of this tree with another version."""
    for name in CODE:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target.parent if name.endswith(".yaml") else target)
    (folder / "core" / "version.py").write_text(f'"""The version."""\n\nVERSION = "{version}"\n')
    (folder / ".venv").symlink_to(BIN.parent)


def switch(link: Path, release: Path) -> None:
    """Point the link to this release, as `ln -sfn` does."""
    link.unlink(missing_ok=True)
    link.symlink_to(release)


@contextmanager
def run_command(place: Place, command: Started, cwd: Path, port: str) -> Iterator[int]:
    """Start a command of deploy in the folder of a release; return its process id."""
    arguments = [place.here(argument) for argument in command.words]
    arguments = [port if argument == place.web else argument for argument in arguments]
    environment = place.environment_of(command) | LIMITS
    server = subprocess.Popen(arguments, cwd=cwd, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{port}/livez")
        yield server.pid
    finally:
        server.terminate()
        server.wait(timeout=30)


@dataclass
class Requests:
    """The responses to visitors and staff."""

    answered: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)

    def is_new(self) -> bool:
        """Return whether the last answers all came from the new release."""
        return len(self.versions) > IN_A_ROW and set(self.versions[-IN_A_ROW:]) == {NEW}


@contextmanager
def requests_arriving(address: str) -> Iterator[Requests]:
    """Request a page, the version and a write of staff repeatedly until the block ends."""
    _, token = with_token(address, "organiser")
    headers = {"Content-Type": "application/json", "Authorization": f"Token {token}"}
    event = {"name": "Evening", "starts_on": "2026-05-02", "game": "onr"}
    slug = json.loads(fetch(f"{address}/api/v1/events/", event, headers))["slug"]
    requests, is_over = Requests(), Event()
    numbers = iter(range(1_000_000))

    def read_page() -> None:
        fetch(f"{address}/events/{slug}/?n={next(numbers)}")

    def read_version() -> None:
        requests.versions.append(json.loads(fetch(f"{address}/readyz"))["version"])

    def write() -> None:
        body = {"players": [{"name": f"Player {next(numbers)}"}]}
        fetch(f"{address}/api/v1/events/{slug}/registrations/", body, headers)

    def repeat(act: Callable[[], None]) -> None:
        while not is_over.wait(PAUSE):
            try:
                act()
            except (OSError, HTTPException, ValueError) as error:
                requests.failures.append(f"{act.__name__}: {error!r}")
            else:
                requests.answered[act.__name__] += 1

    threads = [Thread(target=repeat, args=(act,)) for act in (read_page, read_version, write)]
    for thread in threads:
        thread.start()
    try:
        yield requests
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def fetch(address: str, body: object = None, headers: dict[str, str] | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, headers or {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def children_of(parent: int) -> set[str]:
    return set(Path(f"/proc/{parent}/task/{parent}/children").read_text().split())


def test_reload_of_the_unit_switches_to_the_new_release_without_a_failed_request(
    place: Place, figure: Callable[[str], None]
):
    commands = of_systemd()
    unit = (DEPLOY / "systemd" / "datafort-web.service").read_text()
    reload = [line.split() for line in re.findall(r"^ExecReload=(.*)$", unit, re.MULTILINE)]
    ports = {"web": place.web, "live": place.live, "spare": str(free_port())}
    with (
        run_command(place, commands["web"], place.code, place.web) as server,
        behind_nginx(place.folder, place.public, **ports) as address,
        requests_arriving(address) as requests,
    ):
        old = children_of(server)
        switch(place.code, place.folder / NEW)
        for command_ in reload:
            if command_[-1] == "$MAINPID":
                os.kill(server, getattr(signal, f"SIG{command_[1].removeprefix('-')}"))
            else:
                set_up(place, replace(commands["set_up"], words=command_))
        wait_until(lambda: requests.is_new() and not old & children_of(server), "1.1", 180)

    assert requests.failures == []
    assert requests.versions[0] == OLD
    figure(f"reload of datafort-web: {requests.answered.total():,} requests, 0 failed")


def test_spare_container_serves_while_the_main_container_is_replaced(
    place: Place, figure: Callable[[str], None]
):
    commands = of_compose()
    web, spare = commands["web"], str(free_port())
    switch(place.folder / "image", place.folder / OLD)
    ports = {"web": place.web, "live": place.live, "spare": spare}
    old_release, new_release = place.folder / OLD, place.folder / NEW
    with (
        run_command(place, web, old_release, place.web) as old,
        behind_nginx(place.folder, place.public, **ports) as address,
        requests_arriving(address) as requests,
        run_command(place, web, new_release, spare),
    ):
        os.kill(old, signal.SIGTERM)
        wait_until(requests.is_new, "1.1 from the spare container", 180)
        with run_command(place, web, new_release, place.web):
            time.sleep(1)
            # nginx tries the first port first, so the spare container is stopped again.
            break_at = len(requests.versions) + IN_A_ROW
            wait_until(lambda: len(requests.versions) > break_at, "answers of 1.1", 60)
            # The servers of the test stop before its requests do.
            failures = list(requests.failures)

    assert failures == []
    figure(f"replaced container: {requests.answered.total():,} requests, 0 failed")


def set_up(place: Place, command: Started) -> None:
    arguments = [place.here(argument) for argument in command.words]
    environment = place.environment_of(command) | LIMITS
    subprocess.run(arguments, cwd=place.code, env=environment, check=True)


def test_nginx_shows_a_refreshing_page_while_the_site_is_down(tmp_path: Path):
    ports = {"web": str(free_port()), "live": str(free_port()), "spare": str(free_port())}
    with behind_nginx(tmp_path, str(free_port()), **ports) as address:
        statuses = {}
        for method in ("GET", "POST"):
            request = urllib.request.Request(f"{address}/events/", method=method)
            with pytest.raises(urllib.error.HTTPError) as response_error:
                urllib.request.urlopen(request, timeout=30)
            statuses[method] = (response_error.value.code, response_error.value.headers["Refresh"])
            assert "The site is restarting" in response_error.value.read().decode()

    assert statuses == {"GET": (502, "5"), "POST": (502, None)}
