"""A roster from a spreadsheet: CSV with a line of column names."""

import csv
import io
from collections.abc import Iterator

from core.csv_tables import as_typed
from core.text import clean, comparison_key
from players.names import problems, pronoun_problems
from tournaments.registration.pasted_roster.reading import (
    checked_size,
    marked_repeats,
    over_the_limit,
)
from tournaments.registration.pasted_roster.records import (
    MAX_LINES,
    Problem,
    Roster,
    RosterLine,
    RosterNotReadable,
)

DELIMITERS = ",;\t"
READ = ("name", "pronouns", "seed", "first_round_bye")
PRIVATE = ("email", "e_mail", "mail")
MAX_SEED = 9999
ANSWERS = {
    **dict.fromkeys(["yes", "y", "true", "1", "x"], True),
    **dict.fromkeys(["no", "n", "false", "0", ""], False),
}

NumberedRow = tuple[int, list[str]]


def read_csv(text: str) -> Roster:
    """The people of a CSV text with a header in any order, separated by comma, semicolon or tab.

    `name` must be there; `pronouns`, `seed` (1-9999) and `first_round_bye`
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
    lines = [_line(number, header, cells) for number, cells in people[:MAX_LINES]]
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
            yield Problem(line, label, "Mail addresses are not kept; this column is left out.")
        elif column not in READ:
            known = ", ".join(READ)
            yield Problem(line, label, f"Not a column we read; it is left out. We read {known}.")


def _line(number: int, header: list[str], cells: list[str]) -> RosterLine:
    values = {column: clean(as_typed(cell)) for column, cell in zip(header, cells, strict=False)}
    name, pronouns = values.get("name", ""), values.get("pronouns", "")
    seed, bye = values.get("seed", ""), values.get("first_round_bye", "")
    found = [
        *(Problem(number, "name", text) for text in problems(name)),
        *(Problem(number, "pronouns", text) for text in pronoun_problems(pronouns)),
        *_seed_problems(number, seed),
        *_bye_problems(number, bye),
        *_width_problems(number, len(header), cells),
    ]
    return RosterLine(
        number,
        name,
        pronouns,
        seed=None if not seed or found else int(seed),
        first_round_bye=ANSWERS.get(comparison_key(bye), False),
        problems=tuple(found),
    )


def _seed_problems(line: int, seed: str) -> Iterator[Problem]:
    if seed and not (seed.isdecimal() and len(seed) <= 4 and 1 <= int(seed) <= MAX_SEED):
        text = (
            f"The seed must be a whole number from 1 to {MAX_SEED}, or empty. It is {seed[:20]!r}."
        )
        yield Problem(line, "seed", text)


def _bye_problems(line: int, answer: str) -> Iterator[Problem]:
    if comparison_key(answer) not in ANSWERS:
        text = f"Write yes or no, or leave it empty. It is {answer[:20]!r}."
        yield Problem(line, "first_round_bye", text)


def _width_problems(line: int, width: int, cells: list[str]) -> Iterator[Problem]:
    if any(clean(cell) for cell in cells[width:]):
        text = (
            f"The row has {len(cells)} cells under {width} columns. "
            "Put a cell that contains the separator in quotes."
        )
        yield Problem(line, f"column {width + 1}", text)
