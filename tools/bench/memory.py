"""P6: memory used by a matching, in a separate process."""

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
    """Our matching of 4096 players relative to every pair of 1024."""
    our_memory, graph_memory = _megabytes("planned", 4096), _megabytes("every pair", 1024)
    return [
        Figure(
            "P6",
            f"extra memory with 4096 players, {DS.words}, against every pair of 1024",
            f"{our_memory / graph_memory:.3f} of it ({our_memory:.1f} MB, {graph_memory:.1f} MB)",
            "<= 0.25",
            our_memory / graph_memory <= 0.25,
        )
    ]


def _megabytes(matcher: str, players: int) -> float:
    # The field is created here, so that creating it is not measured.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field"
        path.write_bytes(pickle.dumps(field_after(DS, players, rounds=5, seed=9)))
        command = [sys.executable, "-m", "tools.bench.memory", matcher, str(path)]
        process = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(process.stdout)


def _measure(matcher: str, path: str) -> None:
    field = pickle.loads(Path(path).read_bytes())
    levels = DS.profile.levels(field)
    # A small matching first, so that what is loaded once is not measured.
    MATCHERS[matcher](field[:100], levels)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    MATCHERS[matcher](field, levels)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    # A process with free memory does not grow, so count the requested memory too.
    tracemalloc.start()
    MATCHERS[matcher](field, levels)
    _, asked_for = tracemalloc.get_traced_memory()
    print(max(grown / 1024, asked_for / 1024**2))


if __name__ == "__main__":
    _measure(*sys.argv[1:])
