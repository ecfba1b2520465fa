"""Layouts of a pasted list: one player per line, several per line, or a table.

Pure Python without a database. Tables may come from a spreadsheet, a web page, Markdown or a chat.
Columns are recognised by their titles, or else by their cells.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.text import clean, comparison_key, gettext_noop
from players.names import EMAIL_ADDRESS, MAX_PRONOUNS_LENGTH

# "1. Ada", "2) Bo", "3: Cy", "- Di", "* Ed", "\u2022 Flo"; not "3Jane" and not "-Gus".
NUMBERING = re.compile(
    r"\A\s*+(?:(?:[0-9]{1,4}[.):]|[-*\u2022\u2013\u2014\u00b7])\s+)?"
    r"(?:(?:\[[ xX]?\]|[\u2610-\u2612\u2705\u2714])\s+)?"
)
POSITION = re.compile(r"\A\s*+[0-9]{1,4}\s+(?=\S)")
# "|---|:-:|" below the titles of a Markdown table, "+----+----+" around a table, and rules.
RULE_LINE = re.compile(r"[\s|:+=_*\u2013\u2014-]{3,}")
SEPARATORS = {"tab": "\t", "pipe": "|", "semicolon": ";", "comma": ","}
SPACES = re.compile(r"\s{2,}")
AND_WORD = re.compile(r"\s(?:and|und|&)\s")
LINES, LIST, SPACED = "lines", "list", "spaces"
# One player per line, several per line, and tables by their column separator.
LAYOUTS = (LINES, LIST, *SEPARATORS, SPACED)
# Longer lines are not split.
LONGEST_READ = 20_000
MAX_COLUMNS = 20
# Limit of lines that are split: a thousand players and a line of titles.
MAX_LAYOUT_LINES = 1001

IGNORED = "ignored"
USE_NAMES = {
    "name": gettext_noop("Name"),
    "first_name": gettext_noop("First name"),
    "last_name": gettext_noop("Last name"),
    "pronouns": gettext_noop("Pronouns"),
    "seed": gettext_noop("Seed"),
    "first_round_bye": gettext_noop("First-round bye"),
    "paid": gettext_noop("Paid"),
    "email": gettext_noop("Email, to find duplicates"),
    IGNORED: gettext_noop("Ignored"),
}
USES = tuple(USE_NAMES)
TITLES = {
    "name": "name, names, player, players, player name, player names, full name, display name, "
    "participant, participants, attendee, attendees, nickname, handle, "
    "spieler, spielerin, spieler:in, spielername, teilnehmer, teilnehmerin, "
    "joueur, joueuse, joueurs, nom, jugador, jugadora, jugadores, nombre, giocatore, gracz",
    "first_name": "first name, given name, forename, vorname, pr\u00e9nom",
    "last_name": "last name, surname, family name, nachname, nom de famille, apellido, cognome",
    "pronouns": "pronouns, pronoun, pronomen, pronoms, pronombres",
    "seed": "seed",
    "first_round_bye": "first round bye, first-round bye, bye",
    "paid": "paid, has paid, bezahlt",
    "email": "email, e-mail, mail, email address, e-mail address, mail address",
}
USE_OF_TITLE = {
    comparison_key(title): use for use, titles in TITLES.items() for title in titles.split(", ")
}
# Words that are pronouns in combination, such as "she/her" or "xe, xem".
PRONOUNS = frozenset(
    """
    she her hers he him his they them their theirs it its any all ask
    ae aer ey em eir fae faer hir ne nem per thon ve ver vis xe xem xyr ze zie zir
    sie ihr er ihm ihn dey deren hen hem hij zij ze haar hun die diens
    elle elles il ils iel lui ella ellas el \u00e9l elles lei lo la le loro
    ela ele dele dela elu hon han henne honom ona on ono oni onu
    """.split()  # noqa: SIM905 - it is read as a text
)
# Words that are pronouns on their own. "Il" is not: "Ada (Il)" may be a name.
SINGLE_PRONOUNS = frozenset(
    ("she", "her", "he", "him", "they", "them", "any", "any pronouns", "ask")
)
BETWEEN_PRONOUNS = re.compile(r"\s?[/,]\s?")
FACTIONS = frozenset(
    """
    hb haas-bioroid jinteki nbn weyland anarch anarchs criminal criminals crim shaper shapers
    """.split()  # noqa: SIM905 - it is read as a text
)


@dataclass(frozen=True)
class RosterColumn:
    use: str
    title: str = ""
    sample: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListRow:
    """The cells of a line, or a single player of several on a line; `line` counts from 1.

    `is_heading` marks a probable title above players, such as "Players tonight:".
    """

    line: int
    cells: tuple[str, ...]
    is_heading: bool = False


@dataclass(frozen=True)
class PastedList:
    """A parsed text; `unread` are the numbers of lines after the first MAX_LAYOUT_LINES."""

    layout: str
    rows: tuple[ListRow, ...]
    columns: tuple[RosterColumn, ...] = ()
    unread: tuple[int, ...] = ()


NumberedLines = Sequence[tuple[int, str]]


def read_layout(text: str, layout: str, uses: Sequence[str]) -> PastedList:
    """Split the text into rows.

    An empty `layout` is detected. `uses` are the column uses chosen by the user; they are ignored
    unless there is one for each column.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not RULE_LINE.fullmatch(line.strip())
    ]
    unread = tuple(number for number, _ in lines[MAX_LAYOUT_LINES:])
    lines = _without_positions(lines[:MAX_LAYOUT_LINES])
    if not layout:
        fitting = (_layout_if_it_fits(lines, known) for known in (*SEPARATORS, SPACED))
        layout = next(filter(None, fitting), LINES)
    columns: tuple[RosterColumn, ...] = ()
    if layout == LINES:
        rows = _rows_of_lines(lines)
    elif layout == LIST:
        rows = _rows_of_players(lines)
    else:
        rows, columns = _read_table(lines, layout, uses)
    return PastedList(layout, rows, columns, unread)


