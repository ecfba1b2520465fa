"""Strict reader of event documents (docs/engine.md). Errors have the JSON path of the fault."""

from collections.abc import Collection, Sequence

from engine.documents.nodes import Node
from engine.documents.records import Event, Player, Round, is_closed
from engine.documents.rounds import (
    MOST_PLACES,
    MOST_POINTS,
    check_work,
    read_round,
    read_rounds,
)
from engine.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS, PlayerId
from engine.systems import SYSTEMS, System

MOST_PLAYERS = 10_000
# "standings", "cut" and "event" are answers: they may stay in the document and are ignored.
EVENT_KEYS = (
    "datafort",
    "name",
    "system",
    "seed",
    "planned_rounds",
    "avoid_second_meetings",
    "players",
    "rounds",
    "locked",
    "tie_breakers",
    "force",
    "as_of_round",
    "point_unit",
    "standings",
    "cut",
    "event",
)
PLAYER_KEYS = ("id", "name", "active", "first_round_bye", "seed", "group")


def read_event(node: Node, more: Sequence[str] = ()) -> Event:
    """Return the event of a document, which may also have the keys in `more`.

    Raise DocumentRefused with the path of the first fault.
    """
    check_version(node)
    node.object_of((*EVENT_KEYS, *more), needed=("system", "players"))
    _check_name(node)
    system = read_system(node)
    players = read_players(node.under("players"))
    ids = {player.id for player in players}
    rounds = read_rounds(node.under("rounds"), system, ids)
    return Event(
        system=system,
        seed=read_seed(node),
        planned_rounds=_planned_rounds(node.under("planned_rounds"), len(players)),
        avoid_second_meetings=_avoid_second_meetings(node.under("avoid_second_meetings"), system),
        players=players,
        rounds=rounds,
        locked=_locked(node.under("locked"), system, players),
        tie_breakers=_tie_breakers(node.under("tie_breakers")),
        force=node.under("force").flag(),
        as_of_round=_as_of_round(node.under("as_of_round"), rounds),
        point_unit=node.under("point_unit").optional_integer(1, MOST_POINTS) or 1,
    )


def read_players(node: Node) -> tuple[Player, ...]:
    """Return all players of "players". Refuse repeated ids."""
    players = []
    known: set[PlayerId] = set()
    for inner in node.items(most=MOST_PLAYERS):
        player = _player(inner)
        if player.id in known:
            id_ = inner.under("id")
            raise id_.refusal(f"Player {id_.shown()} is listed twice. Remove one.")
        known.add(player.id)
        players.append(player)
    return tuple(players)


def _player(node: Node) -> Player:
    node.object_of(PLAYER_KEYS, needed=("id",))
    _check_name(node)
    active, group = node.under("active"), node.under("group")
    return Player(
        id=node.under("id").player_id(),
        active=active.flag() if active.is_set() else True,
        first_round_bye=node.under("first_round_bye").flag(),
        seed=node.under("seed").optional_integer(1, MOST_POINTS),
        group=str(group.player_id()) if group.is_set() else None,
    )


def _check_name(node: Node) -> None:
    # Names are only for human readers.
    name = node.under("name")
    if name.is_set():
        name.text()


def _locked(node: Node, system: System, players: Collection[Player]) -> Round:
    """Return the locked tables and byes of the next round. All their players must be active."""
    if not node.is_set():
        return ()
    active = {player.id: player.active for player in players}
    locked = read_round(node, system, active)
    for inner, entry in zip(node.items(), locked, strict=True):
        for place, player in enumerate(entry.players):
            if not active[player]:
                raise _player_node(inner, place).refusal(
                    f"Player {player} is not active and cannot keep a place in the next round. "
                    "Let the player return, or unlock the table."
                )
    return locked


def _player_node(node: Node, place: int) -> Node:
    if "bye" in node.value:
        return node.under("bye")
    return list(node.under("seats").items())[place].under("id")


def _tie_breakers(node: Node) -> tuple[str, ...]:
    if not node.is_set():
        return DEFAULT_TIE_BREAKERS
    chosen: list[str] = []
    for inner in node.items(least=1):
        word = inner.one_of(TIE_BREAKERS)
        if word in chosen:
            raise inner.refusal(f'"{word}" is listed twice. Remove one.')
        chosen.append(word)
    return tuple(chosen)


def _planned_rounds(node: Node, players: int) -> int | None:
    if not node.is_set():
        return None
    planned = node.integer(1, MOST_PLACES)
    check_work(node, players=players, rounds=planned)
    return planned


def _avoid_second_meetings(node: Node, system: System) -> bool | None:
    if not node.is_set():
        return None
    if system.id != "single":
        raise node.refusal(
            f'The system "{system.id}" has no choice about second meetings; only "single" has. '
            "Remove the key."
        )
    return node.flag()


def _as_of_round(node: Node, rounds: Collection[Round]) -> int | None:
    if not node.is_set():
        return None
    closed = sum(is_closed(round_) for round_ in rounds)
    number = node.integer(0, MOST_PLACES)
    if number > closed:
        raise node.refusal(
            f"Rounds with all their results: {closed}. Write a number up to {closed}."
        )
    return number


VERSION = 1
LARGEST_SEED = 2**63 - 1


def check_version(node: Node, *, needed: bool = True) -> None:
    """Refuse a value that is not an object, and a document of a newer version."""
    if not isinstance(node.value, dict):
        raise node.refusal(f"A document is an object, not {node.shown()}.")
    version = node.under("datafort")
    if not version.is_set():
        if needed:
            raise version.refusal(f'The version is missing. Add "datafort": {VERSION}.')
    elif version.integer(1, LARGEST_SEED) > VERSION:
        raise version.refusal(
            f"This document was made by a later version ({version.value}); {VERSION} is the "
            "newest known here. Update Datafort."
        )


def read_system(node: Node) -> System:
    return SYSTEMS[node.under("system").one_of(SYSTEMS)]


def read_seed(node: Node) -> int:
    """Return the seed of all random draws; 0 by default."""
    seed = node.under("seed")
    return seed.integer(0, LARGEST_SEED) if seed.is_set() else 0
