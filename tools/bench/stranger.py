"""W7: forty connections of a stranger, guest or fresh account, and everybody else.

Alone: python -m tools.bench.stranger
"""

from collections.abc import Iterator

from tools.attack.measuring import TURNS, new_event
from tools.attack.requests import CASES, CONNECTIONS, attacked_site, measure
from tools.bench.figures import Figure


def figures() -> Iterator[Figure]:
    """The slowest page of a reader and the slowest write of staff beside each attack."""
    with attacked_site() as site:
        for case in CASES:
            _, beside = measure(case, new_event(site))
            yield _figure("a public page", case.name, beside.page_seconds, case.page_seconds)
            yield _figure("a staff write", case.name, beside.write_seconds, case.write_seconds)


def _figure(what: str, of_what: str, worst: float, goal: float) -> Figure:
    words = f"slowest of {TURNS} answers to {what} beside {CONNECTIONS} connections: {of_what}"
    return Figure("W7", words, f"{worst:.2f} s", f"<= {goal:.0f} s", worst <= goal)


if __name__ == "__main__":
    for figure in figures():
        print(*figure.cells, sep=" | ", flush=True)
