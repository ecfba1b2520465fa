"""Parse and write house rulings; docs/reference/rulings-files.md describes both formats."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from typing import Any

from core.errors import Refusal
from core.json_guard import Json, parse
from core.text import LONGEST_COMPARED, clean, forbidden_characters, is_visible
from decks.games import DEFAULT, GAMES
from rulings.parsing.records import (
    RULING_CODE,
    FaultyFile,
    FileDocument,
    FileFault,
    FileRuling,
    SubjectSort,
)

MAX_RULINGS = 2000
HEADING_PREFIXES = {"card": "Card: ", "topic": "Topic: "}


def read_house(text: str) -> FileDocument:
    """Parse a document. Raises FaultyFile with all faults of the file.

    Expects LF line endings. Rulings without an authority take that of the header.
    """
    reads_json = text.lstrip().startswith("{")
    document, rulings, faults = read_json_lines(text) if reads_json else _read_markdown(text)
    faults = [*faults, *_file_faults(rulings)]
    if document is None:
        raise FaultyFile(faults)
    attributed = [
        replace(ruling, authority=ruling.authority or document.authority) for ruling in rulings
    ]
    faults += [
        FileFault(ruling.line, "it has a date, venue or via but no authority. Add the authority")
        for ruling in attributed
        if not ruling.authority and (ruling.date or ruling.venue or ruling.via)
    ]
    whole = replace(document, rulings=tuple(attributed))
    if faults:
        raise FaultyFile(faults, readable=whole)
    return whole


def render_markdown(document: FileDocument) -> str:
    lines = ["---", *(f"{key}: {text}" for key, text in _head_fields(document).items()), "---"]
    for heading, rulings in groupby(document.rulings, key=_subject_heading):
        lines += ["", f"## {heading}", ""]
        for ruling in rulings:
            first, *others = ruling.text.split("\n\n")
            lines.append(f"- {escape_line(first)}")
            lines += [line for one in others for line in ("", f"  {escape_line(one)}")]
            lines += [
                f"  - {key}: {text if isinstance(text, str) else '; '.join(text)}"
                for key, text in _ruling_fields(ruling)
            ]
    return "\n".join(lines) + "\n"


def render_json_lines(document: FileDocument) -> str:
    rows: list[dict[str, Any]] = [dict(_head_fields(document))]
    for ruling in document.rulings:
        rows.append(
            {
                "subject": _subject_heading(ruling),
                "text": ruling.text,
                **dict(_ruling_fields(ruling)),
            }
        )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read_markdown(text: str) -> tuple[FileDocument | None, list[FileRuling], list[FileFault]]:
    lines = text.replace("\r", "\n").split("\n")
    fields, start, faults = read_head_lines(lines)
    document = None
    if fields:
        document, wrong = parse_head(fields, 1)
        faults += wrong
    elif not faults:
        faults.append(FileFault(1, 'the head is empty. Write "title: ..." and "date: ..." into it'))
    found, wrong = read_markdown_rulings(lines, start)
    faults += wrong
    rulings = []
    for block in found:
        ruling, wrong = parse_ruling(block.subject, "\n".join(block.text), block.fields, block.line)
        rulings.append(ruling)
        faults += wrong
    return document, rulings, faults


def _file_faults(rulings: list[FileRuling]) -> Iterator[FileFault]:
    if not rulings:
        yield FileFault(
            1, 'there is no ruling in the file. Write "## Lockjaw", then "- " and its text'
        )
    if len(rulings) > MAX_RULINGS:
        yield FileFault(
            rulings[MAX_RULINGS].line, f"the file has more than {MAX_RULINGS:,} rulings"
        )
    ids = Counter(ruling.id for ruling in rulings if ruling.id)
    words = Counter((ruling.subject.casefold(), ruling.text) for ruling in rulings)
    for ruling in rulings:
        if ids[ruling.id] > 1:
            yield FileFault(
                ruling.line, f"the id {ruling.id} appears twice. Give one ruling another"
            )
        if words[ruling.subject.casefold(), ruling.text] > 1:
            yield FileFault(
                ruling.line, f"this ruling appears twice under {ruling.subject}. Keep one"
            )


def _subject_heading(ruling: FileRuling) -> str:
    return HEADING_PREFIXES.get(ruling.sort, "") + ruling.subject


def _head_fields(document: FileDocument) -> dict[str, str]:
    fields = {
        "title": document.title,
        "id": document.slug,
        "edition": document.edition,
        "date": document.published_on.isoformat(),
        "game": document.game,
        "authority": document.authority,
    }
    return {key: text for key, text in fields.items() if text}


def _ruling_fields(ruling: FileRuling) -> Iterator[tuple[str, str | list[str]]]:
    day = ruling.date.isoformat() if ruling.date else ""
    kind = "" if ruling.kind == "ruling" else ruling.kind
    plain = {"authority": ruling.authority, "via": ruling.via, "venue": ruling.venue}
    for key, text in {**plain, "date": day, "kind": kind, "id": ruling.id}.items():
        if text:
            yield key, text
    for key in LIST_FIELDS:
        if names := getattr(ruling, key):
            yield key, list(names)


# Fields, in any format.

HOUSE_KINDS = ("ruling", "errata", "unofficial-errata")
HOUSE_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
ANY_CODE = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*-[0-9]+")
HEAD_LENGTHS = {"title": 120, "id": 40, "edition": 20, "authority": 80, "date": 10, "game": 20}
FIELD_LENGTHS = {"authority": 80, "via": 80, "venue": 80, "date": 10, "kind": 20, "id": 80}
LIST_FIELDS = ("supersedes", "cards", "topics")
RULING_FIELDS = (*FIELD_LENGTHS, *LIST_FIELDS)
LONGEST_SUBJECT = 120
LONGEST_HOUSE_TEXT = 5000  # characters
MAX_NAMED = 20  # in one list
# Prefix of the ids of documents with local rulings by head judges.
RESERVED_SLUG_PREFIX = "local-rulings"
FieldValues = Mapping[str, str | tuple[str, ...]]


def parse_head(fields: Mapping[str, str], line: int) -> tuple[FileDocument | None, list[FileFault]]:
    reasons = [_unknown_field(key, HEAD_LENGTHS) for key in fields if key not in HEAD_LENGTHS]
    known = {key: clean(text) for key, text in fields.items() if key in HEAD_LENGTHS}
    for key, text in known.items():
        reasons += _text_faults(key, text, HEAD_LENGTHS[key])
    title = known.get("title", "")
    slug = known.get("id") or _slug_of(title)
    published_on = _parse_day(known.get("date", ""))
    game = known.get("game", DEFAULT.id)
    if not title:
        reasons.append('the title is missing. Write a line "title: ..."')
    elif not HOUSE_SLUG.fullmatch(slug):
        reasons.append('the title gives no valid id. Add a line "id: tuesday-league"')
    elif slug.startswith(RESERVED_SLUG_PREFIX):
        reasons.append(f'the id "{slug}" is reserved for local rulings. Add a line with another id')
    if published_on is None:
        reasons.append('the day is missing. Write a line such as "date: 2026-05-31"')
    if game not in GAMES:
        reasons.append(f'there is no game "{game}". Write one of {", ".join(GAMES)}')
    faults = [FileFault(line, reason) for reason in reasons]
    if faults or published_on is None:
        return None, faults
    edition, authority = known.get("edition", ""), known.get("authority", "")
    return FileDocument(title, slug, published_on, game, edition, authority), []


def parse_ruling(
    subject: str, text: str, fields: FieldValues, line: int
) -> tuple[FileRuling, list[FileFault]]:
    """Parse a ruling and return it without its invalid fields, with all faults."""
    sort, name = parse_subject(subject)
    plain = {key: clean(text) for key, text in fields.items() if isinstance(text, str)}
    named = {
        key: _distinct_names(texts) for key, texts in fields.items() if isinstance(texts, tuple)
    }
    day = _parse_day(plain.get("date", ""))
    ruling = FileRuling(
        subject=name,
        text=normalised_paragraphs(text),
        sort=sort,
        kind=plain.get("kind") or HOUSE_KINDS[0],
        authority=plain.get("authority", ""),
        via=plain.get("via", ""),
        venue=plain.get("venue", ""),
        date=day,
        id=plain.get("id", ""),
        supersedes=named.get("supersedes", ()),
        cards=named.get("cards", ()),
        topics=named.get("topics", ()),
        line=line,
    )
    reasons = [_unknown_field(key, RULING_FIELDS) for key in fields if key not in RULING_FIELDS]
    if not is_visible(name):
        reasons.append("the subject is empty. Write the title of a card, or a topic")
    elif ";" in name:
        reasons.append('a subject must not contain ";". Use another character')
    else:
        reasons += _text_faults("the subject", name, LONGEST_SUBJECT)
    if is_visible(ruling.text):
        reasons += _text_faults("the text", ruling.text.replace("\n", " "), LONGEST_HOUSE_TEXT)
    else:
        reasons.append("the ruling has no text. Write it, or remove the ruling")
    reasons += _field_faults(ruling)
    if plain.get("date") and day is None:
        reasons.append(f'"{plain["date"]}" is not a day. Write year-month-day, such as 2026-05-31')
    return ruling, [FileFault(line, reason) for reason in reasons]


def parse_subject(heading: str) -> tuple[SubjectSort, str]:
    word, colon, name = clean(heading).partition(":")
    if colon and word.casefold() == "card":
        return "card", name.strip()
    if colon and word.casefold() == "topic":
        return "topic", name.strip()
    return "", clean(heading)


def normalised_paragraphs(text: str) -> str:
    """Normalise to single spaces, with an empty line between paragraphs."""
    lines = [clean(line) for line in text.split("\n")]
    parts: list[list[str]] = [[]]
    for line in lines:
        if line:
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return "\n\n".join(" ".join(part) for part in parts if part)


def _distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for text in names if (name := clean(text))))


def _slug_of(title: str) -> str:
    head = title[:LONGEST_COMPARED]
    plain = unicodedata.normalize("NFKD", head).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: HEAD_LENGTHS["id"]].strip("-")


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-05-31") else None
    except ValueError:
        return None


def _unknown_field(key: str, known: Iterable[str]) -> str:
    return f'there is no field "{key[:40]}". Write one of {", ".join(known)}'


def _text_faults(key: str, text: str, longest: int) -> list[str]:
    if len(text) > longest:
        return [f"{key} has {len(text)} characters. Write {longest} at most"]
    if found := forbidden_characters(text):
        return [f"{key} contains unreadable characters ({', '.join(found)}). Remove them"]
    return []


def _field_faults(ruling: FileRuling) -> list[str]:
    reasons = []
    for key in ("authority", "via", "venue"):
        reasons += _text_faults(key, getattr(ruling, key), FIELD_LENGTHS[key])
    if ruling.kind not in HOUSE_KINDS:
        reasons.append(
            f'there is no kind "{ruling.kind[:40]}". Write one of {", ".join(HOUSE_KINDS)}'
        )
    if ruling.id and (len(ruling.id) > FIELD_LENGTHS["id"] or not RULING_CODE.fullmatch(ruling.id)):
        reasons.append(
            f'"{ruling.id[:40]}" is not an id. Write small letters, digits and "-", with a number '
            'at its end, such as "table-talk-1"'
        )
    for code in ruling.supersedes:
        if not ANY_CODE.fullmatch(code):
            reasons.append(f'"{code[:40]}" is not the code of a ruling. Write one such as R-0231')
    for key in LIST_FIELDS:
        names = getattr(ruling, key)
        if len(names) > MAX_NAMED:
            reasons.append(f"{key} names {len(names)}. Name {MAX_NAMED} at most")
        for name in names:
            reasons += _text_faults(key, name, LONGEST_SUBJECT)
    return reasons


# Markdown: header lines, a heading for each subject, a "-" item for each ruling.

HEAD_FENCE = "---"
# Possessive quantifiers (++) avoid backtracking over long runs of blanks.
HEAD_LINE = re.compile(r"\s*+(\w++(?: ++\w++)*+)\s*+:(.*)")
FIELD_LINE = re.compile(r"(?:\t| {2})\s*+- ++(\w++(?: ++\w++)*+)\s*+:(.*)")
RULING_LINE = re.compile(r"[-*] +(.*)")
# Lines of text that start with one of these are escaped with a backslash.
ESCAPED_MARKS = "-*#\\"


@dataclass
class MarkdownRuling:
    subject: str
    line: int
    text: list[str] = field(default_factory=list)
    fields: dict[str, str | tuple[str, ...]] = field(default_factory=dict)


def read_head_lines(lines: list[str]) -> tuple[dict[str, str], int, list[FileFault]]:
    """Return the header fields between two "---", the number of the next line, and faults.

    Raises FaultyFile if there is no header. `lines` must not be empty.
    """
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    fields: dict[str, str] = {}
    faults: list[FileFault] = []
    if lines[first].strip() != HEAD_FENCE:
        # Without a header this is another kind of file, so other faults would be meaningless.
        raise FaultyFile([FileFault(first + 1, 'the head is missing. Begin with a line "---"')])
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if line.strip() == HEAD_FENCE:
            return fields, index + 1, faults
        if not line.strip():
            continue
        found = HEAD_LINE.fullmatch(line)
        if found is None:
            faults.append(FileFault(index + 1, 'a head line reads "title: ...". Fix this one'))
        elif (key := found.group(1).lower()) in fields:
            faults.append(FileFault(index + 1, f'"{key}" appears twice. Keep one'))
        else:
            fields[key] = found.group(2).strip()
    return fields, len(lines), [*faults, FileFault(first + 1, 'the head has no end. Write a "---"')]


def read_markdown_rulings(
    lines: list[str], start: int
) -> tuple[list[MarkdownRuling], list[FileFault]]:
    reader = _MarkdownReader()
    for number, line in enumerate(lines[start:], start=start + 1):
        reader.read(number, line.rstrip())
    return reader.blocks, reader.faults


def split_names(key: str, text: str) -> tuple[str, ...]:
    # Lists of codes may also use commas.
    marked = text.replace(",", ";") if key == "supersedes" else text
    return tuple(name.strip() for name in marked.split(";") if name.strip())


class _MarkdownReader:
    def __init__(self) -> None:
        self.blocks: list[MarkdownRuling] = []
        self.faults: list[FileFault] = []
        self.subject: str | None = None
        self.block: MarkdownRuling | None = None

    def read(self, number: int, line: str) -> None:
        if not line:
            if self.block and not self.block.fields:
                self.block.text.append("")
        elif line.startswith("#"):
            self._read_heading(number, line)
        elif found := RULING_LINE.fullmatch(line):
            self._begin_ruling(number, found.group(1))
        elif found := FIELD_LINE.fullmatch(line):
            self._read_field(number, found.group(1).lower(), found.group(2).strip())
        else:
            self._read_text(number, line)

    def _read_heading(self, number: int, line: str) -> None:
        marks, _, heading = line.partition(" ")
        self.block = None
        if marks == "##":
            self.subject = heading.strip()
        elif marks != "#" or self.subject is not None:
            self._fault(number, 'a subject has a heading with two "#". Write "## Lockjaw"')

    def _begin_ruling(self, number: int, text: str) -> None:
        if self.subject is None:
            self._fault(number, 'this ruling has no subject. Write "## Lockjaw" before it')
        self.block = MarkdownRuling(self.subject or "", number, [_unescape_line(text)])
        if self.subject is not None:
            self.blocks.append(self.block)

    def _read_field(self, number: int, key: str, text: str) -> None:
        if self.block is None:
            self._fault(number, 'this line belongs to no ruling. Begin one with "- "')
        elif key not in RULING_FIELDS:
            known = ", ".join(RULING_FIELDS)
            self._fault(
                number,
                f'there is no field "{key[:40]}". Write one of {known}; a line of the text that '
                'begins with "-" has "\\" before it',
            )
        elif key in self.block.fields:
            self._fault(number, f'"{key}" appears twice in this ruling. Keep one')
        else:
            self.block.fields[key] = split_names(key, text) if key in LIST_FIELDS else text

    def _read_text(self, number: int, line: str) -> None:
        if self.block is None:
            self._fault(number, 'this line belongs to no ruling. Begin one with "- "')
        elif not line.startswith(("  ", "\t")):
            self._fault(number, 'continue a text with two spaces, or begin a new ruling with "- "')
        elif line.lstrip().startswith("-"):
            self._fault(number, 'a field reads "  - date: 2026-05-31"; text gets "\\" before a "-"')
        elif self.block.fields:
            self._fault(number, "the text of a ruling comes before its fields. Move this line up")
        else:
            self.block.text.append(_unescape_line(line.strip()))

    def _fault(self, number: int, reason: str) -> None:
        self.faults.append(FileFault(number, reason))


def _unescape_line(line: str) -> str:
    return line.removeprefix("\\")


def escape_line(line: str) -> str:
    return f"\\{line}" if line.startswith(tuple(ESCAPED_MARKS)) else line


# JSON lines: the header, then one object for each ruling.

MAX_JSON_DEPTH = 3


def read_json_lines(text: str) -> tuple[FileDocument | None, list[FileRuling], list[FileFault]]:
    """Return the header (None if it has faults), the rulings, and all faults."""
    document: FileDocument | None = None
    rulings: list[FileRuling] = []
    faults: list[FileFault] = []
    is_head = True
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        row, wrong = _json_object(line, number)
        if row is not None and is_head:
            texts = {key: value for key, value in row.items() if isinstance(value, str)}
            document, wrong = parse_head(texts, number)
            wrong = [*_type_faults([key for key in row if key not in texts], number), *wrong]
        elif row is not None:
            ruling, wrong = _json_ruling(row, number)
            rulings.append(ruling)
        is_head = False
        faults += wrong
    return document, rulings, faults


def _json_object(line: str, number: int) -> tuple[dict[str, Json] | None, list[FileFault]]:
    try:
        row = parse(line, max_depth=MAX_JSON_DEPTH)
    except Refusal as refusal:
        return None, [FileFault(number, f"{refusal} Each line is one JSON object")]
    if not isinstance(row, dict):
        return None, [FileFault(number, "a line holds one JSON object. Write { ... }")]
    return row, []


def _json_ruling(row: dict[str, Json], number: int) -> tuple[FileRuling, list[FileFault]]:
    fields: dict[str, str | tuple[str, ...]] = {}
    wrong = []
    for key, value in row.items():
        if (
            key in LIST_FIELDS
            and isinstance(value, list)
            and all(isinstance(text, str) for text in value)
        ):
            fields[key] = tuple(value)
        elif key not in LIST_FIELDS and isinstance(value, str):
            fields[key] = value
        elif key in LIST_FIELDS or key in RULING_FIELDS or key in ("subject", "text"):
            wrong.append(key)
        else:
            fields[key] = ""
    subject, text = (str(fields.pop(key, "")) for key in ("subject", "text"))
    ruling, faults = parse_ruling(subject, text, fields, number)
    return ruling, [*_type_faults(wrong, number), *faults]


def _type_faults(keys: list[str], number: int) -> list[FileFault]:
    return [
        FileFault(
            number, f'"{key[:40]}" is not a {"list of texts" if key in LIST_FIELDS else "text"}'
        )
        for key in keys
    ]
