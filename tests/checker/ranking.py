"""Check of standings: every figure by its naive formula, then the order."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import groupby, pairwise, takewhile
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
    """Return the rounds that count: those with all results, up to the requested round."""
    closed = [round_ for round_ in document["rounds"] if all(map(is_played, round_))]
    return closed[: document.get("as_of_round")]


def faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Return the faults of standings: players, figures, ranks and order."""
    rows = answer["standings"]
    listed, all_ids = [row["id"] for row in rows], [row["id"] for row in document["players"]]
    if sorted(map(repr, listed)) != sorted(map(repr, all_ids)):
        yield Fault("standings_players", PATH, f"{listed} are listed, {all_ids} are in the event.")
        return
    formulas = formulas_of(closed_rounds(document))
    for index, row in enumerate(rows):
        yield from _figure_faults(formulas, row, f"{PATH}[{index}]")
    yield from _order_faults(document, formulas, rows)


Formula = Callable[[Any], Fraction | int]


def formulas_of(rounds: list[Round]) -> dict[str, Formula]:
    """Return the formula of each figure, cached by player."""
    opponents = cache(partial(naive.opponents, rounds))
    average = cache(partial(naive.average, rounds))

    @cache
    def strength(player: Any) -> Fraction:
        return mean([average(opponent) for opponent in opponents(player)])

    return {
        "match_points": cache(partial(naive.match_points, rounds)),
        "strength_of_schedule": strength,
        "extended_strength_of_schedule": lambda player: mean(map(strength, opponents(player))),
        "games_won": partial(naive.games_won, rounds),
        "victory_points": partial(naive.victory_points, rounds),
        "played": partial(naive.played, rounds),
        "byes": partial(naive.byes, rounds),
        "agenda_point_difference": partial(naive.agenda_point_difference, rounds),
        "opponents_match_wins": partial(naive.opponents_match_wins, rounds),
        "buchholz": partial(naive.buchholz, rounds),
        "median_buchholz": partial(naive.median_buchholz, rounds),
    }


def mean(values: Iterable[Fraction]) -> Fraction:
    """Return the mean; 0 without values."""
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed) if listed else Fraction(0)


def _figure_faults(formulas: dict[str, Formula], row: dict[str, Any], path: str) -> Iterator[Fault]:
    for name, formula in formulas.items():
        if name not in row:
            continue
        expected = formula(row["id"])
        # A figure is rounded to nine digits.
        if abs(Fraction(str(row[name])) - expected) > Fraction(1, 2 * 10**9):
            yield Fault(
                "figure", f"{path}.{name}", f"{row[name]} is stated, {expected} is counted."
            )
        exact = row.get(f"{name}_exact", expected)
        if Fraction(exact) != expected:
            yield Fault(
                "figure", f"{path}.{name}_exact", f"{exact} is stated, {expected} is counted."
            )


def _order_faults(
    document: Document, formulas: dict[str, Formula], rows: list[dict[str, Any]]
) -> Iterator[Fault]:
    """Tied players must be in the order of the next tie-breaker."""
    order = document.get("tie_breakers") or DEFAULT_ORDER
    rounds = closed_rounds(document)
    seeds = {row["id"]: row.get("seed") for row in document["players"]}
    dropped = dropped_by_then(document, len(rounds))
    groups = [[row["id"] for row in rows]]
    # Any random draw is accepted here; tests show that it is repeatable.
    for name in takewhile(lambda name: name != "lot", order):
        levels: list[list[Any]] = []
        for group in groups:
            keys = _keys(name, group, rounds, formulas, seeds, dropped)
            for upper, lower in pairwise(group):
                if keys[upper] > keys[lower]:
                    text = f"By {name} {lower} is better than {upper}, who stands above."
                    yield Fault("order", PATH, text)
            levels += [list(equals) for _, equals in groupby(group, key=keys.__getitem__)]
        groups = levels
    yield from _rank_faults(rows, groups if "lot" not in order else [[row] for row in rows])


def _rank_faults(rows: list[dict[str, Any]], groups: list[list[Any]]) -> Iterator[Fault]:
    """The random draw leaves no ties; without it, tied players share a rank."""
    expected, rank = [], 1
    for group in groups:
        expected += [rank] * len(group)
        rank += len(group)
    if [row["rank"] for row in rows] != expected:
        yield Fault(
            "ranks", PATH, f"The ranks are {[row['rank'] for row in rows]}, not {expected}."
        )


def dropped_by_then(document: Document, rounds: int) -> set[Any]:
    """Return inactive players without a table or a bye after these rounds."""
    later_players = {
        player
        for round_ in document["rounds"][rounds:]
        for entry in round_
        for player in [entry.get("bye"), *(seat["id"] for seat in entry.get("seats", []))]
    }
    inactive = {row["id"] for row in document["players"] if row.get("active") is False}
    return inactive - later_players


def _keys(
    name: str,
    group: list[Any],
    rounds: list[Round],
    formulas: dict[str, Formula],
    seeds: dict[Any, int | None],
    dropped: set[Any],
) -> dict[Any, Any]:
    """Return sort keys of a tie-breaker, lower is better; a missing manual seed comes last."""
    if name == "manual_seed":
        return {player: (seeds[player] is None, seeds[player] or 0) for player in group}
    if name == "head_to_head":
        blocks = naive.direct_encounter(rounds, group, dropped)
        return {player: index for index, (block, _) in enumerate(blocks) for player in block}
    return {player: -formulas[name](player) for player in group}
