"""Figures and dates as English phrases of the documents."""

import datetime
from collections.abc import Sequence

SIDE_NAMES = {"corp": "Corp", "runner": "Runner"}


def cards(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"


def points(number: int) -> str:
    return f"{number} agenda point" if number == 1 else f"{number} agenda points"


def all_copies(number: int) -> str:
    """Phrase for removing every copy: "the copy", "both copies", "all 3 copies"."""
    few = {1: "the copy", 2: "both copies"}
    return few.get(number, f"all {number} copies")


def copies(number: int) -> str:
    return f"{number} copy" if number == 1 else f"{number} copies"


def cards_between(first: int, last: int) -> str:
    if first == last:
        return cards(first)
    return f"{first} {'or' if last == first + 1 else 'to'} {last} cards"


def day(date: datetime.date) -> str:
    return f"{date.day} {date:%B %Y}"


def iso_day(text: str) -> str:
    return day(datetime.date.fromisoformat(text))


def listing(words: Sequence[str]) -> str:
    """Join words as "A", "A and B" or "A, B and C"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
