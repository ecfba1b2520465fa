"""docs/performance.md, written from figures alone."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tests.bench.figures import Figure, table

PATH = Path(__file__).parents[2] / "docs" / "performance.md"
LIBRARIES = ("django", "networkx", "numpy", "rustworkx", "scipy")

INTRODUCTION = """# Performance

This page is written by `make bench`; nobody types a figure. Each is a ratio of two things measured
in the same run on the same machine, because seconds alone say more about the machine. "Every pair"
and the names of libraries stand for one exact matching over the full graph; their time begins when
the graph is there, ours when the players are. P1 to P8 are the goals of the design for pairings
and standings, D1 the one for deck lists, which are counted in time of the processor, D2 the one for
the search of rulings, told on the database the run had. W1 to W9 are those for pages and the
site: W1 is asked of a running site by `wrk`; W3 and W5 are the best of runs within one process.

How it is done: up to 96 players one exact matching over every pair. Above, players of one kind
(points, byes, sides) are one node of a small integer program, which knows nothing of who has met.
No round can cost less than its answer. People are dealt to it and swapped within their kind until
nobody meets again; then the round is proven to be the cheapest. Whoever cannot be placed like that
becomes a node of their own, and the program is solved again. Without a proof every pair is looked
at. Standings are whole numbers over one common denominator until somebody reads a figure.
"""


SMALL_EVENTS = """## Small events

The cheapest round of today can make a rematch tomorrow unavoidable. Of events with results at
random, played to the end with as many rounds as can be: how many met a rematch or a second bye,
once by always taking the cheapest round, once as we do, which looks at the rounds left. Each line
is the share of {events} events.
"""


def write(figures: list[Figure], small_events: list[str], events: int) -> None:
    """The introduction, where and when it was measured, and both tables.

    `events` is how many stand behind each line of the second one.
    """
    parts = [
        INTRODUCTION,
        _measured_on(),
        table(figures),
        SMALL_EVENTS.format(events=events),
        "\n".join(small_events),
        _hall(),
    ]
    PATH.write_text("\n\n".join(part.strip() for part in parts) + "\n")


def _hall() -> str:
    """The section that `make hall` has written."""
    _, heading, text = PATH.read_text().partition("## The hall")
    return heading + text


def machine() -> str:
    """What everything was measured on, in words."""
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def _measured_on() -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    busy = os.getloadavg()[1] / (os.cpu_count() or 1)
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}, {libraries}. The machine was "
        f"{busy:.1f} times as busy as it has cores, our own work included."
    )


def _processor() -> str:
    """The name of the processor, or its kind where the system does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
