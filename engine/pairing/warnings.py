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
from engine.pairing.records import Cost, Entrant, PairingReason, points_in_words
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
    text = "{0} was promised a bye in round 1."
    warnings = [
        PairingReason("first_round_bye", (player.id,), text)
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
        how_often = "a bye" if entrant.byes == 1 else f"{entrant.byes} byes"
        text = f"{{0}} has had {how_often} already; {_players_in_words(fewer)} had fewer."
        warnings.append(PairingReason("second_bye", (entrant.id,), text))
    lower = sum(
        rival.match_points < entrant.match_points and rival.byes <= entrant.byes for rival in rivals
    )
    if lower:
        score = points_in_words(entrant.match_points)
        text = (
            f"{{0}} has the bye with {score}; {_players_in_words(lower)} had less and no more byes."
        )
        warnings.append(PairingReason("high_bye", (entrant.id,), text))
    return tuple(warnings)


def _players_in_words(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def round_warnings(
    field: Sequence[Entrant], seated: Iterable[PlayerId]
) -> tuple[PairingReason, ...]:
    """Return the players without a place and with two places; `seated` lists all places."""
    places = Counter(seated)
    left = [entrant.id for entrant in field if not places[entrant.id]]
    twice = [player for player, count in places.items() if count > 1]
    return (
        *(
            PairingReason("twice", (player,), "{0} has two places in this round.")
            for player in twice
        ),
        *(PairingReason("left_over", (player,), "{0} has no table and no bye.") for player in left),
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
        when = ""
        if numbers := rounds_met.get(frozenset(ids)):
            *rest, last = map(str, numbers)
            when = f", in rounds {', '.join(rest)} and {last}" if rest else f", in round {last}"
        again = "have met before" if meetings == 1 else f"have met {meetings} times before"
        yield PairingReason("rematch", ids, f"{{0}} and {{1}} {again}{when}.")
    if Role.CORP in first.roles_against.get(second.id, ()):
        text = "{0} was Corp in game 1 against {1} before, and would be again."
        yield PairingReason("same_roles", ids, text)
    if same_group_cost(first, second):
        yield PairingReason("avoid_group", ids, "{0} and {1} are in one group that is kept apart.")


def _side_warnings(corp: Entrant, runner: Entrant) -> Iterator[PairingReason]:
    """Yield imbalances of two or more games that this table makes worse."""
    for entrant, step, role in ((corp, 1, Role.CORP), (runner, -1, Role.RUNNER)):
        after = entrant.balance + step
        if abs(after) >= 2 and abs(after) > abs(entrant.balance):
            text = (
                f"{{0}} would be {role.label} again: Corp minus Runner games go from "
                f"{entrant.balance:+} to {after:+}."
            )
            yield PairingReason("side_imbalance", (entrant.id,), text)
