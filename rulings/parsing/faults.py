"""All that is wrong with a file at once, each with its line and what to do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulings.parsing.filed import FiledDocument

MOST_SHOWN = 30


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong in one line (from 1), and how to mend it."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Faulty(Exception):  # noqa: N818 - what is wrong with a file, in words for its writer
    """A file has faults; nothing of it may be used.

    `readable` is what could be read all the same, so that more faults can be found in it.
    """

    def __init__(self, faults: Iterable[Fault], readable: FiledDocument | None = None) -> None:
        self.readable = readable
        self.faults: Sequence[Fault] = sorted(set(faults))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """At most 30 faults in words, and how many more there are."""
        shown = [str(fault) for fault in self.faults[:MOST_SHOWN]]
        left = len(self.faults) - len(shown)
        return [*shown, f"and {left} more"] if left else shown
