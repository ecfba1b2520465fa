"""What a list of typed lines says of itself: identity, name and notes.

jinteki.net writes ";; identity: ...", ";; identity-code: ...", ";; title: ..." and ";; notes:
..." (INTEROP section 7); people write "Identity: ...", "Deck name: ..." or "# My deck".
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

METADATA = re.compile(r"\s*;;\s*(identity-code|identity|title|notes)\s*:(.*)", re.IGNORECASE)
IDENTITY = re.compile(r"(?:identity|ident|id) ?: ?(?=\S)", re.IGNORECASE)
NAME = re.compile(r"(?:deck ?name|deck|name|title) ?: ?(?=\S)", re.IGNORECASE)
# "# My deck" by hand, "## My deck" in NetrunnerDB's Markdown.
REMARK = re.compile(r"#{1,6} ")
MAX_NAME = 200


class Metadata(NamedTuple):
    """One line of metadata; `key` is in lower case."""

    number: int
    key: str
    value: str


def metadata(number: int, raw: str) -> Metadata | None:
    """The line as metadata, if it is such."""
    found = METADATA.fullmatch(raw)
    if not found:
        return None
    key = found[1].lower()
    # Notes keep how far their lines are set in.
    value = found[2].removeprefix(" ").rstrip() if key == "notes" else found[2].strip()
    return Metadata(number, key, value)


def identities_in(found: Sequence[Metadata]) -> list[tuple[int, str, str]]:
    """(number of the line, title, code of the printing) of each identity; title or code is there.

    A code and a title tell of one identity: the code goes before the title, which is what is
    left if nobody knows the code.
    """
    codes = [one for one in found if one.key == "identity-code" and one.value]
    titles = [one for one in found if one.key == "identity" and one.value]
    if len(codes) == len(titles) == 1:
        return [(codes[0].number, titles[0].value, codes[0].value)]
    by_code = [(one.number, "", one.value) for one in codes]
    return by_code + [(one.number, one.value, "") for one in titles]


def identity_named(line: str) -> str:
    """What "Identity: Words" names, by hand; nothing for other lines."""
    found = IDENTITY.match(line)
    return line[found.end() :] if found else ""


def name_in(found: Iterable[Metadata], lines: Iterable[str]) -> str:
    """The name of the deck: as metadata, as "Deck: Words", or as a remark that comes first."""
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
    """The notes, which have a line of metadata for each of their lines."""
    return "\n".join(one.value for one in found if one.key == "notes").strip()
