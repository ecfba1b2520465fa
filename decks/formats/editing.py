"""Small changes to a typed list: another title on a line, one more line."""

import re

COPIES_FIRST = re.compile(r"\W*(\d{1,3})(?!\d)\s*[xX*]?(?=\W)")
COPIES_LAST = re.compile(r"\W[xX*]\s*(\d{1,3})\s*$|[(\[](\d{1,3})[)\]]\s*$|\s(\d{1,3})[xX]\s*$")


def with_title(text: str, number: int, title: str) -> str:
    """The text with this title on the line, for as many copies as it had.

    A line that is not there changes nothing.
    """
    lines = text.splitlines()
    if not 1 <= number <= len(lines):
        return text
    copies = _copies(lines[number - 1])
    lines[number - 1] = f"{copies} {title}" if copies else title
    return "\n".join(lines)


def with_card(text: str, copies: int, title: str) -> str:
    """The text with one more line at its end."""
    begun = f"{text.rstrip()}\n" if text.strip() else ""
    return f"{begun}{copies} {title}"


def _copies(line: str) -> str:
    found = COPIES_FIRST.match(line) or COPIES_LAST.search(line)
    return next((group for group in found.groups() if group), "") if found else ""
