"""Pieces of an event, with all keys that nobody has told at what they are without a word."""

from typing import Any

from matches.scoring import Role
from tournaments.interchange.own.fields import Shape
from tournaments.interchange.own.shapes import (
    GAME_SEAT,
    MATCH,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    SETTINGS,
    STAGE,
)

Told = dict[str, Any]
CLOSED, RUNNING = "closed", "running"


def settings(**told: Any) -> Told:
    """The settings of an event."""
    return _whole(SETTINGS, told)


def player(**told: Any) -> Told:
    """A place in the event."""
    return _whole(PLAYER_SHAPE, told)


def stage(**told: Any) -> Told:
    """A stage with its rounds."""
    return _whole(STAGE, told)


def round_(**told: Any) -> Told:
    """A round with its tables and byes."""
    return _whole(ROUND, told)


def bye(player_id: int, points: int) -> Told:
    """Who sits out, and what it brings."""
    return _whole(PAIRING, {"bye": player_id, "points": points})


def table(number: int, match: Told, **told: Any) -> Told:
    """A table with its match."""
    return _whole(PAIRING, {"table": number, "match": match, **told})


def match(seats: list[Told], games: list[Told], **told: Any) -> Told:
    """A match of these seats."""
    return _whole(MATCH, {"seats": seats, "games": games, **told})


def game(number: int, seats: list[Told], *, end: str = "", winner: int | None = None) -> Told:
    """One game, played or not."""
    return {"number": number, "end": end, "winner": winner, "seats": seats}


def game_seat(player_id: int, role: Role | None, **told: Any) -> Told:
    """A seat in a game."""
    return _whole(GAME_SEAT, {"id": player_id, "role": role.value if role else "", **told})


def _whole(shape: Shape, told: Told) -> Told:
    return {
        key: told[key] if key in told else (one.default() if callable(one.default) else one.default)
        for key, one in shape.items()
    }
