"""Parse NetrunnerDB's rulings: API v2, API v3 (JSON:API), and the card data files."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from core.errors import Refusal
from core.json_guard import Json, parse
from core.text import forbidden_characters, is_visible
from decks.games import ANR
from rulings.parsing.house import LONGEST_SUBJECT, normalised_paragraphs
from rulings.parsing.records import FaultyFile, FileDocument, FileFault, FileRuling

DOCUMENT_TITLE = "NetrunnerDB rulings"
DOCUMENT_SLUG = "netrunnerdb"
RULES_TEAM, OTHER_AUTHORITY = "NSG Rules Team", "NetrunnerDB"
MAX_RULINGS = 10_000
LONGEST_TEXT = 20_000  # characters
MAX_DEPTH = 6
ASK_FOR_ALL = 'Ask for all at once, for example with "page[size]=10000"'


def read_netrunnerdb(data: bytes) -> FileDocument:
    """Parse all rulings of a file, each about one `anr` card. Raises FaultyFile with all faults.

    Cards are given by id (v3) or title (v2). Faults give the number of the ruling instead of a
    line. Partial files are rejected, because missing rulings would be withdrawn.
    """
    rows = list(_rows(data))
    rulings, faults = [], []
    for number, row in enumerate(rows, start=1):
        try:
            rulings.append(_ruling(row, number))
        except ValueError as error:
            faults.append(FileFault(number, str(error)))
    if not rows:
        faults.append(FileFault(1, "there is no ruling in the file"))
    if len(rows) > MAX_RULINGS:
        faults.append(FileFault(1, f"the file has more than {MAX_RULINGS:,} rulings"))
    if faults:
        raise FaultyFile(faults)
    days = [ruling.date for ruling in rulings if ruling.date]
    if not days:
        raise FaultyFile([FileFault(1, "no ruling has a day (updated_at or date_update)")])
    return FileDocument(
        DOCUMENT_TITLE, DOCUMENT_SLUG, max(days), ANR.id, rulings=_without_duplicates(rulings)
    )


def _without_duplicates(rulings: list[FileRuling]) -> tuple[FileRuling, ...]:
    # The newest date counts.
    newest: dict[tuple[str, str], FileRuling] = {}
    for ruling in rulings:
        key = ruling.subject, ruling.text
        before = newest.get(key)
        if before is None or (ruling.date or date.min) > (before.date or date.min):
            newest[key] = replace(ruling, line=before.line) if before else ruling
    return tuple(newest.values())


def _rows(data: bytes) -> Iterator[dict[str, Json]]:
    try:
        value = parse(data, max_depth=MAX_DEPTH)
    except Refusal as refusal:
        raise FaultyFile([FileFault(1, str(refusal))]) from refusal
    rows = value if isinstance(value, list) else _unwrap_envelope(value)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise FaultyFile([FileFault(number, "a ruling is a JSON object")])
        inner = row.get("attributes", row)
        if not isinstance(inner, dict):
            raise FaultyFile([FileFault(number, '"attributes" is not a JSON object')])
        yield inner


def _unwrap_envelope(value: Json) -> list[Json]:
    rows = value.get("data") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        raise FaultyFile([FileFault(1, 'this JSON has no list of rulings under "data"')])
    if value.get("success") is False:
        raise FaultyFile([FileFault(1, "NetrunnerDB answered with an error. Fetch the file again")])
    links = value.get("links")
    links = links if isinstance(links, dict) else {}
    if links.get("next") or links.get("prev"):
        raise FaultyFile([FileFault(1, f"this is one page of several. {ASK_FOR_ALL}")])
    if "filter" in str(links.get("self") or ""):
        raise FaultyFile([FileFault(1, f"these are the rulings of some cards only. {ASK_FOR_ALL}")])
    total = _stated_total(value)
    if total is not None and total != len(rows):
        raise FaultyFile(
            [FileFault(1, f"the file has {len(rows)} of {total} rulings. {ASK_FOR_ALL}")]
        )
    return rows


def _stated_total(value: dict[str, Json]) -> int | None:
    found: Json = value
    for key in ("meta", "stats", "total", "count"):
        found = found.get(key) if isinstance(found, dict) else None
    stated = value.get("total") if found is None else found
    return stated if isinstance(stated, int) else None


def _ruling(row: dict[str, Json], number: int) -> FileRuling:
    card_id, title = _text_field(row, "card_id"), _text_field(row, "title")
    if not (card_id or title):
        raise ValueError("it names no card (card_id or title)")
    if len(card_id or title) > LONGEST_SUBJECT:
        raise ValueError(f"the name of its card has more than {LONGEST_SUBJECT} characters")
    verified = row.get("nsg_rules_team_verified", False)
    if verified not in (True, False):
        raise ValueError("nsg_rules_team_verified is neither true nor false")
    return FileRuling(
        subject=card_id or title,
        sort="card_id" if card_id else "card",
        text=_ruling_text(row),
        authority=RULES_TEAM if verified else OTHER_AUTHORITY,
        date=_parse_day(_text_field(row, "updated_at") or _text_field(row, "date_update")),
        line=number,
    )


def _ruling_text(row: dict[str, Json]) -> str:
    question, answer = (
        normalised_paragraphs(_text_field(row, key)) for key in ("question", "answer")
    )
    text = normalised_paragraphs(_text_field(row, "text_ruling") or _text_field(row, "ruling"))
    if question and answer:
        text = f"Question: {question}\n\nAnswer: {answer}"
    elif question or answer:
        raise ValueError("it has a question without an answer, or an answer without a question")
    if not is_visible(text):
        raise ValueError("it has no text (question and answer, text_ruling, or ruling)")
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"it has more than {LONGEST_TEXT:,} characters")
    if found := forbidden_characters(text.replace("\n", " ")):
        raise ValueError(f"it contains unreadable characters ({', '.join(found)})")
    return text


def _text_field(row: dict[str, Json], key: str) -> str:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f'"{key}" is not a text')
    return value or ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[: len("2026-05-31")]) if text else None
    except ValueError as error:
        raise ValueError(f'"{text[:40]}" is not a day') from error
