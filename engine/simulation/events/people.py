"""Who plays: the first entries, and who comes, leaves and returns between rounds."""

import random

from engine.documents import Json
from engine.documents.records import Player
from engine.simulation.events.running import Running
from engine.simulation.names import player_names
from engine.simulation.tables import strength
from engine.standings import PlayerId
from engine.systems import SystemKind

LAST_LATE_ENTRY = 3
"""Nobody joins after this round."""
FEWEST_ACTIVE = 2
GROUPS = ("north", "south", "x")


def enter_all(running: Running) -> None:
    """Everybody who is there at the start."""
    for player in running.plan.entries or _drawn_up(running):
        _enter(running, player)


def come_and_go(running: Running, round_number: int) -> None:
    """Before a round players return, leave and join; two at least stay."""
    for player in running.players:
        active = sum(other["active"] for other in running.players)
        if not player["active"] and running.happens("return_"):
            player["active"] = True
            running.tell(f"Round {round_number}: player {player['id']} returns.")
        elif player["active"] and active > FEWEST_ACTIVE and running.happens("drop"):
            player["active"] = False
            running.tell(f"Round {round_number}: player {player['id']} has dropped.")
    # The table of a round robin has no place for late entries.
    fixed = running.plan.plays_by.kind is SystemKind.ROUND_ROBIN
    if round_number <= LAST_LATE_ENTRY and not fixed and running.happens("late_entry"):
        late = _player(running, len(running.players) + 1)
        _enter(running, late)
        running.tell(f"Round {round_number}: player {late.id} joins.")


def _drawn_up(running: Running) -> list[Player]:
    return [_player(running, number) for number in range(1, running.plan.players + 1)]


def _player(running: Running, number: int) -> Player:
    plan, chance = running.plan, running.chance
    return Player(
        id=_id(running, number),
        first_round_bye=running.happens("first_round_bye"),
        seed=number if plan.seeded else None,
        group=chance.choice(GROUPS) if plan.grouped else None,
    )


def _id(running: Running, number: int) -> PlayerId:
    if not running.plan.named:
        return number
    # The list of names of an event is the same however many of them are asked for.
    names = player_names(number, random.Random(running.plan.seed))  # noqa: S311
    return names[-1]


def _enter(running: Running, player: Player) -> None:
    running.strength[player.id] = strength(running.chance)
    entry: Json = {
        "id": player.id,
        "active": player.active,
        "first_round_bye": player.first_round_bye,
        "seed": player.seed,
        "group": player.group,
    }
    running.players.append(entry)
