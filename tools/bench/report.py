"""Write docs/dev/performance.md from figures alone."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tools.bench.figures import Figure, goal_lists

PATH = Path(__file__).parents[2] / "docs" / "dev" / "performance.md"
LIBRARIES = ("django", "networkx", "numpy", "rustworkx", "scipy")

INTRODUCTION = """# Performance

`make bench` writes this page, and `make hall WRITE=1` its section on the hall. A figure is a ratio
of two measurements of one run on one machine, because seconds alone say more about the machine than
about the code. [Decisions](decisions.md) explain the missed goals: 50 (W1), 51 (W4r), 52 (goals
in seconds), 56 (W10) and 59 (W5).

- P: pairing and standings, compared with one exact matching over every pair of players (networkx,
  rustworkx), whose graph is built beforehand
- D: decklists and the search of rulings
- W: pages and the site; W1 sends requests to a running site with `wrk`

Up to 96 players, a round is one exact matching over every pair. With more players, those with equal
points, byes and sides become one node of a small integer program. The program ignores earlier
meetings, so no round can cost less than its solution. Players are assigned to the nodes and swapped
within them until no opponents meet again, which proves that the round is the cheapest. A player who
cannot be placed becomes a node, and the program is solved again. If this gives no proof, every pair
is examined.
"""


def write(figures: list[Figure]) -> None:
    """Write the introduction, the machine and date, the figures, and the load test."""
    parts = [INTRODUCTION, _measured_on(), goal_lists(figures), _load_section()]
    PATH.write_text("\n\n".join(part.strip() for part in parts) + "\n")


def _load_section() -> str:
    """The section written by `make hall`."""
    _, heading, text = PATH.read_text().partition("## The hall")
    return heading + text


def machine() -> str:
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def _measured_on() -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    busy = os.getloadavg()[1] / (os.cpu_count() or 1)
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}, {libraries}. The load average was "
        f"{busy:.1f} for each core, including this benchmark."
    )


def _processor() -> str:
    """The name of the processor, or its architecture if the system does not name it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
