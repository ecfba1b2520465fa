"""Differences between two versions of a decklist."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ListFacts:
    # Hash of the canonical list.
    seal: str
    # Copies of each known title.
    copies: Mapping[str, int]
    # Empty if the list names none.
    identity: str = ""
    lines: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class CopiesChange:
    title: str
    before: int
    after: int

    @property
    def step(self) -> str:
        return f"{self.after - self.before:+d}"


@dataclass(frozen=True)
class ListDifference:
    added: tuple[CopiesChange, ...]
    removed: tuple[CopiesChange, ...]
    changed: tuple[CopiesChange, ...]
    # (before, after), None if unchanged.
    identity: tuple[str, str] | None
    # Lines of the original text.
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    is_same_deck: bool
    is_same_text: bool

    @property
    def cards_changed(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.identity)

    @property
    def only_writing_changed(self) -> bool:
        """Only order, spelling or format differ."""
        return self.is_same_deck and not self.is_same_text

    @property
    def only_unknown_changed(self) -> bool:
        """Only lines without a known card differ."""
        return not self.is_same_deck and not self.cards_changed


def compare_lists(older: ListFacts, newer: ListFacts) -> ListDifference:
    titles = sorted({*older.copies, *newer.copies}, key=str.casefold)
    pairs = [
        CopiesChange(title, older.copies.get(title, 0), newer.copies.get(title, 0))
        for title in titles
    ]
    changes = [change for change in pairs if change.before != change.after]
    same_identity = older.identity == newer.identity
    return ListDifference(
        added=tuple(change for change in changes if not change.before),
        removed=tuple(change for change in changes if not change.after),
        changed=tuple(change for change in changes if change.before and change.after),
        identity=None if same_identity else (older.identity, newer.identity),
        lines_added=_lines_only_in(newer.lines, older.lines),
        lines_removed=_lines_only_in(older.lines, newer.lines),
        is_same_deck=older.seal == newer.seal,
        is_same_text=older.lines == newer.lines,
    )


def _lines_only_in(lines: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Respect order and repetitions."""
    # Counted, not aligned, so that hundreds of equal lines are as fast as any other list.
    missing = Counter(line.strip() for line in lines)
    missing.subtract(line.strip() for line in others)
    unmatched = []
    for line in (raw.strip() for raw in lines):
        if line and missing[line] > 0:
            missing[line] -= 1
            unmatched.append(line)
    return tuple(unmatched)
