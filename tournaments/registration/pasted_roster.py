"""Lists of names, as typed or from a spreadsheet.

Plain Python: no database. Text in, records out; every problem says where it
is, what is wrong and what to do.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.csv_tables import as_typed
from core.errors import Refusal
from core.text import clean, comparison_key, plain_newlines
from players.names import MAX_PRONOUNS_LENGTH, problems, pronoun_problems

MAX_BYTES = 1024 * 1024
MAX_LINES = 1000
# "1. Ada", "2) Bo", "3: Cy", "- Di", "* Ed", "\u2022 Flo"; not "3Jane" and not "-Gus".
NUMBERING = re.compile(r"\A\s*+(?:[0-9]{1,4}[.):]\s+|[0-9]{1,4}\t|[-*\u2022\u2013\u2014\u00b7]\s+)")
# "Ada <ada@example.org>", "Ada, ada@example.org", "Ada (ada@example.org)"
MAIL_BEHIND = re.compile(
    r"(?<![\s,;])[\s,;]++[<(]?"
    r"(?P<found>[^\s<>(),;@]++@[^\s<>(),;@.]++(?:\.[^\s<>(),;@.]++)++)[>)]?\Z"
)
PRONOUNS = frozenset(
    """
    she her hers he him his they them their theirs it its any all ask
    ae aer ey em eir fae faer hir ne nem per thon ve ver vis xe xem xyr ze zie zir
    sie ihr er ihm ihn dey deren hen hem hij zij ze haar hun die diens
    elle elles il ils iel lui ella ellas el \u00e9l elles lei lo la le loro
    ela ele dele dela elu hon han henne honom ona on ono oni onu
    """.split()  # noqa: SIM905 - it is read as a text
)
"""Words that are pronouns where several stand together, as "she/her" or "xe, xem"."""
ALONE = frozenset(("she", "her", "he", "him", "they", "them", "any", "any pronouns", "ask"))
"""What is pronouns by itself; "Ada (Il)" may be called so."""
# "Ada (she/her)", "Ada [they]", "Ada (she, her)"; which words are pronouns is asked afterwards.
PRONOUNS_BEHIND = re.compile(r"(?<![\s,;])[\s,;]++[(\[](?P<found>[^()\[\]]++)[)\]]\Z")
BETWEEN_PRONOUNS = re.compile(r"\s?[/,]\s?")
LONGEST_READ = 400
"""Characters of a line that are looked through for what stands behind a name."""
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DELIMITERS = ",;\t"
READ = ("name", "pronouns", "seed", "first_round_bye", "paid")
PRIVATE = ("email", "e_mail", "mail")
MAX_SEED = 9999
ANSWERS = {
    **dict.fromkeys(["yes", "y", "true", "1", "x"], True),
    **dict.fromkeys(["no", "n", "false", "0", ""], False),
}
NumberedRow = tuple[int, list[str]]


class RosterNotReadable(Refusal):
    """The list as a whole cannot be read; the text says which line and what to do."""


@dataclass(frozen=True)
class Problem:
    """Something wrong at one place. `line` counts from 1; `column` is "" for a list of names."""

    line: int
    column: str
    text: str

    def __str__(self) -> str:
        place = f"line {self.line}, {self.column}" if self.column else f"line {self.line}"
        return f"{place}: {self.text}"


@dataclass(frozen=True)
class RosterLine:
    """One person to add. `line` is where the person stands in the list, from 1.

    `repeats` is the line that has the same name first, compared by
    `core.text.comparison_key`; two people may share a name, so it is no problem. `mail` tells a
    person who is listed twice, and is not kept; `shares_mail` if it is that of line `repeats`.
    """

    line: int
    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False
    has_paid: bool = False
    repeats: int | None = None
    problems: tuple[Problem, ...] = ()
    mail: str = ""
    shares_mail: bool = False

    @property
    def name_key(self) -> str:
        return comparison_key(self.name)


@dataclass(frozen=True)
class Roster:
    """The people of a list in its order, and what was not read of it."""

    lines: tuple[RosterLine, ...] = ()
    notices: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[RosterLine]:
        return iter(self.lines)


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

    Behind a name a mail address, in <> or without, and pronouns in () are read as such. Raises
    RosterNotReadable when the text is over 1 MB. Names after the first thousand are not read, and
    a notice says so.
    """
    text = checked_size(text)
    named = [
        (number, name)
        for number, line in enumerate(text.split("\n"), start=1)
        if (name := clean(NUMBERING.sub("", line, count=1)))
    ]
    lines = [_name_line(number, name) for number, name in named[:MAX_LINES]]
    left_out = over_the_limit([number for number, _ in named])
    return Roster(marked_repeats(lines), (*_mail_notices(lines), *left_out))


