"""Which tables a deck check takes: by lot, those checked least first."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class CheckableTable:
    """A table of the round; `checks` has for each of its players how often they were checked."""

    number: int
    checks: tuple[int, ...]

    @property
    def turn(self) -> tuple[int, int]:
        """When its turn comes: first the fewest players checked before, then the fewest checks."""
        return sum(bool(count) for count in self.checks), sum(self.checks)


def drawn_tables(tables: Iterable[CheckableTable], count: int, seed: int) -> tuple[int, ...]:
    """The numbers of `count` tables, or of all when there are fewer, lowest first.

    The same tables and seed give the same answer, in whatever order the tables come.
    """
    shuffled = sorted(tables, key=lambda table: table.number)
    Random(seed).shuffle(shuffled)  # noqa: S311 - lots that can be drawn again
    chosen = sorted(shuffled, key=lambda table: table.turn)[:count]
    return tuple(sorted(table.number for table in chosen))
