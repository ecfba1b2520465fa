"""What a pasted list would do to a roster: one planned entry for each of its lines."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.text import comparison_key
from tournaments.registration.pasted_roster import RosterLine

ExistingId = int | str


class Action(StrEnum):
    """What happens to a line when the list is taken over."""

    ADD = "add"
    REGISTERED = "already registered"
    REPEATED = "twice in the list"
    INVALID = "not usable"

    @property
    def is_duplicate(self) -> bool:
        """Whether the name is there already, on the roster or in the list."""
        return self in (Action.REGISTERED, Action.REPEATED)


@dataclass(frozen=True)
class PlannedEntry:
    """One line and what will happen to it. `existing_id` names the registration it repeats."""

    line: RosterLine
    action: Action
    reason: str = ""
    existing_id: int | str | None = None

    def is_wanted(self, also: Container[object]) -> bool:
        """Whether it is to be added; a name that is there already where `also` has its line."""
        if self.action.is_duplicate:
            return self.line.line in also
        return self.action == Action.ADD

    def marks_paid(self, also: Container[object]) -> bool:
        """Whether who is there already is marked as paid: the list says so of this very person."""
        is_known = self.action == Action.REGISTERED and not self.is_wanted(also)
        return is_known and self.line.has_paid


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
        paid = " and will be marked as paid" if line.has_paid else ""
        known = f"{name} is already registered{paid}."
        reason = f"{known} If this is a different person, add an initial."
        return PlannedEntry(line, Action.REGISTERED, reason, existing_id)
    if line.shares_mail:
        reason = f"Same mail address as line {line.repeats}: the same person."
        return PlannedEntry(line, Action.REPEATED, reason)
    if line.repeats is not None:
        reason = f"Same name as line {line.repeats}. Two people: add an initial to one."
        return PlannedEntry(line, Action.REPEATED, reason)
    return PlannedEntry(line, Action.ADD)
