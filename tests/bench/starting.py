"""W8: what commands cost before they do anything, and how soon a site answers."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from tests.bench.figures import Figure
from tests.live_site import ROOT, Site, another_server, free_port, running_site, wait_for

RUNS = 5
ROUND_1 = (
    '{"datafort": 1, "system": "double", "seed": 7, "planned_rounds": 3, "rounds": [],'
    ' "players": [{"id": 1}, {"id": 2}]}'
)
COMMANDS = (
    ("engine", "pair"),
    ("check_deck", "-", "--game", "onr", "--json"),
    ("--help",),
)
INPUTS = {"engine": ROUND_1, "check_deck": "Runner\n45x Wyrm\n"}


def figures() -> Iterator[Figure]:
    """Seconds of processor for commands (best of some runs), of the clock for a site."""
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        for command in COMMANDS:
            used = min(_processor_seconds(command, site) for _ in range(RUNS))
            yield Figure(
                "W8",
                f"manage.py {' '.join(command[:2])}, best of {RUNS}",
                f"{used:.2f} s of processor",
                "<= 0.7 s",
                used <= 0.7,
            )
        taken = min(_until_it_answers(site) for _ in range(3))
    yield Figure(
        "W8",
        "a site that has been set up, to its first page",
        f"{taken:.1f} s",
        "<= 4 s",
        taken <= 4,
    )
    with tempfile.TemporaryDirectory() as folder:
        taken = _from_a_clone(Path(folder) / "clone")
    yield Figure(
        "W8",
        "make run of a fresh clone, packages and all, to its first page",
        f"{taken:.0f} s",
        "<= 60 s",
        taken <= 60,
    )


def _processor_seconds(command: Sequence[str], site: Site) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=site.environment,
        input=INPUTS.get(command[0], ""),
        text=True,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def _until_it_answers(site: Site) -> float:
    began = perf_counter()
    with another_server(site):
        return perf_counter() - began


def _from_a_clone(folder: Path) -> float:
    """Seconds until what is committed here answers, set up as where there is Python alone."""
    git, make = str(shutil.which("git")), str(shutil.which("make"))
    subprocess.run([git, "clone", "--quiet", str(ROOT), str(folder)], check=True)
    ours = ("DATAFORT_", "DJANGO_", "DATABASE_", "REDIS_", "MAKE", "MFLAGS")
    outside = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    port = free_port()
    began = perf_counter()
    started = subprocess.Popen(
        [make, "run", f"PORT={port}"],
        cwd=folder,
        env=outside,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/", 600)
        return perf_counter() - began
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(timeout=20)
