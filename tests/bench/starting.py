"""W8: what commands cost before they do anything, and how soon a site answers."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from tests.bench.figures import Figure
from tests.live_site import ROOT, Site, another_server, running_site

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
