"""Documents as the checker reads them: who is in the field, and what each player did so far.

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
    """Whether a round's entry is a bye and no table."""
    return "bye" in entry


def seats(entry: Entry) -> list[dict[str, Any]]:
    """The seats of a table, in order; a bye has none."""
    return [] if is_bye(entry) else list(entry["seats"])


def ids_of(entry: Entry) -> list[Any]:
    """Everybody in an entry of a round."""
    return [entry["bye"]] if is_bye(entry) else [seat["id"] for seat in entry["seats"]]


def is_played(entry: Entry) -> bool:
    """Whether an entry counts in the standings."""
    if is_bye(entry):
        return entry.get("points") is not None
    return all(seat.get("points") is not None for seat in entry["seats"])


def tables_with_paths(entries: list[Entry], path: str) -> Iterator[tuple[str, Entry]]:
    """The tables among the entries, each with its JSON path."""
    for place, entry in enumerate(entries):
        if not is_bye(entry):
            yield f"{path}[{place}]", entry


def players_of(document: Document, rounds: list[list[Entry]] | None = None) -> dict[Any, Player]:
    """Every player with a past, by id; `rounds` in place of the document's own."""
    players = {row["id"]: _without_past(row) for row in document["players"]}
    for round_ in document["rounds"] if rounds is None else rounds:
        for entry in round_:
            _add_entry(players, entry)
    return players


def field_of(document: Document) -> dict[Any, Player]:
    """The active players with their past, by id."""
    active = {row["id"] for row in document["players"] if row.get("active", True)}
    return {id_: player for id_, player in players_of(document).items() if id_ in active}


def couples_of(entries: list[Entry]) -> list[Couple]:
    """Tables of two and byes as couples; who has a bye meets None. Corp comes first if known."""
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
        for other in entry["seats"]:
            if other["id"] != seat["id"]:
                player["meetings"].append([other["id"], seat.get("role")])
        if is_played(entry):
            player["points"] += seat["points"]
