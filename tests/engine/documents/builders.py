"""Event documents as plain values with defaults."""

from typing import Any

Json = Any


def event(*rounds: Json, players: int = 4, system: str = "double", **keys: Json) -> Json:
    listed = [{"id": number} for number in range(1, players + 1)]
    document = {"datafort": 1, "system": system, "seed": 7, "players": listed}
    return {**document, "rounds": list(rounds), **keys}


def table(number: int, *seats: Json, roles: tuple[str | None, ...] = ("corp", "runner")) -> Json:
    """A table of (id, points); more than two have no roles."""
    if len(seats) > 2:
        roles = (None,) * len(seats)
    return {
        "table": number,
        "seats": [
            {"id": player, "role": role, "points": points}
            for (player, points), role in zip(seats, roles, strict=True)
        ],
    }


def bye(player: Json, points: int | None = 20) -> Json:
    return {"bye": player, "points": points}


def couples(answer: Json) -> set[frozenset[Any]]:
    """Groups of an answer of `pair`; a bye is a group of one."""
    return {
        frozenset(seat["id"] for seat in entry["seats"])
        if "seats" in entry
        else frozenset({entry["bye"]})
        for entry in answer["pairings"]
    }
