"""Who is Corp in game 1: a rematch reverses, otherwise it evens out over the event."""

import random
from collections.abc import Callable
from typing import TypeAlias

from engine.pairing.records import Entrant, Reason, how_often
from matches.scoring import Role

SideCount: TypeAlias = Callable[[Entrant], int]
"""What is to be evened out: whoever has less of it is Corp."""


def times_corp(entrant: Entrant) -> int:
    """How often a player was Corp in game 1, where a match has a game for each role."""
    return entrant.corp_first


def balance(entrant: Entrant) -> int:
    """Corp minus Runner games, where a match is one game."""
    return entrant.balance


def corp_by_rule(first: Entrant, second: Entrant, side_count: SideCount) -> Entrant | None:
    """Who has to be Corp; None when the lot decides.

    After a meeting with known roles these are reversed. Else the lower count is Corp.
    """
    last = _last_role(first, second)
    if last is not None:
        return second if last is Role.CORP else first
    mine, theirs = side_count(first), side_count(second)
    if mine == theirs:
        return None
    return first if mine < theirs else second


def corp_and_runner(
    first: Entrant, second: Entrant, side_count: SideCount, chance: random.Random
) -> tuple[Entrant, Entrant, Reason]:
    """Corp and Runner of game 1, and why; equals draw a lot."""
    corp = corp_by_rule(first, second, side_count) or chance.choice((first, second))
    runner = second if corp is first else first
    why = _why(corp, runner, side_count)
    game = "" if side_count is balance else " in game 1"
    text = f"{{0}} is Corp{game} against {{1}}: {why}."
    if side_count is balance:
        text += f" Corp minus Runner games: {_change(corp, 0, 1)}, {_change(runner, 1, -1)}."
    return corp, runner, Reason("roles", (corp.id, runner.id), text)


def _change(entrant: Entrant, place: int, step: int) -> str:
    before = entrant.balance
    counts = [f"{count:+}" if count else "0" for count in (before, before + step)]
    return f"{{{place}}} {counts[0]} before and {counts[1]} after"


def swap_roles(first: Entrant, second: Entrant) -> bool:
    """Whether these two have met in known roles, which are reversed when they meet again."""
    return _last_role(first, second) is not None


def _last_role(first: Entrant, second: Entrant) -> Role | None:
    past = first.roles_against.get(second.id, ())
    return next((role for role in reversed(past) if role), None)


def _why(corp: Entrant, runner: Entrant, side_count: SideCount) -> str:
    if swap_roles(corp, runner):
        return "the roles of their last meeting are reversed"
    is_lot = side_count(corp) == side_count(runner)
    if side_count is balance:
        return "by lot, both are as far from even sides" if is_lot else "{0} is owed it more"
    if is_lot:
        return f"by lot, both {how_often(corp.corp_first)} so far"
    return f"{how_often(corp.corp_first)} so far, the opponent {how_often(runner.corp_first)}"
