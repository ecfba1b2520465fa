"""Checks of every round: players, tables, points and byes."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.checker.faults import Fault
from tests.checker.reading import Entry, ids_of, is_bye, tables_with_paths


def seating_faults(entries: list[Entry], field: list[Any], path: str) -> Iterator[Fault]:
    """Every player of the field has exactly one place."""
    counts = Counter(id_ for entry in entries for id_ in ids_of(entry))
    for id_ in field:
        if id_ not in counts:
            yield Fault("seat_missing", path, f"Player {id_} has neither a table nor the bye.")
    for index, entry in enumerate(entries):
        for id_ in ids_of(entry):
            if counts[id_] > 1:
                yield Fault("seat_twice", f"{path}[{index}]", f"Player {id_} is there twice.")
            if id_ not in field:
                yield Fault("not_in_field", f"{path}[{index}]", f"Player {id_} is not to play.")


def table_faults(entries: list[Entry], path: str) -> Iterator[Fault]:
    """Table numbers are positive and unique."""
    numbers: set[Any] = set()
    for index, entry in tables_with_paths(entries, path):
        number = entry.get("table")
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            yield Fault("table_number", index, f"{number!r} is no table number.")
        elif number in numbers:
            yield Fault("table_twice", index, f"Table {number} is there twice.")
        numbers.add(number)


def duel_faults(entries: list[Entry], path: str, *, by_hand: bool = False) -> Iterator[Fault]:
    """A table has a Corp and a Runner; roles may be open in a round made by hand."""
    for index, entry in tables_with_paths(entries, path):
        roles = [seat.get("role") for seat in entry["seats"]]
        if len(roles) != 2:
            yield Fault("seats", index, f"A table of two has {len(roles)} seats.")
        elif by_hand and roles == [None, None]:
            continue
        elif Counter(roles) != Counter(["corp", "runner"]):
            yield Fault("roles", index, f"{roles} are not one Corp and one Runner.")


def bye_count_faults(
    entries: list[Entry], field_size: int, given_byes: set[Any], path: str
) -> Iterator[Fault]:
    """One bye if the rest of the field is odd, none otherwise, beside the `given` byes."""
    byes = [entry["bye"] for entry in entries if is_bye(entry) and entry["bye"] not in given_byes]
    expected = (field_size - len(given_byes)) % 2
    if len(byes) > expected:
        yield Fault("bye_many", path, f"{byes} have a bye where {expected} is expected.")


def points_faults(entries: list[Entry], path: str) -> Iterator[Fault]:
    """Points are integers, and either all seats of a table have them or none."""
    for index, entry in enumerate(entries):
        rows = [entry] if is_bye(entry) else entry["seats"]
        points = [row.get("points") for row in rows]
        if any(value is not None and type(value) is not int for value in points):
            yield Fault("points", f"{path}[{index}]", f"{points} are not integers.")
        if len({value is None for value in points}) > 1:
            yield Fault("half_played", f"{path}[{index}]", "Some seats have points, some have not.")
