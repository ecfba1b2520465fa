"""What a list of names is read into."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.errors import Refusal
from core.text import comparison_key

MAX_BYTES = 1024 * 1024
MAX_LINES = 1000


class RosterNotReadable(Refusal):
    """The list as a whole cannot be read; the text says which line and what to do."""


@dataclass(frozen=True)
class Problem:
    """Something wrong at one place. `line` counts from 1; `column` is "" for a list of names."""

    line: int
    column: str
    text: str

    def __str__(self) -> str:
        place = f"line {self.line}, {self.column}" if self.column else f"line {self.line}"
        return f"{place}: {self.text}"


@dataclass(frozen=True)
class RosterLine:
    """One person to add. `line` is where the person stands in the list, from 1.

    `repeats` is the line that has the same name first, compared by
    `core.text.comparison_key`; two people may share a name, so it is no problem.
    """

    line: int
    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False
    repeats: int | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def name_key(self) -> str:
        return comparison_key(self.name)


@dataclass(frozen=True)
class Roster:
    """The people of a list in its order, and what was not read of it."""

    lines: tuple[RosterLine, ...] = ()
    notices: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[RosterLine]:
        return iter(self.lines)


class Action(StrEnum):
    """What happens to a line when the list is taken over."""

    ADD = "add"
    REGISTERED = "already registered"
    REPEATED = "twice in the list"
    INVALID = "not usable"


@dataclass(frozen=True)
class PlannedEntry:
    """One line and what will happen to it. `existing_id` names the registration it repeats."""

    line: RosterLine
    action: Action
    reason: str = ""
    existing_id: int | str | None = None
