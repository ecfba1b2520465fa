"""Names typed or pasted, one to a line; and what taking over a list would do."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import replace

from core.text import clean, comparison_key
from players.names import problems
from tournaments.registration.pasted_roster.records import (
    MAX_BYTES,
    MAX_LINES,
    Action,
    PlannedEntry,
    Problem,
    Roster,
    RosterLine,
    RosterNotReadable,
)

# "1. Ada", "2) Bo", "3: Cy", "- Di", "* Ed", "\u2022 Flo"; not "3Jane" and not "-Gus".
NUMBERING = re.compile(r"\A\s*+(?:[0-9]{1,4}[.):]\s+|[0-9]{1,4}\t|[-*\u2022\u2013\u2014\u00b7]\s+)")
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes) -> str:
    """The text of an uploaded file: UTF-8, or UTF-16 with its mark.

    Raises RosterNotReadable for anything else; other encodings would be guesses
    that turn letters of names into others.
    """
    if len(data) > MAX_BYTES:
        raise RosterNotReadable(
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read."
        )
    encoding = "utf-16" if data.startswith(UTF16_MARKS) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RosterNotReadable(
            f"Line {line} is not UTF-8 text. Save the file as 'CSV UTF-8' and choose it again."
        ) from error


def read_names(text: str) -> Roster:
    """One person for each line that is not blank; numbers and bullets in front are dropped.

    Raises RosterNotReadable when the text is over 1 MB. Names after the first
    thousand are not read, and a notice says so.
    """
    text = checked_size(text)
    named = [
        (number, name)
        for number, line in enumerate(text.split("\n"), start=1)
        if (name := clean(NUMBERING.sub("", line, count=1)))
    ]
    lines = [_line(number, name) for number, name in named[:MAX_LINES]]
    return Roster(marked_repeats(lines), over_the_limit([number for number, _ in named]))


def checked_size(text: str) -> str:
    """The text without its byte order mark, with line feeds alone; refused when over 1 MB."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RosterNotReadable(
            f"The list is longer than {MAX_BYTES:,} bytes. Split it into several lists."
        )
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def over_the_limit(numbers: list[int]) -> tuple[Problem, ...]:
    """The notice that rows were left out, where there are too many."""
    if len(numbers) <= MAX_LINES:
        return ()
    left_out = len(numbers) - MAX_LINES
    text = (
        f"{left_out} lines from here on are not read: {MAX_LINES} at a time. Add them afterwards."
    )
    return (Problem(numbers[MAX_LINES], "", text),)


def marked_repeats(lines: Iterable[RosterLine]) -> tuple[RosterLine, ...]:
    """The lines, each later one of equal names pointing at the first of them."""
    first: dict[str, int] = {}
    marked = []
    for line in lines:
        if line.name_key in first:
            marked.append(replace(line, repeats=first[line.name_key]))
        else:
            marked.append(line)
            if line.name_key:
                first[line.name_key] = line.line
    return tuple(marked)


def _line(number: int, name: str) -> RosterLine:
    found = tuple(Problem(number, "", text) for text in problems(name))
    return RosterLine(number, name, problems=found)


ExistingId = int | str


def preview(
    lines: Iterable[RosterLine], existing: Iterable[tuple[ExistingId, str]]
) -> list[PlannedEntry]:
    """One planned entry for each line, in order. `existing` are (id, name) of the registered.

    What is wrong with a line comes before whom it repeats, and somebody already
    registered before somebody further up in the list.
    """
    registered: dict[str, tuple[ExistingId, str]] = {}
    for existing_id, name in existing:
        registered.setdefault(comparison_key(name), (existing_id, name))
    return [_planned(line, registered.get(line.name_key)) for line in lines]


def _planned(line: RosterLine, existing: tuple[ExistingId, str] | None) -> PlannedEntry:
    if line.problems:
        reason = " ".join(problem.text for problem in line.problems)
        return PlannedEntry(line, Action.INVALID, reason)
    if existing is not None:
        existing_id, name = existing
        reason = f"{name} is registered. For somebody else, add an initial to tell them apart."
        return PlannedEntry(line, Action.REGISTERED, reason, existing_id)
    if line.repeats is not None:
        reason = f"Same name as line {line.repeats}. Two people: add an initial to one."
        return PlannedEntry(line, Action.REPEATED, reason)
    return PlannedEntry(line, Action.ADD)
