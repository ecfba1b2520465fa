"""Cards whose titles go on from what was typed so far."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest

from decks.titles import folded_title

MOST_CARDS = 10
MOST_LETTERS = 80
MOST_WORDS = 8


@dataclass(frozen=True)
class Completion:
    """A card to choose: `faction` is a name, empty where the game has none."""

    title: str
    side: str
    type: str
    faction: str
    url: str


@dataclass(frozen=True)
class _Entry:
    """A card with its spellings, folded, each with a blank before it."""

    card: Completion
    spellings: tuple[str, ...]


class Completer:
    """Goes on from letters to titles; built once from all cards of a game."""

    def __init__(self, cards: Iterable[tuple[Completion, Iterable[str]]]) -> None:
        """`cards` are (card, its spellings with the title first), in the order of titles."""
        self._entries = [
            _Entry(card, tuple(f" {folded_title(spelling)}" for spelling in spellings))
            for card, spellings in cards
        ]

    def matching(self, typed: str, *, side: str = "") -> list[Completion]:
        """At most ten cards: titles that begin so, then words that do, then any place.

        Case, accents and punctuation are compared away; among equals the order of titles
        holds. Nothing typed finds nothing.
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
    """0: it begins so; 1: each word begins one of it; 2: it holds each word; 3: no."""
    if not all(word in spelling for word in words):
        return _NOT_FOUND
    if spelling.startswith(f" {folded}"):
        return 0
    return 1 if all(f" {word}" in spelling for word in words) else 2
