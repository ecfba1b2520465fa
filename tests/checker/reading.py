"""Reader of documents for the checker: the field, and the past of each player.

A player is {"id", "points", "byes", "group", "seed", "promised", "meetings"}; `meetings` lists
[opponent, own role or None], the earliest first. A table with a seat without points was not played:
its players have met, and it brought no points.
"""

from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
Entry = dict[str, Any]
Player = dict[str, Any]
Couple = tuple[Any, Any]


def is_bye(entry: Entry) -> bool:
    return "bye" in entry


def seats(entry: Entry) -> list[dict[str, Any]]:
    """Return the seats of a table in order; a bye has none."""
    return [] if is_bye(entry) else list(entry["seats"])


def ids_of(entry: Entry) -> list[Any]:
    return [entry["bye"]] if is_bye(entry) else [seat["id"] for seat in entry["seats"]]


def is_played(entry: Entry) -> bool:
    """Return True if an entry counts in the standings."""
    if is_bye(entry):
        return entry.get("points") is not None
    return all(seat.get("points") is not None for seat in entry["seats"])


def tables_with_paths(entries: list[Entry], path: str) -> Iterator[tuple[str, Entry]]:
    """Yield the tables, each with its JSON path."""
    for index, entry in enumerate(entries):
        if not is_bye(entry):
            yield f"{path}[{index}]", entry


def players_of(document: Document, rounds: list[list[Entry]] | None = None) -> dict[Any, Player]:
    """Return all players with their past, by id; `rounds` replaces those of the document."""
    players = {row["id"]: _without_past(row) for row in document["players"]}
    for round_ in document["rounds"] if rounds is None else rounds:
        for entry in round_:
            _add_entry(players, entry)
    return players


def field_of(document: Document) -> dict[Any, Player]:
    """Return the active players with their past, by id."""
    active = {row["id"] for row in document["players"] if row.get("active", True)}
    return {id_: player for id_, player in players_of(document).items() if id_ in active}


def couples_of(entries: list[Entry]) -> list[Couple]:
    """Return tables and byes as couples; a bye is paired with None. Corp comes first if known."""
    couples: list[Couple] = []
    for entry in entries:
        if is_bye(entry):
            couples.append((entry["bye"], None))
        else:
            first, second = sorted(entry["seats"], key=lambda seat: seat.get("role") == "runner")
            couples.append((first["id"], second["id"]))
    return couples


def _without_past(row: dict[str, Any]) -> Player:
    return {
        "id": row["id"],
        "points": 0,
        "byes": 0,
        "group": row.get("group"),
        "seed": row.get("seed"),
        "promised": bool(row.get("first_round_bye")),
        "meetings": [],
    }


def _add_entry(players: dict[Any, Player], entry: Entry) -> None:
    if is_bye(entry):
        players[entry["bye"]]["byes"] += 1
        players[entry["bye"]]["points"] += entry.get("points") or 0
        return
    for seat in entry["seats"]:
        player = players[seat["id"]]
        for other_seat in entry["seats"]:
            if other_seat["id"] != seat["id"]:
                player["meetings"].append([other_seat["id"], seat.get("role")])
        if is_played(entry):
            player["points"] += seat["points"]