def are_pronouns(text: str) -> bool:
    words = [word.casefold() for word in BETWEEN_PRONOUNS.split(text)]
    if len(words) == 1:
        return words[0] in SINGLE_PRONOUNS
    return len(text) <= MAX_PRONOUNS_LENGTH and all(word in PRONOUNS for word in words)


def split_cells(line: str, layout: str) -> list[str]:
    """Split a line into clean cells; separators in quotes and commas in brackets are ignored."""
    if layout == SPACED:
        return [clean(cell) for cell in SPACES.split(line.strip())]
    separator = SEPARATORS[layout]
    if layout == "pipe" and (line.startswith("|") or line.rstrip().endswith("|")):
        # Strip the outer bars of a row; " | Bo" has an empty first cell.
        line = line.strip().removeprefix("|").removesuffix("|")
    cells, start, depth, is_quoted = [], 0, 0, False
    for place, letter in enumerate(line):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter in "([<":
            depth += 1
        elif letter in ")]>":
            depth = max(0, depth - 1)
        elif letter == separator and not is_quoted and (not depth or layout != "comma"):
            cells.append(line[start:place])
            start = place + 1
    cells.append(line[start:])
    if is_quoted:  # An inch mark or a stray quote: then quotes mean nothing.
        cells = line.split(separator)
    return [_unquoted(clean(cell)) for cell in cells]


def _unquoted(cell: str) -> str:
    if cell.startswith("**") and cell.endswith("**"):  # Bold in Markdown.
        cell = cell.strip("*")
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return clean(cell[1:-1].replace('""', '"'))
    return cell


def without_numbering(line: str) -> str:
    return NUMBERING.sub("", line, count=1)


def _layout_if_it_fits(lines: NumberedLines, layout: str) -> str:
    """Return the layout, or LIST, if this separator splits most lines; else ""."""
    rows = [
        split_cells(without_numbering(_without_number_before_tab(line)), layout)
        for _, line in lines
        if len(line) <= LONGEST_READ
    ]
    divided = [row for row in rows if sum(map(bool, row)) > 1]
    if not divided or 2 * len(divided) < len(rows):
        return ""
    if _uses_of_titles(divided[0]):
        return layout
    types = _column_types(divided)
    if any(types[1:]) or (types[0] and not all(types)):
        return layout
    if layout == SPACED:
        return ""
    if layout in ("tab", "pipe") and len(divided) > 1:
        return layout
    return LIST if _are_several_players(divided) else ""


def _are_several_players(rows: list[list[str]]) -> bool:
    """Return True if each cell is a player: "Ada Byron, Bo Li", but not "Lovelace, Ada"."""
    columns = list(zip_longest(*(row[:MAX_COLUMNS] for row in rows), fillvalue=""))
    for column in columns[1:]:
        counts = Counter(comparison_key(cell) for cell in column if cell)
        if counts and counts.most_common(1)[0][1] > 1:
            return False  # A town or a club: the same word on several lines.
    players = [[cell for cell in row if cell] for row in rows]
    if max(map(len, players)) > 2:
        return True
    return all(" " in player for row in players for player in row)


CELL_TYPES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("email", EMAIL_ADDRESS.fullmatch),
    ("pronouns", are_pronouns),
    ("number", re.compile(r"#?[0-9]{1,4}[.)]?").fullmatch),
    ("faction", lambda cell: comparison_key(cell) in FACTIONS),
    ("mark", re.compile(r"(?i:yes|no|y|n|x|true|false|[\u2610-\u2612\u2713\u2714])").fullmatch),
)


