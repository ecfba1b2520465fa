"""Preview of a pasted list: the planned entry for each line."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.confusables import skeleton
from core.text import comparison_key, sort_key
from tournaments.registration.pasted_roster import RosterLine

ExistingId = int | str
# Shorter names and words often differ by one letter, such as "Jan" and "Jon", or "Ada K." and "Ada
# L.".
SHORTEST_NAME, SHORTEST_WORD = 6, 3


class Action(StrEnum):
    """The planned action for a line."""

    ADD = "add"
    SIMILAR = "similar name"
    REGISTERED = "already registered"
    REPEATED = "twice in the list"
    HEADING = "heading"
    INVALID = "not usable"

    @property
    def is_duplicate(self) -> bool:
        """Return True if the name is already on the roster or in the list."""
        return self in (Action.REGISTERED, Action.REPEATED)

    @property
    def adds(self) -> bool:
        """Return True if the line is added unless the organiser deselects it."""
        return self in (Action.ADD, Action.SIMILAR)


@dataclass(frozen=True)
class PlannedEntry:
    """The planned action for a line. `existing_id` is the registration it resembles."""

    line: RosterLine
    action: Action
    reason: str = ""
    existing_id: int | str | None = None

    def is_wanted(self, also: Container[object], without: Container[object] = ()) -> bool:
        """Return True if the line is added.

        Lines in `without` are never added. Duplicates and headings are added only if in `also`.
        """
        if self.action == Action.INVALID or self.line.line in without:
            return False
        return self.action.adds or self.line.line in also

    def marks_paid(self, also: Container[object]) -> bool:
        """Return True if the list marks a player on the roster as paid."""
        is_known = self.action == Action.REGISTERED and not self.is_wanted(also)
        return is_known and self.line.has_paid


def preview(
    lines: Iterable[RosterLine], existing: Iterable[tuple[ExistingId, str]]
) -> list[PlannedEntry]:
    """Plan an entry for each line, in order; `existing` are (id, name) of registrations.

    The first match decides: a problem, a heading, a registered player, an earlier line with the
    same email address or name, a name that differs by one letter.
    """
    registered: dict[str, tuple[ExistingId, str]] = {}
    similar = SimilarNames()
    for existing_id, name in existing:
        registered.setdefault(comparison_key(name), (existing_id, name))
        similar.add(name, f"{name}, who is registered", existing_id)
    planned = []
    for line in lines:
        entry = _planned(line, registered.get(line.name_key), similar)
        planned.append(entry)
        if entry.action.adds:
            similar.add(line.name, f"{line.name} on line {line.line}")
    return planned


def _planned(
    line: RosterLine, existing: tuple[ExistingId, str] | None, similar: "SimilarNames"
) -> PlannedEntry:
    if line.problems:
        reason = " ".join(problem.text for problem in line.problems)
        return PlannedEntry(line, Action.INVALID, reason)
    if line.is_heading:
        return PlannedEntry(line, Action.HEADING, "Looks like a heading, not a player.")
    if existing is not None:
        existing_id, name = existing
        paid = " and will be marked as paid" if line.has_paid else ""
        known = f"{name} is already registered{paid}."
        reason = f"{known} If this is a different person, add an initial."
        return PlannedEntry(line, Action.REGISTERED, reason, existing_id)
    if line.shares_mail:
        reason = f"Same email address as line {line.repeats}: the same person."
        return PlannedEntry(line, Action.REPEATED, reason)
    if line.repeats is not None:
        reason = f"Same name as line {line.repeats}. Two people: add an initial to one."
        return PlannedEntry(line, Action.REPEATED, reason)
    if found := similar.first_like(line.name):
        other, existing_id_ = found
        return PlannedEntry(line, Action.SIMILAR, f"Almost the same as {other}.", existing_id_)
    return PlannedEntry(line, Action.ADD)


class SimilarNames:
    """Index of names by near spellings, to avoid comparing all pairs."""

    def __init__(self) -> None:
        self.by_spelling: dict[str, list[tuple[str, str, ExistingId | None]]] = {}

    def add(self, name: str, description: str, existing_id: ExistingId | None = None) -> None:
        """Add a name; `description` is used in messages."""
        for spelling in set(_near_spellings(name)):
            self.by_spelling.setdefault(spelling, []).append((name, description, existing_id))

    def first_like(self, name: str) -> tuple[str, ExistingId | None] | None:
        """Find the description and id of the first name that may be a misspelling of this name."""
        for spelling in sorted(set(_near_spellings(name))):
            for other, description, existing_id in self.by_spelling.get(spelling, ()):
                if are_near(name, other):
                    return description, existing_id
        return None


def are_near(name: str, other: str) -> bool:
    """Return True if the names differ by one letter, an accent or look-alike characters."""
    key, other_key = comparison_key(name), comparison_key(other)
    if key == other_key:
        return False
    if sort_key(name) == sort_key(other) or skeleton(name) == skeleton(other):
        return True
    return _one_letter_apart(key, other_key)


def _near_spellings(name: str) -> Iterator[str]:
    """Yield keys such that near names share a key: the name without one letter, and so on."""
    key = comparison_key(name)
    yield from (key, f"sort:{sort_key(name)}", f"looks:{skeleton(name)}")
    for place in range(len(key)):
        yield key[:place] + key[place + 1 :]


def _one_letter_apart(key: str, other: str) -> bool:
    """Return True if one letter is changed, added or missing, or two neighbours are swapped."""
    if min(len(key), len(other)) < SHORTEST_NAME:
        return False
    start = next(
        (place for place, (one, two) in enumerate(zip(key, other, strict=False)) if one != two),
        min(len(key), len(other)),
    )
    end = 0
    while end < min(len(key), len(other)) - start and key[-1 - end] == other[-1 - end]:
        end += 1
    middle, other_middle = key[start : len(key) - end], other[start : len(other) - end]
    is_swap = len(middle) == 2 and middle == other_middle[::-1]
    if not is_swap and max(len(middle), len(other_middle)) > 1:
        return False
    changed = middle + other_middle
    if any(letter.isdigit() for letter in changed):
        return False  # "Player 1" and "Player 2".
    if not any(letter.isalpha() for letter in changed):
        return True
    return min(len(_word_at(key, start)), len(_word_at(other, start))) >= SHORTEST_WORD


def _word_at(text: str, place: int) -> str:
    """The word at this position."""
    return text[text.rfind(" ", 0, place) + 1 :].split(" ", 1)[0]
