"""W8: start-up cost of commands, and the time from a new clone to the first page."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import time

from tests.live_site import ROOT, Site, free_port, running_site, wait_for
from tools.bench.figures import Figure

RUNS = 5
SET_UP = ("-c", "import django; django.setup()")
COMMANDS = (
    (("manage.py", "--help"), 1.3),
    (("manage.py", "check_deck", "-", "--game", "onr", "--json"), 3),
)
"""Commands with the maximum processor time of each, as a multiple of `django.setup()`."""
DECK = "Runner\n45x Wyrm\n"


def figures() -> Iterator[Figure]:
    """Processor time of commands; wall-clock time of a new clone."""
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        set_up = min(_processor_seconds(SET_UP, site) for _ in range(RUNS))
        for command, maximum in COMMANDS:
            used = min(_processor_seconds(command, site) for _ in range(RUNS))
            yield Figure(
                "W8",
                f"{' '.join(command[:2])} against django.setup() alone, best of {RUNS}",
                f"{used / set_up:.2f} times ({used:.2f} s and {set_up:.2f} s of processor)",
                f"<= {maximum} times",
                used <= maximum * set_up,
            )
    with tempfile.TemporaryDirectory() as folder:
        installed, answered = _from_a_clone(Path(folder) / "clone")
    yield Figure(
        "W8",
        "make run in a fresh clone: set-up to the first page, against installing its packages",
        f"{answered / installed:.2f} times ({answered:.0f} s and {installed:.0f} s)",
        "no longer",
        answered <= installed,
    )


def _processor_seconds(command: Sequence[str], site: Site) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=site.environment,
        input=DECK,
        text=True,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def _from_a_clone(folder: Path) -> tuple[float, float]:
    """Seconds until `make run` of the committed code has its packages, and then its first page."""
    git, make = str(shutil.which("git")), str(shutil.which("make"))
    subprocess.run([git, "clone", "--quiet", str(ROOT), str(folder)], check=True)
    own_prefixes = ("DATAFORT_", "DJANGO_", "DATABASE_", "REDIS_", "MAKE", "MFLAGS")
    inherited = {
        name: text for name, text in os.environ.items() if not name.startswith(own_prefixes)
    }
    port = free_port()
    began = time()
    started = subprocess.Popen(
        [make, "run", f"PORT={port}"],
        cwd=folder,
        env=inherited,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/", 600)
        answered, installed = time(), (folder / ".venv" / ".installed").stat().st_mtime
        return installed - began, answered - installed
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(timeout=20)