def _column_types(rows: Sequence[Sequence[str]]) -> list[str]:
    types = []
    for column in zip_longest(*(row[:MAX_COLUMNS] for row in rows), fillvalue=""):
        cells = [cell for cell in column if cell]
        kinds = Counter(
            next((kind for kind, matches in CELL_TYPES if matches(cell)), "") for cell in cells
        )
        kind, count = kinds.most_common(1)[0] if kinds else ("", 0)
        types.append(kind if 2 * count > len(cells) else "")
    return types


def _uses_of_titles(cells: Sequence[str]) -> list[str]:
    """Return the uses of the column titles; empty unless one of them is a name."""
    uses = [USE_OF_TITLE.get(comparison_key(cell.strip("*_` ")), IGNORED) for cell in cells]
    return uses if {"name", "first_name", "last_name"} & set(uses) else []


def _without_positions(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Strip leading numbers that count the lines from 1, as in "1 Ada" and "2 Bo"."""
    is_counted = len(lines) > 1 and all(
        POSITION.match(line) and int(line.split()[0]) == place
        for place, (_, line) in enumerate(lines, start=1)
    )
    if not is_counted:
        return lines
    return [(number, POSITION.sub("", line)) for number, line in lines]


def _rows_of_lines(lines: NumberedLines) -> tuple[ListRow, ...]:
    above = _lines_above_numbers(lines)
    rows: list[ListRow] = []
    for place, (number, line) in enumerate(lines):
        if name := clean(without_numbering(_without_number_before_tab(line))):
            is_heading = place < above or _is_heading(name, is_first=not rows)
            rows.append(ListRow(number, (name,), is_heading))
    return tuple(rows)


def _lines_above_numbers(lines: NumberedLines) -> int:
    """Count the lines above a list in which every line has a number or a bullet."""
    numbered = [without_numbering(line) != line.lstrip() for _, line in lines]
    above = numbered.index(True) if True in numbered else 0
    return above if len(lines) - above > 1 and all(numbered[above:]) else 0


def _without_number_before_tab(line: str) -> str:
    return re.sub(r"\A\s*+[0-9]{1,4}\t", "", line)


def _rows_of_players(lines: NumberedLines) -> tuple[ListRow, ...]:
    rows: list[ListRow] = []
    for _, line in lines:
        title, colon, rest = line.partition(": ")
        parts = [f"{title}:", *_split_players(rest)] if colon else _split_players(line)
        for part in parts:
            if name := clean(without_numbering(part)):
                is_heading = _is_heading(name, is_first=not rows)
                rows.append(ListRow(len(rows) + 1, (name,), is_heading))
    return tuple(rows)


def _split_players(line: str) -> list[str]:
    layouts = [layout for layout in SEPARATORS if len(split_cells(line, layout)) > 1]
    cells = split_cells(without_numbering(line), layouts[0]) if layouts else [line]
    return [*cells[:-1], *AND_WORD.split(f" {cells[-1]}")]


def _is_heading(name: str, *, is_first: bool) -> bool:
    return name.endswith(":") or (is_first and USE_OF_TITLE.get(comparison_key(name)) == "name")


def _read_table(
    lines: NumberedLines, layout: str, uses: Sequence[str]
) -> tuple[tuple[ListRow, ...], tuple[RosterColumn, ...]]:
    rows = [
        (number, (split_cells(line, layout) if len(line) <= LONGEST_READ else [clean(line)]))
        for number, line in lines
    ]
    width = min(MAX_COLUMNS, max((len(cells) for _, cells in rows), default=1))
    first = next((place for place, (_, row) in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    column_uses = _uses_of_titles(rows[first][1]) if rows else []
    titles = rows.pop(first)[1] if column_uses else ()
    # A line above the titles, such as "Tuesday, Cafe Byte", is not a player.
    above = {number for number, _ in rows[:first]} if column_uses else set()
    cells = [row for number, row in rows if number not in above]
    if not column_uses:
        types = _column_types(cells)
        words = next((place for place, kind in enumerate(types) if not kind), 0)
        column_uses = [kind if kind in ("email", "pronouns") else IGNORED for kind in types]
        column_uses[words : words + 1] = ["name"]
    column_uses = list(uses) if len(uses) == width else _first_uses(column_uses)
    columns = tuple(
        RosterColumn(
            use=column_uses[place] if place < len(column_uses) else IGNORED,
            title=titles[place] if place < len(titles) else "",
            sample=tuple(row[place] for row in cells if place < len(row) and row[place])[:3],
        )
        for place in range(width)
    )
    list_rows = tuple(
        ListRow(
            number,
            tuple(row),
            number in above or (sum(map(bool, row)) == 1 and "".join(row).endswith(":")),
        )
        for number, row in rows
    )
    return list_rows, columns


def _first_uses(uses: list[str]) -> list[str]:
    """Assign each use to its first column only, and drop half names beside a full name."""
    assigned: set[str] = set()
    first_uses = []
    for use in uses:
        is_half = use in ("first_name", "last_name") and "name" in uses
        first_uses.append(IGNORED if use in assigned or is_half else use)
        assigned.add(use)
    return first_uses
