"""Parse lists of players, typed or from a spreadsheet, and plan their entries.

Pure Python without a database. Every problem states its place, its cause and a fix.
"""

import codecs
import csv
import io
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from core.csv_tables import unescape_cell
from core.errors import Refusal
from core.text import (
    Message,
    clean,
    comparison_key,
    gettext_noop,
    ngettext_lazy,
    plain_newlines,
    skeleton,
    sort_key,
)
from players.names import EMAIL_ADDRESS, name_problems, pronoun_problems, without_email_addresses
from tournaments.registration.roster_layout import (
    BETWEEN_PRONOUNS,
    IGNORED,
    LINES,
    USE_NAMES,
    RosterColumn,
    are_pronouns,
    read_layout,
    without_numbering,
)

MAX_BYTES = 1024 * 1024
MAX_LINES = 1000
# "Ada <ada@example.org>", "Ada, ada@example.org", "Ada (ada@example.org)"
MAIL_BEHIND = re.compile(
    r"(?<![\s,;])[\s,;]++[<(]?"
    r"(?P<found>[^\s<>(),;@]++@[^\s<>(),;@.]++(?:\.[^\s<>(),;@.]++)++)[>)]?\Z"
)
# "Ada (she/her)", "Ada [they]", "Ada (she, her)"; `are_pronouns` then checks the words.
PRONOUNS_BEHIND = re.compile(r"(?<![\s,;])[\s,;]++[(\[](?P<found>[^()\[\]]++)[)\]]\Z")
# "Ada she/her NBN": words joined by a slash, and what follows them.
PRONOUNS_INSIDE = re.compile(r"\s(?P<found>[^\W\d_]+(?:/[^\W\d_]+)+)(?=\s|\Z)")
# Only lines up to this length are searched for text after the name.
LONGEST_READ = 400
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DELIMITERS = ",;\t"
CSV_COLUMNS = ("name", "pronouns", "seed", "first_round_bye", "paid")
PRIVATE_COLUMNS = ("email", "e_mail", "mail")
MAX_SEED = 9999
YES_NO_ANSWERS = {
    **dict.fromkeys(["yes", "y", "true", "1", "x", "\u2611", "\u2713", "\u2714"], True),
    **dict.fromkeys(["no", "n", "false", "0", "", "\u2610"], False),
}
NumberedRow = tuple[int, list[str]]


class RosterNotReadable(Refusal):
    """The list as a whole cannot be read; the message names the line and a fix."""

    def __init__(self, message: Message, **details: Any) -> None:
        super().__init__(str(message), **details)
        self.message = message


@dataclass(frozen=True)
class RosterProblem:
    """A problem in the list. `line` counts from 1; `column` is "" for a list of names."""

    line: int
    column: str | Message
    text: Message

    @property
    def in_place(self) -> Message:
        """The problem and its place."""
        text = (
            gettext_noop("line %(line)s, %(column)s: %(text)s")
            if self.column
            else gettext_noop("line %(line)s: %(text)s")
        )
        return Message(text, {"line": self.line, "column": self.column, "text": self.text})


@dataclass(frozen=True)
class RosterLine:
    """A player to add, from line `line` of the list, counted from 1.

    `is_heading` marks a probable title. `left_out` is ignored text after the pronouns, such as a
    faction. `repeats` is the first line with the same name by `core.text.comparison_key`; this is
    not a problem, because players may share a name. `mail` identifies duplicates and is not stored;
    `shares_mail` is True if line `repeats` has the same address.
    """

    line: int
    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False
    has_paid: bool = False
    repeats: int | None = None
    problems: tuple[RosterProblem, ...] = ()
    mail: str = ""
    shares_mail: bool = False
    is_heading: bool = False
    left_out: str = ""

    @property
    def name_key(self) -> str:
        return comparison_key(self.name)


