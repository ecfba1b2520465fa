"""Split the original document into preamble, sections, items and closing notice."""

import re
from dataclasses import dataclass
from itertools import pairwise

from rulings.parsing.records import Damaged

# A copy with narrow lines may break a rule of "=" into several lines.
RULE = re.compile(r"=(?:\s*=){9,}")
HEADINGS = {"general": "General", "corp": "Corporation", "runner": "Runner"}
SHOWN = 60  # characters of the text in an error message


@dataclass(frozen=True)
class Item:
    """Text between one "@" and the next; `lead` is the start of its section."""

    lead: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Outline:
    """Parts of a document; spans are offsets into `text`."""

    text: str
    preamble: tuple[int, int]
    sections: dict[str, list[Item]]
    closing: tuple[int, int]

    def place(self, offset: int) -> tuple[int, int]:
        return place_in(self.text, offset)

    def damaged(self, offset: int, reason: str) -> Damaged:
        return damaged_at(self.text, offset, reason)


def outline_of(text: str) -> Outline:
    """Return the outline. Raises Damaged if a section or its rules are missing."""
    rules = list(RULE.finditer(text))
    sections = {}
    for index, (section, heading) in enumerate(HEADINGS.items()):
        _check_heading(text, rules, index, heading)
        if len(rules) <= 2 * index + 2:
            reason = f'the section "{heading}" has no end: the file is cut off'
            raise damaged_at(text, len(text), reason)
        start, end = rules[2 * index + 1].end(), rules[2 * index + 2].start()
        sections[section] = _items(text, heading, start, end)
    last = 2 * len(HEADINGS)
    if len(rules) > last + 1:
        if len(rules) == 2 * (last + 1):
            reason = "the list stands a second time in this file: keep one of the two"
            raise damaged_at(text, rules[last + 1].start(), reason)
        raise damaged_at(text, rules[last + 1].start(), "a rule stands after the end of the list")
    preamble = (0, rules[0].start())
    return Outline(text, preamble, sections, (rules[last].end(), len(text)))


def without_subject(text: str, subject: str) -> str | None:
    """Strip the subject from the end of the text; None if the text does not end with it.

    Only letters and digits are compared, because copies write "[TM]" or "(TM)".
    """
    letters = [re.escape(letter) for letter in subject if letter.isalnum()]
    pattern = r"""\s["']*""" + r"[\W_]*".join(letters) + r"[\W_]*\Z"
    found = re.search(pattern, text)
    return text[: found.start()] if found else None


def place_in(text: str, offset: int) -> tuple[int, int]:
    """Return line and character of an offset, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def damaged_at(text: str, offset: int, reason: str) -> Damaged:
    line, character = place_in(text, offset)
    return Damaged(reason, line=line, character=character)


def shortened(text: str, *, from_end: bool = False) -> str:
    """Shorten to SHOWN characters on one line, with "..." at the cut."""
    words = " ".join(text.split())
    if len(words) <= SHOWN:
        return words
    return f"...{words[-SHOWN:]}" if from_end else f"{words[:SHOWN]}..."


def _check_heading(text: str, rules: list[re.Match[str]], index: int, heading: str) -> None:
    if len(rules) < 2 * index + 2:
        reason = f'the section "{heading}" is missing: the file is cut off or is another document'
        raise damaged_at(text, len(text), reason)
    opening, closing = rules[2 * index : 2 * index + 2]
    found = text[opening.end() : closing.start()].strip()
    if found != heading:
        reason = f'the section "{heading}" should begin here, not "{shortened(found)}"'
        raise damaged_at(text, opening.start(), reason)


def _items(text: str, heading: str, start: int, end: int) -> list[Item]:
    marks = [mark.start() for mark in re.finditer("@", text[start:end])]
    if not marks:
        raise damaged_at(text, start, f'the section "{heading}" has no ruling')
    bounds = [start + mark for mark in marks] + [end]
    return [Item(start, left, right, text[left + 1 : right]) for left, right in pairwise(bounds)]
