"""Put the load of an evening on a site and print the figures: `make hall PHONES=500 MINUTES=10`.

On SQLite, and where TEST_DATABASE_URL and TEST_REDIS_URL answer also on PostgreSQL and Redis. With
--nginx everybody asks the nginx of deploy/, whose processor time is not counted.
With --write the figures go into docs/dev/performance.md. Ends with 1 when a goal is missed.
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
"""The part of the evening when all forms are open and nothing changes: tools.load.locustfile."""


def main() -> int:
    """One table for each rush on each database."""
    asked = _arguments()
    kinds = _kinds(asked.on)
    evenings = [evening(kind, rush, asked) for rush in asked.rush for kind in kinds]
    if asked.write:
        report.write(evenings)
    missed = [
        f"{evening.title}: {goal}" for evening in evenings for goal in report.goals_missed(evening)
    ]
    print(*missed, sep="\n")
    return int(bool(missed))


def evening(kind: str, rush: float, asked: Namespace) -> Evening:
    """Start a site, put the load on it, and measure."""
    for name, url in (("DATABASE_URL", scaled.DATABASE_URL), ("REDIS_URL", scaled.REDIS_URL)):
        if kind == SCALED:
            os.environ[name] = url
        else:
            os.environ.pop(name, None)
    with (
        tempfile.TemporaryDirectory() as folder,
        # As docs/operations.md starts it: one process on SQLite, two on a server.
        running_site(
            Path(folder),
            workers=2 if kind == SCALED else 1,
            DATAFORT_LOG_LEVEL="ERROR",
            DATAFORT_PROXIES="1" if asked.nginx else "0",
        ) as site,
        _front(site, Path(folder), nginx=asked.nginx) as address,
    ):
        scene = make_scene(site, asked.phones)
        seconds = asked.minutes * 60
        whole = Stretch(site)
        with _locust(Path(folder), address, scene, rush, asked) as locust:
            sleep(QUIET_FROM * seconds)
            quiet = Stretch(site)
            sleep((QUIET_UNTIL - QUIET_FROM) * seconds)
            quiet_core = quiet.core()
            if locust.wait():
                raise RuntimeError("Locust gave up; what it said stands above.")
        lasted, core = whole.seconds(), whole.core()
        answers = json.loads((Path(folder) / ANSWERS).read_text())
    kind = f"{kind} behind nginx" if asked.nginx else kind
    done = Evening(kind, asked.phones, lasted, rush, core, quiet_core, **answers)
    print(*report.table([done]), "", sep="\n", flush=True)
    return done


def make_scene(site: Site, players: int) -> dict[str, Any]:
    """An event with these players and everybody's sessions, made inside the site."""
    command = [sys.executable, "-m", "tools.load.scene", str(players)]
    made = subprocess.run(
        command, cwd=ROOT, env=site.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return dict(json.loads(made.stdout.splitlines()[-1]))


@contextmanager
def _front(site: Site, folder: Path, *, nginx: bool) -> Iterator[str]:
    """The address that everybody asks."""
    if not nginx:
        yield site.address
        return
    port = site.address.rpartition(":")[2]
    with behind_nginx(folder, str(free_port()), web=port) as address:
        yield address


class Stretch:
    """A time of the evening, from when this is made."""

    def __init__(self, site: Site) -> None:
        self._site, self._began, self._used = site, monotonic(), processor_seconds(site.pids)

    def seconds(self) -> float:
        """How long it has lasted."""
        return monotonic() - self._began

    def core(self) -> float:
        """The share of a core that the processes of the site have had."""
        return (processor_seconds(self._site.pids) - self._used) / self.seconds()


@contextmanager
def _locust(
    folder: Path, address: str, scene: dict[str, Any], rush: float, asked: Namespace
) -> Iterator[subprocess.Popen[bytes]]:
    """Locust at work, and at an end with the block."""
    scene_file = folder / "scene.json"
    scene_file.write_text(json.dumps(scene))
    seconds = round(asked.minutes * 60)
    # Phones and reporters, the wall, the organiser, one desk.
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
        # nginx passes on the name of the site without its port.
        "LOAD_ORIGIN": address.rpartition(":")[0] if asked.nginx else address,
        "LOAD_SECONDS": str(seconds),
        "LOAD_RUSH": str(rush),
    }
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def _kinds(asked: str) -> list[str]:
    kinds = {"sqlite": ["SQLite"], "scaled": [SCALED]}
    if asked in kinds:
        return kinds[asked]
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
    asked = parser.parse_args()
    if asked.nginx and NGINX is None:
        parser.error("nginx is not installed.")
    if asked.nginx and asked.write:
        parser.error("The page shows evenings without nginx: --nginx or --write.")
    return asked


if __name__ == "__main__":
    sys.exit(main())
