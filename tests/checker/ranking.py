"""Standings against their document: every figure by its naive formula, then the order."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from tests.checker import standings as naive
from tests.checker.faults import Fault
from tests.checker.reading import Document, Entry, is_played
from tests.checker.standings import Round

DEFAULT_ORDER = (
    "match_points",
    "manual_seed",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "lot",
)
PATH = "$.standings"


def closed_rounds(document: Document) -> list[list[Entry]]:
    """The rounds that count: those with all their results, up to the one asked for."""
    closed = [round_ for round_ in document["rounds"] if all(map(is_played, round_))]
    return closed[: document.get("as_of_round")]


def faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Everything wrong with standings: players, figures, ranks, order."""
    rows = answer["standings"]
    told, known = [row["id"] for row in rows], [row["id"] for row in document["players"]]
    if sorted(map(repr, told)) != sorted(map(repr, known)):
        yield Fault("standings_players", PATH, f"{told} are told, {known} are in the event.")
        return
    if [row["rank"] for row in rows] != list(range(1, len(rows) + 1)):
        yield Fault("ranks", PATH, f"The ranks are {[row['rank'] for row in rows]}.")
    for place, row in enumerate(rows):
        yield from _figure_faults(document, row, f"{PATH}[{place}]")
    yield from _order_faults(document, rows)


def _figure_faults(document: Document, row: dict[str, Any], path: str) -> Iterator[Fault]:
    rounds = closed_rounds(document)
    for name, formula in FIGURES.items():
        if name not in row:
            continue
        due = formula(rounds, row["id"])
        # Rounded to nine digits a figure is off by half of the last one at most.
        if abs(Fraction(str(row[name])) - due) > Fraction(1, 2 * 10**9):
            yield Fault("figure", f"{path}.{name}", f"{row[name]} is told, {due} is counted.")
        exact = row.get(f"{name}_exact", due)
        if Fraction(exact) != due:
            yield Fault("figure", f"{path}.{name}_exact", f"{exact} is told, {due} is counted.")


def _order_faults(document: Document, rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """Nobody stands above who is better by the first tie-breaker that differs."""
    order = document.get("tie_breakers") or DEFAULT_ORDER
    if not set(order) <= KEYS.keys():
        return
    rounds = closed_rounds(document)
    seeds = {row["id"]: row.get("seed") for row in document["players"]}
    keys = [[KEYS[name](rounds, row["id"], seeds) for name in order] for row in rows]
    for place in range(1, len(rows)):
        if keys[place - 1] > keys[place]:
            above, below = rows[place - 1]["id"], rows[place]["id"]
            yield Fault("order", f"{PATH}[{place}]", f"{below} is better than {above}, above.")


Formula = Callable[[list[Round], Any], Fraction | int]
Key = Callable[[list[Round], Any, dict[Any, int | None]], Any]

FIGURES: dict[str, Formula] = {
    "match_points": naive.match_points,
    "strength_of_schedule": naive.strength_of_schedule,
    "extended_strength_of_schedule": naive.extended_strength_of_schedule,
    "games_won": naive.games_won,
    "played": naive.played,
    "byes": naive.byes,
}
"""Each figure of a row by its own formula."""


def _falling(formula: Formula) -> Key:
    return lambda rounds, player, seeds: -formula(rounds, player)


def _manual_seed(rounds: list[Round], player: Any, seeds: dict[Any, int | None]) -> Any:
    return seeds[player] is None, seeds[player] or 0


def _equal(rounds: list[Round], player: Any, seeds: dict[Any, int | None]) -> Any:
    # The lot may fall as it likes; that it always falls alike is for tests to show.
    return 0


KEYS: dict[str, Key] = {
    "match_points": _falling(naive.match_points),
    "manual_seed": _manual_seed,
    "games_won": _falling(naive.games_won),
    "strength_of_schedule": _falling(naive.strength_of_schedule),
    "extended_strength_of_schedule": _falling(naive.extended_strength_of_schedule),
    "lot": _equal,
}
"""What each tie-breaker sorts by, the smaller the better."""