def _mail_notices(lines: Iterable[RosterLine]) -> Iterator[Problem]:
    first = next((line for line in lines if line.mail), None)
    if first is not None:
        yield Problem(
            first.line,
            "",
            "Email addresses are only used to find duplicates. They are not stored.",
        )


def checked_size(text: str) -> str:
    """The text without its byte order mark, with line feeds alone; refused when over 1 MB."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RosterNotReadable(
            f"The list is longer than {MAX_BYTES:,} bytes. Split it into several lists."
        )
    return plain_newlines(text.removeprefix("\ufeff"))


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
    """The lines, each later one of equal mail addresses or names pointing at the first of them."""
    names: dict[str, int] = {}
    mails: dict[str, int] = {}
    marked = []
    for line in lines:
        same_mail = mails.get(line.mail) if line.mail else None
        same = same_mail or names.get(line.name_key)
        marked.append(replace(line, repeats=same, shares_mail=same_mail is not None))
        if line.name_key:
            names.setdefault(line.name_key, line.line)
        if line.mail:
            mails.setdefault(line.mail, line.line)
    return tuple(marked)


def _name_line(number: int, line: str) -> RosterLine:
    name, mail, pronouns = _taken_apart(line)
    wrong = tuple(Problem(number, "", text) for text in problems(name))
    return RosterLine(number, name, pronouns, problems=wrong, mail=mail)


def _taken_apart(line: str) -> tuple[str, str, str]:
    """The name of a line, and the mail address and pronouns behind it, in either order."""
    name, mail, pronouns = line, "", ""
    if len(line) > LONGEST_READ:
        return name, mail, pronouns
    for _ in range(2):
        if not mail and (found := _behind(name, MAIL_BEHIND)):
            name, mail = found
        if not pronouns and (found := _behind(name, PRONOUNS_BEHIND)) and _are_pronouns(found[1]):
            name, pronouns = found
    if mail:
        # As mail programs write them: "Lovelace, Ada" <ada@example.org>
        name = name.strip('"').strip() or name
    return name, mail.casefold(), BETWEEN_PRONOUNS.sub("/", pronouns)


def _are_pronouns(text: str) -> bool:
    """Whether it says how somebody is called, and not a town or a nickname."""
    words = [word.casefold() for word in BETWEEN_PRONOUNS.split(text)]
    if len(words) == 1:
        return words[0] in ALONE
    return len(text) <= MAX_PRONOUNS_LENGTH and all(word in PRONOUNS for word in words)


def _behind(text: str, pattern: re.Pattern[str]) -> tuple[str, str] | None:
    """The text before a match at its end, and what was found; None where nothing stands before."""
    found = pattern.search(text)
    if found is None or not (before := text[: found.start()].rstrip()):
        return None
    return before, found["found"]


def read_csv(text: str) -> Roster:
    """The people of a CSV text with a header in any order, separated by comma, semicolon or tab.

    `name` must be there; `pronouns`, `seed` (1-9999), `first_round_bye` and `paid`
    (yes or no) may. Other columns are left out and named in the notices.
    Raises RosterNotReadable, with the line, when the text is no such table.
    """
    text = checked_size(text)
    rows = list(_rows(text, _delimiter(text)))
    if not rows:
        raise RosterNotReadable(
            "The list is empty. Line 1 must name the columns, one of them name."
        )
    header_line, titles = rows[0]
    header = [_column(title) for title in titles]
    _check_header(header, header_line)
    people = [row for row in rows[1:] if any(clean(cell) for cell in row[1])]
    lines = [_table_line(number, header, cells) for number, cells in people[:MAX_LINES]]
    notices = [*_column_notices(header_line, header, titles)]
    return Roster(
        marked_repeats(lines), (*notices, *over_the_limit([number for number, _ in people]))
    )


def _rows(text: str, delimiter: str) -> Iterator[NumberedRow]:
    """Each row with the line it starts on; a quoted cell may hold line breaks."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    started = 1
    try:
        for row in reader:
            if row:
                yield started, row
            started = reader.line_num + 1
    except csv.Error as error:
        raise RosterNotReadable(
            f"The row that starts on line {started} cannot be read ({error}). "
            'Close every " and write a " inside quotes twice.',
            line=started,
        ) from error


