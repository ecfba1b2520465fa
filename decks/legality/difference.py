"""Differences between two versions of a decklist."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ListFacts:
    """A list for comparison: its identity, copies of each known title, and lines.

    `seal` is the hash of the canonical list; `identity` is empty if the list names none.
    """

    seal: str
    copies: Mapping[str, int]
    identity: str = ""
    lines: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class CopiesChange:
    """Copies of a title before and after; 0 means none."""

    title: str
    before: int
    after: int

    @property
    def step(self) -> str:
        """Change with its sign, such as "+2"."""
        return f"{self.after - self.before:+d}"


@dataclass(frozen=True)
class ListDifference:
    """Cards by title; `lines_added` and `lines_removed` are lines of the original text.

    `identity` is (before, after), or None if unchanged.
    """

    added: tuple[CopiesChange, ...]
    removed: tuple[CopiesChange, ...]
    changed: tuple[CopiesChange, ...]
    identity: tuple[str, str] | None
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    is_same_deck: bool
    is_same_text: bool

    @property
    def cards_changed(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.identity)

    @property
    def only_writing_changed(self) -> bool:
        """True if only order, spelling or format differ."""
        return self.is_same_deck and not self.is_same_text

    @property
    def only_unknown_changed(self) -> bool:
        """True if only lines without a known card differ."""
        return not self.is_same_deck and not self.cards_changed


def compare_lists(older: ListFacts, newer: ListFacts) -> ListDifference:
    """Return the changes from the older list to the newer one."""
    changes = list(_changes(older.copies, newer.copies))
    same_identity = older.identity == newer.identity
    return ListDifference(
        added=tuple(one for one in changes if not one.before),
        removed=tuple(one for one in changes if not one.after),
        changed=tuple(one for one in changes if one.before and one.after),
        identity=None if same_identity else (older.identity, newer.identity),
        lines_added=_lines_only_in(newer.lines, older.lines),
        lines_removed=_lines_only_in(older.lines, newer.lines),
        is_same_deck=older.seal == newer.seal,
        is_same_text=older.lines == newer.lines,
    )


def _changes(older: Mapping[str, int], newer: Mapping[str, int]) -> Iterable[CopiesChange]:
    for title in sorted({*older, *newer}, key=str.casefold):
        before, after = older.get(title, 0), newer.get(title, 0)
        if before != after:
            yield CopiesChange(title, before, after)


def _lines_only_in(lines: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that `others` lacks, in order, respecting repetitions.

    Lines are counted, not aligned, so hundreds of equal lines are as fast as any other list.
    """
    missing = Counter(line.strip() for line in lines)
    missing.subtract(line.strip() for line in others)
    found = []
    for line in (raw.strip() for raw in lines):
        if line and missing[line] > 0:
            missing[line] -= 1
            found.append(line)
    return tuple(found)
