"""Warnings about tables, byes and rounds made by hand (docs/reference/rules.md).

Staff may do anything by hand; the rules of the engine only give the cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from engine.pairing.choice import costs_by_level
from engine.pairing.costs import (
    PairingProfile,
    bye_parts,
    point_gap,
    same_group_cost,
    seated_parts,
    times_met,
)
from engine.pairing.records import Cost, Entrant, PairingReason
from engine.standings.records import PlayerId
from matches.scoring.results import Role

# The rounds in which two players met.
RoundsMet: TypeAlias = Mapping[frozenset[PlayerId], Sequence[int]]


def table_warnings(
    players: Sequence[Entrant],
    rounds_met: RoundsMet,
    *,
    by_sides: bool = False,
    round_number: int | None = None,
) -> tuple[PairingReason, ...]:
    """With `by_sides` a match is a single game, in which the first player is Corp."""
    warnings = [
        PairingReason("first_round_bye", (player.id,), "promised_bye")
        for player in players
        if round_number == 1 and player.first_round_bye
    ]
    for pair in combinations(players, 2):
        warnings += _pair_warnings(*pair, rounds_met)
    if by_sides and len(players) == 2:
        warnings += _side_warnings(*players)
    return tuple(warnings)


def bye_warnings(entrant: Entrant, field: Sequence[Entrant]) -> tuple[PairingReason, ...]:
    rivals = [player for player in field if player.id != entrant.id]
    warnings = []
    fewer = sum(rival.byes < entrant.byes for rival in rivals)
    if entrant.byes:
        params = {"byes": entrant.byes, "players": fewer}
        details = {"details": ["fewer_byes"]} if fewer else {}
        warnings.append(PairingReason("second_bye", (entrant.id,), "had_bye", params | details))
    lower = sum(
        rival.match_points < entrant.match_points and rival.byes <= entrant.byes for rival in rivals
    )
    if lower:
        params = {"points": entrant.match_points, "players": lower}
        warnings.append(PairingReason("high_bye", (entrant.id,), "high_bye", params))
    return tuple(warnings)


def round_warnings(
    field: Sequence[Entrant], seated: Iterable[PlayerId]
) -> tuple[PairingReason, ...]:
    """Return the players without a place and with two places; `seated` lists all places."""
    places = Counter(seated)
    left = [entrant.id for entrant in field if not places[entrant.id]]
    twice = [player for player, count in places.items() if count > 1]
    return (
        *(PairingReason("twice", (player,), "two_places") for player in twice),
        *(PairingReason("left_over", (player,), "no_place") for player in left),
    )


def widest_gap(players: Sequence[Entrant]) -> int:
    """Points between the best and the worst score at a table; 0 for a bye."""
    return max((point_gap(*pair) for pair in combinations(players, 2)), default=0)


def manual_cost(
    players: Sequence[Entrant], field: Sequence[Entrant], profile: PairingProfile
) -> Cost:
    """Return the cost of a table or a bye; the first of two players is Corp in game 1."""
    levels = profile.levels(field)
    parts = bye_parts(levels, *players) if len(players) == 1 else seated_parts(levels, *players)
    return costs_by_level(levels, parts)


def _pair_warnings(
    first: Entrant, second: Entrant, rounds_met: RoundsMet
) -> Iterator[PairingReason]:
    ids = (first.id, second.id)
    meetings = times_met(first, second)
    if meetings:
        rounds = list(rounds_met.get(frozenset(ids), ()))
        code = "have_met_in_rounds" if rounds else "have_met"
        params = {"meetings": meetings, "rounds": rounds}
        yield PairingReason("rematch", ids, code, params)
    if Role.CORP in first.roles_against.get(second.id, ()):
        yield PairingReason("same_roles", ids, "corp_again")
    if same_group_cost(first, second):
        yield PairingReason("avoid_group", ids, "group_kept_apart")


def _side_warnings(corp: Entrant, runner: Entrant) -> Iterator[PairingReason]:
    """Yield imbalances of two or more games that this table makes worse."""
    for entrant, step, code in ((corp, 1, "too_often_corp"), (runner, -1, "too_often_runner")):
        after = entrant.balance + step
        if abs(after) >= 2 and abs(after) > abs(entrant.balance):
            params = {"balance_before": entrant.balance, "balance_after": after}
            yield PairingReason("side_imbalance", (entrant.id,), code, params)