def _delimiter(text: str) -> str:
    """The sign that splits the first line into the most columns we know; the comma in doubt."""
    first = next((line for line in text.split("\n") if line.strip()), "")

    def known(delimiter: str) -> int:
        return sum(_column(title.strip(' "')) in READ for title in first.split(delimiter))

    return max(DELIMITERS, key=known)


def _column(title: str) -> str:
    return comparison_key(title).replace(" ", "_").replace("-", "_")


def _check_header(header: list[str], line: int) -> None:
    if "name" not in header:
        raise RosterNotReadable(
            f"Line {line} must name the columns, one of them name. It has: "
            f"{', '.join(filter(None, header)) or 'nothing'}.",
            line=line,
        )
    for column in READ:
        if header.count(column) > 1:
            raise RosterNotReadable(
                f"Line {line} has the column {column} more than once. Keep one of them.", line=line
            )


def _column_notices(line: int, header: list[str], titles: list[str]) -> Iterator[Problem]:
    for place, (column, title) in enumerate(zip(header, titles, strict=True), start=1):
        label = clean(title) or f"column {place}"
        if column in PRIVATE:
            yield Problem(line, label, "Email addresses are not stored; this column is ignored.")
        elif column not in READ:
            known = ", ".join(READ)
            yield Problem(line, label, f"Not a column we read; it is left out. We read {known}.")


def _table_line(number: int, header: list[str], cells: list[str]) -> RosterLine:
    values = {column: clean(as_typed(cell)) for column, cell in zip(header, cells, strict=False)}
    name, pronouns = values.get("name", ""), values.get("pronouns", "")
    seed, bye = values.get("seed", ""), values.get("first_round_bye", "")
    paid = values.get("paid", "")
    found = [
        *(Problem(number, "name", text) for text in problems(name)),
        *(Problem(number, "pronouns", text) for text in pronoun_problems(pronouns)),
        *_seed_problems(number, seed),
        *_answer_problems(number, "first_round_bye", bye),
        *_answer_problems(number, "paid", paid),
        *_width_problems(number, len(header), cells),
    ]
    return RosterLine(
        number,
        name,
        pronouns,
        seed=None if not seed or found else int(seed),
        first_round_bye=ANSWERS.get(comparison_key(bye), False),
        has_paid=ANSWERS.get(comparison_key(paid), False),
        problems=tuple(found),
    )


def _seed_problems(line: int, seed: str) -> Iterator[Problem]:
    if seed and not (seed.isdecimal() and len(seed) <= 4 and 1 <= int(seed) <= MAX_SEED):
        text = (
            f"The seed must be a whole number from 1 to {MAX_SEED}, or empty. It is {seed[:20]!r}."
        )
        yield Problem(line, "seed", text)


def _answer_problems(line: int, column: str, answer: str) -> Iterator[Problem]:
    if comparison_key(answer) not in ANSWERS:
        text = f"Write yes or no, or leave it empty. It is {answer[:20]!r}."
        yield Problem(line, column, text)


def _width_problems(line: int, width: int, cells: list[str]) -> Iterator[Problem]:
    if any(clean(cell) for cell in cells[width:]):
        text = (
            f"The row has {len(cells)} cells under {width} columns. "
            "Put a cell that contains the separator in quotes."
        )
        yield Problem(line, f"column {width + 1}", text)
