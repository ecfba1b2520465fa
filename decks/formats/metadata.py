"""Metadata in typed lists: identity, name and notes.

jinteki.net writes ";; identity: ...", ";; identity-code: ...", ";; title: ..." and ";; notes: ..."
(INTEROP section 7). Typed lists contain "Identity: ...", "Deck name: ..." or "# My deck".
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

METADATA = re.compile(r"\s*;;\s*(identity-code|identity|title|notes)\s*:(.*)", re.IGNORECASE)
IDENTITY = re.compile(r"(?:identity|ident|id) ?: ?(?=\S)", re.IGNORECASE)
NAME = re.compile(r"(?:deck ?name|deck|name|title) ?: ?(?=\S)", re.IGNORECASE)
# "# My deck" in typed lists, "## My deck" in NetrunnerDB's Markdown.
REMARK = re.compile(r"#{1,6} ")
MAX_NAME = 200


class Metadata(NamedTuple):
    """One line of metadata; `key` is in lower case."""

    number: int
    key: str
    value: str


def metadata(number: int, raw: str) -> Metadata | None:
    """Parse a ";; key: value" line, or return None."""
    found = METADATA.fullmatch(raw)
    if not found:
        return None
    key = found[1].lower()
    # Preserve the indentation of notes.
    value = found[2].removeprefix(" ").rstrip() if key == "notes" else found[2].strip()
    return Metadata(number, key, value)


def identities_in(found: Sequence[Metadata]) -> list[tuple[int, str, str]]:
    """Return (line number, title, printing code) of each identity; title or code may be empty.

    A single code and a single title describe the same identity. The code takes precedence; the
    title is the fallback for an unknown code.
    """
    codes = [one for one in found if one.key == "identity-code" and one.value]
    titles = [one for one in found if one.key == "identity" and one.value]
    if len(codes) == len(titles) == 1:
        return [(codes[0].number, titles[0].value, codes[0].value)]
    by_code = [(one.number, "", one.value) for one in codes]
    return by_code + [(one.number, one.value, "") for one in titles]


def identity_named(line: str) -> str:
    """Return the words after "Identity:" in a typed line, otherwise ""."""
    found = IDENTITY.match(line)
    return line[found.end() :] if found else ""


def name_in(found: Iterable[Metadata], lines: Iterable[str]) -> str:
    """Return the deck name from metadata, from "Deck: Name", or from a leading "# Name" line."""
    titles = [one.value for one in found if one.key == "title" and one.value]
    if titles:
        return titles[0][:MAX_NAME]
    first = True
    for line in (one.strip("\ufeff \t") for one in lines):
        if label := NAME.match(line):
            return line[label.end() :][:MAX_NAME]
        if first and (mark := REMARK.match(line)):
            return line[mark.end() :].strip()[:MAX_NAME]
        first = first and not line
    return ""


def notes_in(found: Iterable[Metadata]) -> str:
    """Join the notes, which have one metadata line for each line of text."""
    return "\n".join(one.value for one in found if one.key == "notes").strip()
