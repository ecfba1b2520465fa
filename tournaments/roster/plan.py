"""What taking over a list would do, said before anything is done."""

from collections.abc import Iterable

from core.text import comparison_key
from tournaments.roster.records import Action, PlannedEntry, RosterLine

ExistingId = int | str


def preview(
    lines: Iterable[RosterLine], existing: Iterable[tuple[ExistingId, str]]
) -> list[PlannedEntry]:
    """One planned entry for each line, in order. `existing` are (id, name) of the registered.

    What is wrong with a line comes before whom it repeats, and somebody already
    registered before somebody further up in the list.
    """
    registered: dict[str, tuple[ExistingId, str]] = {}
    for existing_id, name in existing:
        registered.setdefault(comparison_key(name), (existing_id, name))
    return [_planned(line, registered.get(line.name_key)) for line in lines]


def _planned(line: RosterLine, existing: tuple[ExistingId, str] | None) -> PlannedEntry:
    if line.problems:
        reason = " ".join(problem.text for problem in line.problems)
        return PlannedEntry(line, Action.INVALID, reason)
    if existing is not None:
        existing_id, name = existing
        reason = f"{name} is registered. For somebody else, add an initial to tell them apart."
        return PlannedEntry(line, Action.REGISTERED, reason, existing_id)
    if line.repeats is not None:
        reason = f"Same name as line {line.repeats}. Two people: add an initial to one."
        return PlannedEntry(line, Action.REPEATED, reason)
    return PlannedEntry(line, Action.ADD)
