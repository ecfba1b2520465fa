"""What is written down while the hall is busy, and the figures of it."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hall.connection import Answer

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Kind:
    """All answers of one kind: how long they took, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def note(self, answer: Answer, *, expected: Sequence[int]) -> None:
        self.seconds.append(answer.seconds)
        if answer.status not in expected:
            self.errors.append(f"{answer.status} after {answer.seconds:.2f} s")


@dataclass
class Measures:
    """Everything that happened. `seen_after` are seconds from a publish until a phone had it."""

    first: Kind = field(default_factory=Kind)
    polls: Kind = field(default_factory=Kind)
    forms: Kind = field(default_factory=Kind)
    results: Kind = field(default_factory=Kind)
    staff: Kind = field(default_factory=Kind)
    unchanged_bytes: list[int] = field(default_factory=list)
    accepted: int = 0
    reported: int = 0
    seen_after: list[float] = field(default_factory=list)
    rounds_published: int = 0

    @property
    def kinds(self) -> dict[str, Kind]:
        return {
            "first visits": self.first,
            "polls": self.polls,
            "pages of players": self.forms,
            "results sent": self.results,
            "desk and staff": self.staff,
        }

    @property
    def errors(self) -> list[str]:
        return [f"{name}: {error}" for name, kind in self.kinds.items() for error in kind.errors]


def share(values: Iterable[float], part: float) -> float:
    """The value that `part` (0 to 1) of all values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def processor_seconds(pids: Iterable[int]) -> float:
    """What these processes and all below them have had of a core, in seconds."""
    family = set(pids)
    times: dict[int, float] = {}
    for parent, pid, spent in sorted(_processes(), key=lambda row: row[1]):
        if pid in family or parent in family:
            family.add(pid)
            times[pid] = spent
    return sum(times.values())


def _processes() -> Iterable[tuple[int, int, float]]:
    """(parent, pid, seconds) of every process; nothing where the system does not tell."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of a program may hold anything, its last bracket ends it.
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended meanwhile.
        yield int(fields[1]), int(stat.parent.name), (int(fields[11]) + int(fields[12])) / TICKS
