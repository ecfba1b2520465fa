"""Collect all faults of a file with their lines and suggested fixes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulings.parsing.filed import FiledDocument

MOST_SHOWN = 30


@dataclass(frozen=True, order=True)
class Fault:
    """A fault in a line (counted from 1), with a suggested fix."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Faulty(Exception):  # noqa: N818 - user errors in a file, reported in full
    """A file has faults and must not be used.

    `readable` is the readable part, for further checks.
    """

    def __init__(self, faults: Iterable[Fault], readable: FiledDocument | None = None) -> None:
        self.readable = readable
        self.faults: Sequence[Fault] = sorted(set(faults))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """Return up to MOST_SHOWN faults as text, and the number of further faults."""
        shown = [str(fault) for fault in self.faults[:MOST_SHOWN]]
        left = len(self.faults) - len(shown)
        return [*shown, f"and {left} more"] if left else shown
