"""What a paired round must be, and the best that any round could be.

A player is {"id", "points", "byes", "group", "meetings": [[opponent, role in game 1], ...]}; a
round is {"tables": [{"table", "corp", "runner"}, ...], "byes": [id, ...]}.
"""

from collections.abc import Iterator
from typing import Any

Player = dict[str, Any]
Couple = tuple[Any, Any]


def cost(players: dict[Any, Player], couples: list[Couple]) -> tuple[int, ...]:
    """The six levels of a whole round, to be compared as they stand; (id, None) is a bye."""
    total = [0] * 6
    for one, other in couples:
        for level, value in enumerate(_couple_cost(players, one, other)):
            total[level] += value
    return tuple(total)


def least_cost(players: dict[Any, Player]) -> tuple[int, ...]:
    """The best cost there is, found by trying every round."""
    return min(cost(players, couples) for couples in every_round(list(players)))


def every_round(ids: list[Any]) -> Iterator[list[Couple]]:
    """Every way to pair these players, one of them with the bye when they are odd."""
    nodes = [*ids, None] if len(ids) % 2 else ids
    if not nodes:
        yield []
        return
    first, rest = nodes[0], nodes[1:]
    for place, other in enumerate(rest):
        left = rest[:place] + rest[place + 1 :]
        # The bye is among those left, so nobody adds another.
        for couples in every_round(left):
            yield [(first, other), *couples]


def couples_of(round_: dict[str, Any]) -> list[Couple]:
    """Tables and byes as couples."""
    tables = [(table["corp"], table["runner"]) for table in round_["tables"]]
    return tables + [(player, None) for player in round_["byes"]]


def faults(players: dict[Any, Player], round_: dict[str, Any]) -> Iterator[str]:
    """Everything about a round that breaks a rule which can always be kept."""
    seated = [player for couple in couples_of(round_) for player in couple if player is not None]
    if sorted(map(repr, seated)) != sorted(map(repr, players)):
        yield f"not everybody has one seat: {seated}"
    numbers = [table["table"] for table in round_["tables"]]
    if len(set(numbers)) != len(numbers):
        yield f"table numbers repeat: {numbers}"
    if len(round_["byes"]) != len(players) % 2:
        yield f"{len(round_['byes'])} byes among {len(players)} players"
    for table in round_["tables"]:
        yield from _role_faults(players[table["corp"]], players[table["runner"]])
    yield from _order_faults(players, round_["tables"])


def _role_faults(corp: Player, runner: Player) -> Iterator[str]:
    past = [role for opponent, role in corp["meetings"] if opponent == runner["id"]]
    if past and past[-1] == "corp":
        yield f"{corp['id']} was Corp in game 1 against {runner['id']} last time too"
    if not past and _times_corp(corp) > _times_corp(runner):
        yield f"{corp['id']} is Corp in game 1 once more, ahead of {runner['id']}"


def _order_faults(players: dict[Any, Player], tables: list[dict[str, Any]]) -> Iterator[str]:
    best = [
        max(players[table["corp"]]["points"], players[table["runner"]]["points"])
        for table in sorted(tables, key=lambda table: table["table"])
    ]
    if best != sorted(best, reverse=True):
        yield f"tables are not in the order of the scores: {best}"


def _times_corp(player: Player) -> int:
    return [role for _, role in player["meetings"]].count("corp")


def _couple_cost(players: dict[Any, Player], one: Any, other: Any) -> tuple[int, ...]:
    if one is None:
        one, other = other, one
    if other is None:
        bye_score = min(-1, min(player["points"] for player in players.values()) - 1)
        return players[one]["byes"], 0, 0, 0, 0, (players[one]["points"] - bye_score) ** 2
    first, second = players[one], players[other]
    roles = [role for opponent, role in first["meetings"] if opponent == other]
    both_ways = "corp" in roles and "runner" in roles
    one_group = first["group"] is not None and first["group"] == second["group"]
    gap = first["points"] - second["points"]
    return 0, max(0, len(roles) - 1), int(both_ways), int(bool(roles)), int(one_group), gap * gap
