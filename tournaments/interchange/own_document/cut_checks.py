"""Check that the cut of a document is possible in its bracket."""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from engine.bracket import IMPORTED, Bracket, BracketRefused, GameWon, bracket_for, play
from engine.documents.nodes import Node
from tournaments.interchange.own_document.checked_reader import both, refuse_stranger
from tournaments.interchange.own_document.shapes import SETTLED
from tournaments.results.cut_changes import FEWEST_IN_A_CUT, MOST_IN_A_CUT

SEATS = 2
DRAFT = "draft"


def check_cut(node: Node, stage: Any) -> None:
    """Raise DocumentRefused for gaps in the seeds and for impossible tables.

    The games of an imported cut are not checked against a bracket.
    """
    seeds = _seeds(node.under("entries"), stage["entries"])
    tables, published = [], []
    for at, round_ in both(node.under("rounds"), stage["rounds"]):
        here = [*both(at.under("pairings"), round_["pairings"])]
        tables += here
        published += here if round_["state"] != DRAFT else []
    known = frozenset(seeds)
    for at, pairing in tables:
        _check_table(at, pairing, known)
    _refuse_twice_played(published)
    if stage["system"] != IMPORTED:
        if len(seeds) > MOST_IN_A_CUT:
            raise node.under("entries").refusal(
                f"A cut has at most {MOST_IN_A_CUT} players, not {len(seeds)}."
            )
        bracket = bracket_for(stage["system"], len(seeds), fixed=stage["fixed_bracket"])
        _refuse_unknown_games(tables, bracket)
        _play(node.under("rounds"), bracket, seeds, published)


def _seeds(node: Node, entries: list[Any]) -> list[int]:
    """The players, best seed first."""
    taken = sorted((one["seed"], one["player"]) for one in entries if not one["declined"])
    if len(taken) < FEWEST_IN_A_CUT:
        raise node.refusal(f"A cut has at least {FEWEST_IN_A_CUT} players, not {len(taken)}.")
    if [seed for seed, _ in taken] != list(range(1, len(taken) + 1)):
        raise node.refusal("The seeds of a cut are 1, 2, 3 and so on. Leave out none of them.")
    return [player for _, player in taken]


def _check_table(node: Node, pairing: Any, seeds: Collection[int]) -> None:
    if pairing["match"] is None:
        raise node.under("bye").refusal("A round of a cut has no byes. Take this one out.")
    if pairing["bracket_game"] is None:
        raise node.under("bracket_game").refusal("A table of a cut is a game of it. Say which.")
    seats = node.under("match").under("seats")
    for at, seat in both(seats, pairing["match"]["seats"]):
        refuse_stranger(at.under("id"), seat["id"], seeds)
    if len(pairing["match"]["seats"]) != SEATS:
        raise seats.refusal("A table of a cut has two seats.")


def _refuse_twice_played(published: list[tuple[Node, Any]]) -> None:
    seen: set[int] = set()
    for node, pairing in published:
        if pairing["bracket_game"] in seen:
            raise node.under("bracket_game").refusal("This game was played before. Renumber it.")
        seen.add(pairing["bracket_game"])


def _refuse_unknown_games(tables: list[tuple[Node, Any]], bracket: Bracket) -> None:
    known = bracket.by_number
    for node, pairing in tables:
        if pairing["bracket_game"] not in known:
            raise node.under("bracket_game").refusal(
                f"The games of this bracket are 1 to {len(known)}. Correct the number."
            )


def _play(
    node: Node, bracket: Bracket, seeds: list[int], published: list[tuple[Node, Any]]
) -> None:
    won = [(pairing["bracket_game"], _winner(pairing)) for _, pairing in published]
    results = [GameWon(game, winner) for game, winner in won if winner is not None]
    try:
        # The seed affects only sides, not the pairings.
        states = play(bracket, seeds, results, seed=0).states
    except BracketRefused as refusal:
        raise node.refusal(f"{refusal}") from refusal
    for at, pairing in published:
        state = states[pairing["bracket_game"]]
        seated = {seat["id"] for seat in pairing["match"]["seats"]}
        if not state.is_needed or seated != {*state.players}:
            raise at.under("bracket_game").refusal(
                "By the results before it others play this game, or nobody. Correct the number."
            )


def _winner(pairing: Any) -> int | None:
    """Player who advances: more points, or the staff's decision if tied."""
    match = pairing["match"]
    if match["state"] not in SETTLED:
        return None
    points = {seat["id"]: Fraction(seat["points"]) for seat in match["seats"]}
    best = [player for player, taken in points.items() if taken == max(points.values())]
    winner: int | None = best[0] if len(best) == 1 else pairing["advances"]
    return winner
