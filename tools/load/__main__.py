"""Put the load of an event on a site and print the figures: `make hall PHONES=500 MINUTES=10`.

Runs on SQLite, and on PostgreSQL and Redis if TEST_DATABASE_URL and TEST_REDIS_URL respond. With
--nginx, all requests go through the nginx of deploy/, whose processor time is not counted. With
--write, the figures go into docs/dev/performance.md. Returns 1 if a goal is missed.
"""

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.behind_nginx import NGINX, behind_nginx
from tests.live_site import BIN, ROOT, Site, free_port, processor_seconds, running_site
from tools import scaled
from tools.load import report
from tools.load.report import Evening

SCALED = "PostgreSQL and Redis"
ANSWERS = "answers.json"
QUIET_FROM, QUIET_UNTIL = 0.265, 0.295
"""The part of the event in which all forms are open and nothing changes: tools.load.locustfile."""


def main() -> int:
    """One table for each rush on each database."""
    options = _arguments()
    kinds = _kinds(options.on)
    evenings = [evening(kind, rush, options) for rush in options.rush for kind in kinds]
    if options.write:
        report.write(evenings)
    missed = [
        f"{evening.title}: {goal}" for evening in evenings for goal in report.goals_missed(evening)
    ]
    print(*missed, sep="\n")
    return int(bool(missed))


def evening(kind: str, rush: float, options: Namespace) -> Evening:
    """Start a site, put the load on it, and measure."""
    for name, url in (("DATABASE_URL", scaled.DATABASE_URL), ("REDIS_URL", scaled.REDIS_URL)):
        if kind == SCALED:
            os.environ[name] = url
        else:
            os.environ.pop(name, None)
    with (
        tempfile.TemporaryDirectory() as folder,
        # Processes as in docs/admin/systemd.md: one on SQLite, two on a server.
        running_site(
            Path(folder),
            workers=2 if kind == SCALED else 1,
            DATAFORT_LOG_LEVEL="ERROR",
            DATAFORT_PROXIES="1" if options.nginx else "0",
        ) as site,
        _front(site, Path(folder), nginx=options.nginx) as address,
    ):
        scene = make_scene(site, options.phones)
        seconds = options.minutes * 60
        whole_run = Period(site)
        with _locust(Path(folder), address, scene, rush, options) as locust:
            sleep(QUIET_FROM * seconds)
            quiet = Period(site)
            sleep((QUIET_UNTIL - QUIET_FROM) * seconds)
            quiet_core = quiet.core()
            if locust.wait():
                raise RuntimeError("Locust gave up; what it said stands above.")
        lasted, core = whole_run.seconds(), whole_run.core()
        answers = json.loads((Path(folder) / ANSWERS).read_text())
    kind = f"{kind} behind nginx" if options.nginx else kind
    result = Evening(kind, options.phones, lasted, rush, core, quiet_core, **answers)
    print(*report.table([result]), "", sep="\n", flush=True)
    return result


def make_scene(site: Site, players: int) -> dict[str, Any]:
    """An event with these players and sessions for everybody, created inside the site."""
    command = [sys.executable, "-m", "tools.load.scene", str(players)]
    process_ = subprocess.run(
        command, cwd=ROOT, env=site.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return dict(json.loads(process_.stdout.splitlines()[-1]))


@contextmanager
def _front(site: Site, folder: Path, *, nginx: bool) -> Iterator[str]:
    """The address that receives all requests."""
    if not nginx:
        yield site.address
        return
    port = site.address.rpartition(":")[2]
    with behind_nginx(folder, str(free_port()), web=port) as address:
        yield address


class Period:
    """A period of the event, starting now."""

    def __init__(self, site: Site) -> None:
        self._site, self._began, self._used = site, monotonic(), processor_seconds(site.pids)

    def seconds(self) -> float:
        """Its duration so far."""
        return monotonic() - self._began

    def core(self) -> float:
        """The share of a core used by the processes of the site."""
        return (processor_seconds(self._site.pids) - self._used) / self.seconds()


@contextmanager
def _locust(
    folder: Path, address: str, scene: dict[str, Any], rush: float, options: Namespace
) -> Iterator[subprocess.Popen[bytes]]:
    """Run Locust during the block."""
    scene_file = folder / "scene.json"
    scene_file.write_text(json.dumps(scene))
    seconds = round(options.minutes * 60)
    # Phones and reporters, the projector, the organiser, one desk.
    people = 2 * len(scene["players"]) + 3
    command = [
        *(str(BIN / "locust"), "--locustfile", str(Path(__file__).with_name("locustfile.py"))),
        *("--headless", "--skip-log", "--loglevel", "WARNING", "--host", address),
        *("--users", str(people), "--spawn-rate", str(people), "--run-time", f"{seconds}s"),
        *("--exit-code-on-error", "0", "--stop-timeout", "10"),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "LOAD_SCENE": str(scene_file),
        "LOAD_ANSWERS": str(folder / ANSWERS),
        # nginx forwards the host name without its port.
        "LOAD_ORIGIN": address.rpartition(":")[0] if options.nginx else address,
        "LOAD_SECONDS": str(seconds),
        "LOAD_RUSH": str(rush),
    }
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def _kinds(databases: str) -> list[str]:
    kinds = {"sqlite": ["SQLite"], "scaled": [SCALED]}
    if databases in kinds:
        return kinds[databases]
    if reasons := scaled.missing():
        print("Measured on SQLite alone.", *reasons, sep="\n")
        return kinds["sqlite"]
    return kinds["sqlite"] + kinds["scaled"]


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument(
        "--rush", type=float, nargs="+", default=[60.0], help="seconds for half of the reports"
    )
    parser.add_argument("--on", choices=("both", "sqlite", "scaled"), default="both")
    parser.add_argument("--nginx", action="store_true", help="behind the nginx of deploy/")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.nginx and NGINX is None:
        parser.error("nginx is not installed.")
    if options.nginx and options.write:
        parser.error("The page shows evenings without nginx: --nginx or --write.")
    return options


if __name__ == "__main__":
    sys.exit(main())
