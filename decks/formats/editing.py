"""Edit a typed list: replace the title on a line, or append a line."""

import re

COPIES_FIRST = re.compile(r"\W*(\d{1,3})(?!\d)\s*[xX*]?(?=\W)")
COPIES_LAST = re.compile(r"\W[xX*]\s*(\d{1,3})\s*$|[(\[](\d{1,3})[)\]]\s*$|\s(\d{1,3})[xX]\s*$")


def with_title(text: str, number: int, title: str) -> str:
    """Replace the title on a line and preserve its quantity.

    Returns the text unchanged if the line does not exist.
    """
    lines = text.splitlines()
    if not 1 <= number <= len(lines):
        return text
    copies = _copies(lines[number - 1])
    lines[number - 1] = f"{copies} {title}" if copies else title
    return "\n".join(lines)


def with_card(text: str, copies: int, title: str) -> str:
    begun = f"{text.rstrip()}\n" if text.strip() else ""
    return f"{begun}{copies} {title}"


def _copies(line: str) -> str:
    found = COPIES_FIRST.match(line) or COPIES_LAST.search(line)
    return next((group for group in found.groups() if group), "") if found else ""
