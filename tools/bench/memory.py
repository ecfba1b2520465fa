"""P6: how much memory a matching takes, each in a process of its own."""

import pickle
import resource
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.pairing.costs import CostLevel, Matching, cheapest_matching
from engine.pairing.large_fields import planned_matching
from engine.pairing.records import Entrant
from tools.bench.figures import Figure
from tools.bench.instances import DS, field_after

Matcher = Callable[[Sequence[Entrant], Sequence[CostLevel]], Matching | None]

MATCHERS: dict[str, Matcher] = {"planned": planned_matching, "every pair": cheapest_matching}


def figures() -> list[Figure]:
    """Our 4096 players against every pair of 1024."""
    ours, theirs = _megabytes("planned", 4096), _megabytes("every pair", 1024)
    return [
        Figure(
            "P6",
            f"extra memory with 4096 players, {DS.words}, against every pair of 1024",
            f"{ours / theirs:.3f} of it ({ours:.1f} MB, {theirs:.1f} MB)",
            "<= 0.25",
            ours / theirs <= 0.25,
        )
    ]


def _megabytes(matcher: str, players: int) -> float:
    # The field is made here, so that its making does not count there.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field"
        path.write_bytes(pickle.dumps(field_after(DS, players, rounds=5, seed=9)))
        command = [sys.executable, "-m", "tools.bench.memory", matcher, str(path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def _measure(matcher: str, path: str) -> None:
    field = pickle.loads(Path(path).read_bytes())
    levels = DS.profile.levels(field)
    # A small one first, so that what is loaded once does not count.
    MATCHERS[matcher](field[:100], levels)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    MATCHERS[matcher](field, levels)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    # A process does not grow while it has room of its own; what is asked for counts all the same.
    tracemalloc.start()
    MATCHERS[matcher](field, levels)
    _, asked_for = tracemalloc.get_traced_memory()
    print(max(grown / 1024, asked_for / 1024**2))


if __name__ == "__main__":
    _measure(*sys.argv[1:])
