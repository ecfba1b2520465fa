"""Autocomplete card titles."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest

from decks.titles import folded_title

MOST_CARDS = 10
MOST_LETTERS = 80
MOST_WORDS = 8


@dataclass(frozen=True)
class Completion:
    """A suggested card; `faction` is a name, or empty if the game has no factions."""

    title: str
    side: str
    type: str
    faction: str
    url: str


@dataclass(frozen=True)
class _Entry:
    """A card with its folded spellings, each with a leading space."""

    card: Completion
    spellings: tuple[str, ...]


class Completer:
    """Autocomplete for the titles of a game, built once from all its cards."""

    def __init__(self, cards: Iterable[tuple[Completion, Iterable[str]]]) -> None:
        """`cards` are (card, spellings starting with the title) pairs, sorted by title."""
        self._entries = [
            _Entry(card, tuple(f" {folded_title(spelling)}" for spelling in spellings))
            for card, spellings in cards
        ]

    def matching(self, typed: str, *, side: str = "") -> list[Completion]:
        """Return up to ten cards: title prefixes, then word prefixes, then substrings.

        Case, accents and punctuation are ignored. Within a rank, cards are in title order. Empty
        input returns an empty list.
        """
        folded = folded_title(typed[:MOST_LETTERS])
        if not folded:
            return []
        found = self._ranked(folded, side)
        return [entry.card for _, _, entry in nsmallest(MOST_CARDS, found, key=lambda one: one[:2])]

    def _ranked(self, folded: str, side: str) -> Iterator[tuple[int, int, _Entry]]:
        words = folded.split()[:MOST_WORDS]
        for place, entry in enumerate(self._entries):
            if side and entry.card.side != side:
                continue
            ranks = [_rank(spelling, folded, words) for spelling in entry.spellings]
            if (best := min(ranks)) < _NOT_FOUND:
                yield best, place, entry


_NOT_FOUND = 3


def _rank(spelling: str, folded: str, words: list[str]) -> int:
    """0: prefix of the spelling; 1: prefixes of its words; 2: substrings; 3: no match."""
    if not all(word in spelling for word in words):
        return _NOT_FOUND
    if spelling.startswith(f" {folded}"):
        return 0
    return 1 if all(f" {word}" in spelling for word in words) else 2