@dataclass(frozen=True)
class Roster:
    lines: tuple[RosterLine, ...] = ()
    notices: tuple[RosterProblem, ...] = ()
    layout: str = ""
    columns: tuple[RosterColumn, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[RosterLine]:
        return iter(self.lines)


def decode_upload(data: bytes) -> str:
    """Decode an uploaded file: UTF-8, or UTF-16 with a byte order mark.

    Raises RosterNotReadable for other encodings, because guessing could corrupt names.
    """
    if len(data) > MAX_BYTES:
        raise file_too_large(len(data))
    encoding = "utf-16" if data.startswith(UTF16_MARKS) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RosterNotReadable(
            Message(
                gettext_noop(
                    "Line %(line)s is not UTF-8 text. Save the file as 'CSV UTF-8' and choose it "
                    "again."
                ),
                {"line": line},
            )
        ) from error


def file_too_large(size: int) -> RosterNotReadable:
    text = gettext_noop("The file has %(size)s bytes; at most %(max_bytes)s are read.")
    return RosterNotReadable(Message(text, {"size": f"{size:,}", "max_bytes": f"{MAX_BYTES:,}"}))


def read_names(text: str, layout: str = "", uses: Sequence[str] = ()) -> Roster:
    """Parse a list of names, one or several per line, or a table of any kind.

    Leading numbers and bullets are dropped. An email address and pronouns after a name are
    recognised. `layout` and `uses` are as in `read_layout`; if empty, they are detected. Only the
    first MAX_LINES names are read, with a notice. Raises RosterNotReadable for text over 1 MB, for
    a missing name column, and if two columns have the same use.
    """
    table = read_layout(clean_text(text), layout, uses)
    header = [column.use for column in table.columns]
    if header and not {"name", "first_name", "last_name"} & set(header):
        raise RosterNotReadable(
            Message(gettext_noop("No column is chosen as the name. Choose one."))
        )
    for use in {*header} - {IGNORED}:
        if header.count(use) > 1:
            raise RosterNotReadable(
                Message(
                    gettext_noop('Two columns are chosen as "%(use)s". Choose one.'),
                    {"use": Message(USE_NAMES[use])},
                )
            )
    lines = []
    for row in table.rows[:MAX_LINES]:
        if header and not row.is_heading:
            line = _pasted_line(row.line, header, row.cells)
        else:
            line = _name_line(row.line, clean(" ".join(row.cells)), is_heading=row.is_heading)
        if line is not None:
            lines.append(line)
    left_out = limit_notices([*(row.line for row in table.rows), *table.unread])
    notices = (*_mail_notices(lines), *_text_notices(lines, table.layout), *left_out)
    return Roster(mark_repeats(lines), notices, table.layout, table.columns)


def replace_names(roster: Roster, names: Mapping[int, str]) -> Roster:
    lines = []
    for line in roster:
        if name := clean(names.get(line.line, "")):
            others = [problem for problem in line.problems if problem.column not in ("", "name")]
            wrong = [RosterProblem(line.line, "name", text) for text in name_problems(name)]
            line = replace(line, name=name, problems=(*wrong, *others), is_heading=False)
        lines.append(replace(line, repeats=None, shares_mail=False))
    return replace(roster, lines=mark_repeats(lines))


def _mail_notices(lines: Iterable[RosterLine]) -> Iterator[RosterProblem]:
    first = next((line for line in lines if line.mail), None)
    if first is not None:
        yield RosterProblem(
            first.line,
            "",
            Message(
                gettext_noop(
                    "Email addresses are only used to find duplicates. They are not stored."
                )
            ),
        )


def _text_notices(lines: Sequence[RosterLine], layout: str) -> Iterator[RosterProblem]:
    for line in lines:
        if line.left_out:
            text = Message(
                gettext_noop('"%(text)s" after the pronouns is left out.'), {"text": line.left_out}
            )
            yield RosterProblem(line.line, "", text)
    first = next((line for line in lines if layout == LINES and "," in line.name), None)
    if first is not None:
        text = Message(
            gettext_noop(
                '"%(name)s" is read as one player. For several players, choose "Several players '
                'per line".'
            ),
            {"name": first.name},
        )
        yield RosterProblem(first.line, "", text)


def clean_text(text: str) -> str:
    """Strip the byte order mark and normalise newlines. Raises RosterNotReadable above 1 MB."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RosterNotReadable(
            Message(
                gettext_noop(
                    "The list is longer than %(max_bytes)s bytes. Split it into several lists."
                ),
                {"max_bytes": f"{MAX_BYTES:,}"},
            )
        )
    return plain_newlines(text.removeprefix("\ufeff"))


def limit_notices(numbers: list[int]) -> tuple[RosterProblem, ...]:
    if len(numbers) <= MAX_LINES:
        return ()
    text = ngettext_lazy(
        "%(number)s line from here on is not read: %(most)s at a time. Add it afterwards.",
        "%(number)s lines from here on are not read: %(most)s at a time. Add them afterwards.",
        number=len(numbers) - MAX_LINES,
        most=MAX_LINES,
    )
    return (RosterProblem(numbers[MAX_LINES], "", text),)


def mark_repeats(lines: Iterable[RosterLine]) -> tuple[RosterLine, ...]:
    """Point each line with a repeated email address or name to the first such line."""
    names: dict[str, int] = {}
    mails: dict[str, int] = {}
    marked = []
    for line in lines:
        name_key = line.name_key
        same_mail = mails.get(line.mail) if line.mail else None
        same = same_mail or names.get(name_key)
        marked.append(replace(line, repeats=same, shares_mail=same_mail is not None))
        if name_key:
            names.setdefault(name_key, line.line)
        if line.mail:
            mails.setdefault(line.mail, line.line)
    return tuple(marked)


def _name_line(number: int, text: str, *, is_heading: bool) -> RosterLine:
    apart = _split_name(text)
    wrong = tuple(RosterProblem(number, "", text) for text in name_problems(apart.name))
    return RosterLine(
        number,
        apart.name,
        apart.pronouns,
        problems=wrong,
        mail=apart.mail,
        # A heading has neither pronouns nor an address.
        is_heading=is_heading and not (apart.pronouns or apart.mail),
        left_out=apart.left_out,
    )


class NameParts(NamedTuple):
    name: str
    mail: str = ""
    pronouns: str = ""
    left_out: str = ""


def _split_name(line: str) -> NameParts:
    """Split a line into a name, email address and pronouns, in either order."""
    name, mail, pronouns, left_out = line, "", "", ""
    if len(line) > LONGEST_READ:
        return NameParts(line)
    for _ in range(2):
        if not mail and (parts := _split_end(name, MAIL_BEHIND)):
            name, mail = parts
        if not pronouns and (parts := _split_end(name, PRONOUNS_BEHIND)) and are_pronouns(parts[1]):
            name, pronouns = parts
    if not pronouns and (inside := PRONOUNS_INSIDE.search(name)) and are_pronouns(inside["found"]):
        pronouns, left_out = inside["found"], name[inside.end() :].strip(" ,;|\u2013\u2014-")
        name = name[: inside.start()].rstrip(" ,;:|\u2013\u2014-") or name[: inside.start()]
    address = EMAIL_ADDRESS.search(name)
    if not mail and address and (rest := without_email_addresses(name)):
        name, mail = rest, address[0].strip("<>()[]")
    if mail:
        # As mail programs write them: "Lovelace, Ada" <ada@example.org>
        name = name.strip('"').strip() or name
    return NameParts(name, mail.casefold(), BETWEEN_PRONOUNS.sub("/", pronouns), left_out)


def _split_end(text: str, pattern: re.Pattern[str]) -> tuple[str, str] | None:
    match = pattern.search(text)
    if match is None or not (before := text[: match.start()].rstrip()):
        return None
    return before, match["found"]


def read_csv(text: str) -> Roster:
    """Parse CSV with a header, separated by comma, semicolon or tab.

    `name` is required; `pronouns`, `seed` (1-9999), `first_round_bye` and `paid` (yes or no) are
    optional. Other columns are ignored with a notice. Raises RosterNotReadable, with the line, for
    other text.
    """
    text = clean_text(text)
    rows = list(_csv_rows(text, _delimiter(text)))
    if not rows:
        raise RosterNotReadable(
            Message(
                gettext_noop("The list is empty. Line 1 must name the columns, one of them name.")
            )
        )
    header_line, titles = rows[0]
    header = [_column_key(title) for title in titles]
    _refuse_header(header, header_line)
    people = [row for row in rows[1:] if any(clean(cell) for cell in row[1])]
    lines = [_table_line(number, header, cells) for number, cells in people[:MAX_LINES]]
    notices = [*_column_notices(header_line, header, titles)]
    return Roster(mark_repeats(lines), (*notices, *limit_notices([number for number, _ in people])))


def _csv_rows(text: str, delimiter: str) -> Iterator[NumberedRow]:
    """Yield rows with their starting lines; quoted cells may contain line breaks."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    started = 1
    try:
        for row in reader:
            if row:
                yield started, row
            started = reader.line_num + 1
    except csv.Error as error:
        raise RosterNotReadable(
            Message(
                gettext_noop(
                    "The row that starts on line %(line)s cannot be read (%(error)s). "
                    'Close every " and write a " inside quotes twice.'
                ),
                {"line": started, "error": error},
            ),
            line=started,
        ) from error


def _delimiter(text: str) -> str:
    """Return the delimiter that yields the most known columns in the first line; default comma."""
    first = next((line for line in text.split("\n") if line.strip()), "")

    def known(delimiter: str) -> int:
        return sum(
            _column_key(title.strip(' "')) in CSV_COLUMNS for title in first.split(delimiter)
        )

    return max(DELIMITERS, key=known)


def _column_key(title: str) -> str:
    return comparison_key(title).replace(" ", "_").replace("-", "_")


def _refuse_header(header: list[str], line: int) -> None:
    if "name" not in header:
        titles = ", ".join(filter(None, header))
        text = (
            gettext_noop(
                "Line %(line)s must name the columns, one of them name. It has: %(titles)s."
            )
            if titles
            else gettext_noop("Line %(line)s must name the columns, one of them name.")
        )
        raise RosterNotReadable(Message(text, {"line": line, "titles": titles}), line=line)
    for column in CSV_COLUMNS:
        if header.count(column) > 1:
            raise RosterNotReadable(
                Message(
                    gettext_noop(
                        "Line %(line)s has the column %(column)s more than once. Keep one of them."
                    ),
                    {"line": line, "column": column},
                ),
                line=line,
            )


def _column_notices(line: int, header: list[str], titles: list[str]) -> Iterator[RosterProblem]:
    for place, (column, title) in enumerate(zip(header, titles, strict=True), start=1):
        label = clean(title) or _untitled_column(place)
        if column in PRIVATE_COLUMNS:
            text = gettext_noop("Email addresses are not stored; this column is ignored.")
            yield RosterProblem(line, label, Message(text))
        elif column not in CSV_COLUMNS:
            text = gettext_noop("This column is ignored. The columns in use are %(columns)s.")
            yield RosterProblem(line, label, Message(text, {"columns": ", ".join(CSV_COLUMNS)}))


def _untitled_column(number: int) -> Message:
    return Message(gettext_noop("column %(number)s"), {"number": number})


def _pasted_line(number: int, uses: Sequence[str], cells: Sequence[str]) -> RosterLine | None:
    """Parse a row of a pasted table; None if its used columns are empty."""
    values = {use: cell for use, cell in zip(uses, cells, strict=False) if use != IGNORED}
    if not any(values.values()):
        return None
    halves = f"{values.get('first_name', '')} {values.get('last_name', '')}"
    apart = _split_name(clean(without_numbering(values.get("name") or halves)))
    values["name"] = apart.name
    values["pronouns"] = values.get("pronouns", "").strip("()[]") or apart.pronouns
    line = _table_line(number, CSV_COLUMNS, [values.get(column, "") for column in CSV_COLUMNS])
    mail = values.get("email", "").strip("<>").casefold()
    return replace(line, mail=mail or apart.mail, left_out=apart.left_out)


def _table_line(number: int, header: Sequence[str], cells: Sequence[str]) -> RosterLine:
    values = {
        column: clean(unescape_cell(cell)) for column, cell in zip(header, cells, strict=False)
    }
    name, pronouns = values.get("name", ""), values.get("pronouns", "")
    seed, bye = values.get("seed", ""), values.get("first_round_bye", "")
    paid = values.get("paid", "")
    problems = [
        *(RosterProblem(number, "name", text) for text in name_problems(name)),
        *(RosterProblem(number, "pronouns", text) for text in pronoun_problems(pronouns)),
    ]
    if seed and not (seed.isdecimal() and len(seed) <= 4 and 1 <= int(seed) <= MAX_SEED):
        text = Message(
            gettext_noop(
                "The seed must be a whole number from 1 to %(most)s, or empty. It is %(seed)s."
            ),
            {"most": MAX_SEED, "seed": repr(seed[:20])},
        )
        problems.append(RosterProblem(number, "seed", text))
    for column, answer in (("first_round_bye", bye), ("paid", paid)):
        if comparison_key(answer) not in YES_NO_ANSWERS:
            text = Message(
                gettext_noop("Write yes or no, or leave it empty. It is %(answer)s."),
                {"answer": repr(answer[:20])},
            )
            problems.append(RosterProblem(number, column, text))
    if any(clean(cell) for cell in cells[len(header) :]):
        text = Message(
            gettext_noop(
                "The row has more cells (%(cells)s) than there are columns (%(columns)s). Put a "
                "cell that contains the separator in quotes."
            ),
            {"cells": len(cells), "columns": len(header)},
        )
        problems.append(RosterProblem(number, _untitled_column(len(header) + 1), text))
    return RosterLine(
        number,
        name,
        pronouns,
        seed=None if not seed or problems else int(seed),
        first_round_bye=YES_NO_ANSWERS.get(comparison_key(bye), False),
        has_paid=YES_NO_ANSWERS.get(comparison_key(paid), False),
        problems=tuple(problems),
    )


# Planned entries


ExistingId = int | str
# Shorter names and words often differ by one letter, such as "Jan" and "Jon", or "K." and "L.".
SHORTEST_NAME, SHORTEST_WORD = 6, 3


class LineAction(StrEnum):
    ADD = "add"
    SIMILAR = "similar name"
    REGISTERED = "already registered"
    REPEATED = "twice in the list"
    HEADING = "heading"
    INVALID = "not usable"

    @property
    def is_duplicate(self) -> bool:
        return self in (LineAction.REGISTERED, LineAction.REPEATED)

    @property
    def adds(self) -> bool:
        return self in (LineAction.ADD, LineAction.SIMILAR)


@dataclass(frozen=True)
class PlannedEntry:
    """The planned action for a line. `existing_id` is the registration it resembles."""

    line: RosterLine
    action: LineAction
    reasons: tuple[Message, ...] = ()
    existing_id: int | str | None = None

    @property
    def reason(self) -> str:
        """The reasons in English."""
        return " ".join(map(str, self.reasons))

    def is_added(self, also: Container[object], without: Container[object] = ()) -> bool:
        """Return True if the line is added.

        Lines in `without` are never added. Duplicates and headings are added only if in `also`.
        """
        if self.action == LineAction.INVALID or self.line.line in without:
            return False
        return self.action.adds or self.line.line in also

    def marks_paid(self, also: Container[object]) -> bool:
        is_known = self.action == LineAction.REGISTERED and not self.is_added(also)
        return is_known and self.line.has_paid


def plan_entries(
    lines: Iterable[RosterLine], existing: Iterable[tuple[ExistingId, str]]
) -> list[PlannedEntry]:
    """Plan an entry for each line, in order; `existing` are (id, name) of registrations.

    The first match decides: a problem, a heading, a registered player, an earlier line with the
    same email address or name, a name that differs by one letter.
    """
    registered: dict[str, tuple[ExistingId, str]] = {}
    similar = SimilarNames()
    for existing_id, name in existing:
        registered.setdefault(comparison_key(name), (existing_id, name))
        text = gettext_noop("Almost the same as %(name)s, who is registered.")
        similar.add(name, Message(text, {"name": name}), existing_id)
    planned = []
    for line in lines:
        entry = _plan_entry(line, registered.get(line.name_key), similar)
        planned.append(entry)
        if entry.action.adds:
            text = gettext_noop("Almost the same as %(name)s on line %(line)s.")
            similar.add(line.name, Message(text, {"name": line.name, "line": line.line}))
    return planned


def _plan_entry(
    line: RosterLine, existing: tuple[ExistingId, str] | None, similar: "SimilarNames"
) -> PlannedEntry:
    if line.problems:
        reasons = tuple(problem.text for problem in line.problems)
        return PlannedEntry(line, LineAction.INVALID, reasons)
    if line.is_heading:
        heading = Message(gettext_noop("Looks like a heading, not a player."))
        return PlannedEntry(line, LineAction.HEADING, (heading,))
    if existing is not None:
        existing_id, name = existing
        text = (
            gettext_noop(
                "%(name)s is already registered and will be marked as paid. If this is a "
                "different person, add an initial."
            )
            if line.has_paid
            else gettext_noop(
                "%(name)s is already registered. If this is a different person, add an initial."
            )
        )
        return PlannedEntry(
            line, LineAction.REGISTERED, (Message(text, {"name": name}),), existing_id
        )
    if line.repeats is not None:
        text = (
            gettext_noop("Same email address as line %(line)s: the same person.")
            if line.shares_mail
            else gettext_noop("Same name as line %(line)s. Two people: add an initial to one.")
        )
        return PlannedEntry(line, LineAction.REPEATED, (Message(text, {"line": line.repeats}),))
    if lookalike := similar.first_like(line.name):
        reason, similar_id = lookalike
        return PlannedEntry(line, LineAction.SIMILAR, (reason,), similar_id)
    return PlannedEntry(line, LineAction.ADD)


class SimilarNames:
    """Index of names by near spellings, to avoid comparing all pairs."""

    def __init__(self) -> None:
        self.by_spelling: dict[str, list[tuple[str, Message, ExistingId | None]]] = {}

    def add(self, name: str, reason: Message, existing_id: ExistingId | None = None) -> None:
        for spelling in set(_near_spellings(name)):
            self.by_spelling.setdefault(spelling, []).append((name, reason, existing_id))

    def first_like(self, name: str) -> tuple[Message, ExistingId | None] | None:
        for spelling in sorted(set(_near_spellings(name))):
            for known_name, reason, existing_id in self.by_spelling.get(spelling, ()):
                if are_similar_names(name, known_name):
                    return reason, existing_id
        return None


def known_spellings(names: Iterable[str], known_names: Iterable[str]) -> dict[str, str]:
    """Map names to similar known names, as in `are_similar_names`; known names are left out."""
    by_spelling: dict[str, set[str]] = {}
    for name in names:
        for spelling in _near_spellings(name):
            by_spelling.setdefault(spelling, set()).add(name)
    similar: dict[str, str] = {}
    known_keys = set()
    for known in known_names:
        known_keys.add(comparison_key(known))
        near = (by_spelling.get(spelling, ()) for spelling in _near_spellings(known))
        for name in set().union(*near):
            if are_similar_names(name, known):
                similar.setdefault(name, known)
    return {
        name: known for name, known in similar.items() if comparison_key(name) not in known_keys
    }


def are_similar_names(name: str, other: str) -> bool:
    """Return True if the names differ by one letter, an accent or look-alike characters."""
    key, other_key = comparison_key(name), comparison_key(other)
    if key == other_key:
        return False
    if sort_key(name) == sort_key(other) or skeleton(name) == skeleton(other):
        return True
    return _differ_by_one_letter(key, other_key)


def _near_spellings(name: str) -> Iterator[str]:
    """Yield keys such that near names share a key: the name without one letter, and so on."""
    key = comparison_key(name)
    yield from (key, f"sort:{sort_key(name)}", f"looks:{skeleton(name)}")
    for place in range(len(key)):
        yield key[:place] + key[place + 1 :]


def _differ_by_one_letter(key: str, other: str) -> bool:
    """Return True if one letter is changed, added or missing, or two neighbours are swapped."""
    shorter = min(len(key), len(other))
    if shorter < SHORTEST_NAME:
        return False
    start = end = 0
    while start < shorter and key[start] == other[start]:
        start += 1
    while end < shorter - start and key[-1 - end] == other[-1 - end]:
        end += 1
    middle, other_middle = key[start : len(key) - end], other[start : len(other) - end]
    is_swap = len(middle) == 2 and middle == other_middle[::-1]
    if not is_swap and max(len(middle), len(other_middle)) > 1:
        return False
    changed = middle + other_middle
    if any(letter.isdigit() for letter in changed):
        return False  # "Player 1" and "Player 2".
    if not any(letter.isalpha() for letter in changed):
        return True
    return min(len(_word_at(key, start)), len(_word_at(other, start))) >= SHORTEST_WORD


def _word_at(text: str, place: int) -> str:
    return text[text.rfind(" ", 0, place) + 1 :].split(" ", 1)[0]
