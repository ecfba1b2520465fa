"""W7: forty connections of a stranger, guest or new account, and all other users.

python -m tools.bench.stranger
"""

from collections.abc import Iterator

from tools.attack.measuring import TURNS, new_event
from tools.attack.requests import CASES, CONNECTIONS, attacked_site, measure
from tools.bench.figures import Figure


def figures() -> Iterator[Figure]:
    """The slowest page of a reader and the slowest write of staff during each attack."""
    with attacked_site() as site:
        for case in CASES:
            _, during_attack = measure(case, new_event(site))
            yield _figure("a public page", case.name, during_attack.page_seconds, case.page_seconds)
            yield _figure(
                "a staff write", case.name, during_attack.write_seconds, case.write_seconds
            )


def _figure(part: str, attack_name: str, slowest: float, goal: float) -> Figure:
    name = f"slowest of {TURNS} answers to {part} beside {CONNECTIONS} connections: {attack_name}"
    return Figure("W7", name, f"{slowest:.2f} s", f"<= {goal:.0f} s", slowest <= goal)


if __name__ == "__main__":
    for figure in figures():
        print(*figure.cells, sep=" | ", flush=True)
