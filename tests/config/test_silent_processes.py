"""Rehearsals with the shipped units: a dead process, a slow dump, a full disk for backups.

Real PostgreSQL, Redis, Celery, nginx and web server; each process can be killed and restarted.
"""

import json
import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from client import Client
from run_event import play_round, set_up

from tests.api.live.visitor import with_token
from tests.behind_nginx import behind_nginx
from tests.live_site import ROOT, fresh_database, wait_for
from tests.rehearsed_site import MISSING, Place, of_systemd
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
    pytest.mark.skipif(bool(MISSING), reason=f"The rehearsal needs {', '.join(MISSING)}."),
]

# Seconds. A process counts as silent after 30.
PATIENCE = 60.0
# Seconds within which a round must be drafted while other work is stuck.
PROMPT = 10.0
PROCESSES = ("web", "beat", "worker", "worker-slow")
# A dump that lasts for as long as the file `hold` exists.
PG_DUMP = """#!/bin/sh
echo started >> {folder}/dumps
while [ -e {folder}/hold ]; do sleep 0.1; done
exec {pg_dump} "$@"
"""


class Units:
    """The processes of deploy/systemd, each killed or started by name."""

    def __init__(self, place: Place, path: str) -> None:
        self.place = place
        self._path = path
        self._commands = of_systemd()
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def set_up(self) -> None:
        command, environment = self._command("set_up")
        subprocess.run(command, cwd=ROOT, env=environment, check=True)

    def start(self, *names: str) -> None:
        for name in names:
            command, environment = self._command(name)
            self._running[name] = subprocess.Popen(command, cwd=ROOT, env=environment)

    def kill(self, name: str) -> None:
        """Kill the process and its children, which a killed parent leaves behind."""
        pid = self._running[name].pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for process in (str(pid), *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        self._running.pop(name).wait()

    def stop_all(self) -> None:
        for running in self._running.values():
            running.terminate()
        for running in self._running.values():
            running.wait(timeout=60)

    def part(self, name: str) -> dict[str, str]:
        """Return a part of /readyz with its detail."""
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.place.web}/readyz", timeout=10
        ) as answer:
            details: dict[str, str] = json.load(answer)["parts"][name]
        return details

    def _command(self, name: str) -> tuple[list[str], dict[str, str]]:
        command = self._commands[name]
        environment = self.place.environment_of(command)
        environment["DATAFORT_BACKUP_MINUTES"] = "1"
        environment["PATH"] = f"{self._path}:{environment['PATH']}"
        return [self.place.here(argument) for argument in command.words], environment


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Units]:
    """All units of a new site, running."""
    folder = tmp_path_factory.mktemp("units")
    dump = folder / "bin" / "pg_dump"
    dump.parent.mkdir()
    dump.write_text(PG_DUMP.format(folder=folder, pg_dump=shutil.which("pg_dump")))
    dump.chmod(0o755)
    with fresh_database(os.environ["DATABASE_URL"]) as database:
        units = Units(Place.on_free_ports(folder, database), str(folder / "bin"))
        try:
            units.set_up()
            units.start(*PROCESSES)
            wait_for(f"http://127.0.0.1:{units.place.web}/livez")
            with behind_nginx(folder, units.place.public, web=units.place.web):
                wait_until(lambda: is_green(units), "signs of life of all processes", PATIENCE)
                yield units
        finally:
            units.stop_all()


@pytest.fixture(scope="module")
def api(units: Units) -> Client:
    return Client(units.place.address, with_token(units.place.address, "organiser")[1])


def is_green(units: Units) -> bool:
    return units.part("workers")["status"] == "green"


def is_missing(units: Units, process: str) -> bool:
    workers = units.part("workers")
    return workers["status"] == "yellow" and process in workers.get("detail", "")


def event_of_four(api: Client) -> str:
    """Create an event with four checked-in players and return its slug."""
    slug: str = set_up(api, ["Ada", "Bo", "Cy", "Di"])["slug"]
    return slug


def draft_is_done(api: Client, slug: str) -> Callable[[], bool]:
    """Request the next round; return a check for the end of its job."""
    job = api.post(f"events/{slug}/rounds/")["job"]["id"]
    return lambda: bool(api.get(f"events/{slug}/jobs/{job}/")["state"] == "done")


def backups_in(units: Units) -> set[Path]:
    return set((units.place.folder / "backups").glob("*.pgdump.gz"))


def test_dead_beat_is_named_and_pairing_continues(units: Units, api: Client, figure):
    slug = event_of_four(api)
    units.kill("beat")

    seconds = wait_until(lambda: is_missing(units, "beat"), "beat is missed", PATIENCE)
    drafted = wait_until(draft_is_done(api, slug), "a draft without beat", PROMPT)

    units.start("beat")
    recovery_time = wait_until(lambda: is_green(units), "beat is back", PATIENCE)
    figure(
        f"beat killed: named after {seconds:.0f} s, a draft meanwhile took {drafted:.1f} s, green "
        f"{recovery_time:.0f} s after its start"
    )


def test_dead_worker_is_named_and_the_next_worker_makes_its_draft_once(
    units: Units, api: Client, figure
):
    slug = event_of_four(api)
    units.kill("worker")
    is_done = draft_is_done(api, slug)

    seconds = wait_until(
        lambda: is_missing(units, "worker of the default queue"), "the worker is missed", PATIENCE
    )
    assert not is_done()
    assert "1 default" in units.part("jobs")["detail"]

    units.start("worker")
    drafted = wait_until(is_done, "the draft of the next worker", PATIENCE)
    wait_until(lambda: is_green(units), "the worker is back", PATIENCE)
    assert len(api.get(f"events/{slug}/rounds/1/draft/")["tables"]) == 2
    figure(
        f"worker killed: named after {seconds:.0f} s, the waiting draft done {drafted:.1f} s after "
        "the start of the next"
    )


def test_dead_slow_worker_delays_backups_only(units: Units, api: Client, figure):
    slug = event_of_four(api)
    units.kill("worker-slow")
    before = backups_in(units)

    play_round(api, slug)
    drafted = wait_until(draft_is_done(api, slug), "a draft without the slow worker", PROMPT)
    assert backups_in(units) == before
    wait_until(
        lambda: is_missing(units, "worker of the slow queue"), "the worker is missed", PATIENCE
    )

    units.start("worker-slow")
    wait_until(lambda: bool(backups_in(units) - before), "the backup of the round", 3 * PATIENCE)
    figure(f"slow worker killed: a draft took {drafted:.1f} s, the backup was made by the next")


def test_slow_dump_delays_no_draft_and_never_runs_twice(units: Units, api: Client, figure):
    folder = units.place.folder
    first, second, *other_events = (event_of_four(api) for _ in range(5))
    wait_until(lambda: bool(backups_in(units)), "the first backup of the site", 2 * PATIENCE)
    (folder / "dumps").unlink()
    (folder / "hold").touch()

    play_round(api, first)
    wait_until((folder / "dumps").exists, "the dump begins", 3 * PATIENCE)
    play_round(api, second)
    seconds = [
        wait_until(draft_is_done(api, slug), "a draft beside the dump", PROMPT)
        for slug in other_events
    ]
    assert (folder / "dumps").read_text().splitlines() == ["started"]

    before = backups_in(units)
    (folder / "hold").unlink()
    wait_until(lambda: bool(backups_in(units) - before), "the end of the dump", PATIENCE)
    figure(f"dump without end: drafts beside it took {max(seconds):.1f} s at most, one dump ran")
