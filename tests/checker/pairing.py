"""Checks of a paired round, and the best possible round.

A player is {"id", "points", "byes", "group", "meetings": [[opponent, role in game 1], ...]}; a
round is {"tables": [{"table", "corp", "runner"}, ...], "byes": [id, ...]}.
"""

from collections.abc import Iterator
from typing import Any

from tests.checker import optimum
from tests.checker.optimum import every_round
from tests.checker.reading import Couple, Player
from tests.checker.swiss_costs import Cost, Costs, corps_by_rule, roles_against

__all__ = ["Couple", "Player", "cost", "couples_of", "every_round", "faults", "least_cost"]


def cost(players: dict[Any, Player], couples: list[Couple], system: str = "double") -> Cost:
    """Return the levels of a whole round; (id, None) is a bye."""
    return Costs(players, system).total(couples)


def least_cost(players: dict[Any, Player], system: str = "double") -> Cost:
    """Return the lowest cost; up to ten players by trying every round."""
    return optimum.least_cost(Costs(players, system), list(players))


def couples_of(round_: dict[str, Any]) -> list[Couple]:
    tables = [(table["corp"], table["runner"]) for table in round_["tables"]]
    return tables + [(player, None) for player in round_["byes"]]


def faults(
    players: dict[Any, Player], round_: dict[str, Any], system: str = "double"
) -> Iterator[str]:
    """Yield violations of rules that can always be followed."""
    seated = [player for couple in couples_of(round_) for player in couple if player is not None]
    if sorted(map(repr, seated)) != sorted(map(repr, players)):
        yield f"not every player has exactly one seat: {seated}"
    numbers = [table["table"] for table in round_["tables"]]
    if len(set(numbers)) != len(numbers):
        yield f"table numbers repeat: {numbers}"
    if len(round_["byes"]) != len(players) % 2:
        yield f"{len(round_['byes'])} byes among {len(players)} players"
    for table in round_["tables"]:
        corp, runner = players[table["corp"]], players[table["runner"]]
        if corp["id"] not in corps_by_rule(corp, runner, system):
            past_roles = roles_against(corp, runner["id"])
            yield f"{corp['id']} is Corp against {runner['id']}, having been {past_roles} there"
    yield from _order_faults(players, round_["tables"])


def _order_faults(players: dict[Any, Player], tables: list[dict[str, Any]]) -> Iterator[str]:
    best_scores = [
        max(players[table["corp"]]["points"], players[table["runner"]]["points"])
        for table in sorted(tables, key=lambda table: table["table"])
    ]
    if best_scores != sorted(best_scores, reverse=True):
        yield f"tables are not in the order of the scores: {best_scores}"
