"""Parse and write house rulings; docs/rulings-files.md describes both formats."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from rulings.parsing.faults import Fault, Faulty
from rulings.parsing.filed import FiledDocument, FiledRuling
from rulings.parsing.house_fields import LISTS, head_of, ruling_of
from rulings.parsing.house_jsonl import read_lines
from rulings.parsing.house_markdown import blocks, escaped, head_lines

MOST_RULINGS = 2000
PREFIXES = {"card": "Card: ", "topic": "Topic: "}


def read_house(text: str) -> FiledDocument:
    """Parse a document. Raises Faulty with all faults of the file.

    Expects LF line endings. Rulings without an authority take that of the header.
    """
    reads_json = text.lstrip().startswith("{")
    document, rulings, faults = read_lines(text) if reads_json else _read_markdown(text)
    faults = [*faults, *_file_faults(rulings)]
    if document is None:
        raise Faulty(faults)
    said = [replace(one, authority=one.authority or document.authority) for one in rulings]
    faults += [
        Fault(one.line, "it says when or where, and not who. Write a field authority")
        for one in said
        if not one.authority and (one.date or one.venue or one.via)
    ]
    whole = replace(document, rulings=tuple(said))
    if faults:
        raise Faulty(faults, readable=whole)
    return whole


def written_markdown(document: FiledDocument) -> str:
    """Render the document as Markdown that parses to the same document."""
    lines = ["---", *(f"{key}: {text}" for key, text in _head(document).items()), "---"]
    for heading, rulings in groupby(document.rulings, key=_heading):
        lines += ["", f"## {heading}", ""]
        for ruling in rulings:
            first, *others = ruling.text.split("\n\n")
            lines.append(f"- {escaped(first)}")
            lines += [line for one in others for line in ("", f"  {escaped(one)}")]
            lines += [
                f"  - {key}: {text if isinstance(text, str) else '; '.join(text)}"
                for key, text in _fields(ruling)
            ]
    return "\n".join(lines) + "\n"


def written_jsonl(document: FiledDocument) -> str:
    """Render the document as JSON lines that parse to the same document."""
    rows: list[dict[str, Any]] = [dict(_head(document))]
    for ruling in document.rulings:
        rows.append({"subject": _heading(ruling), "text": ruling.text, **dict(_fields(ruling))})
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read_markdown(text: str) -> tuple[FiledDocument | None, list[FiledRuling], list[Fault]]:
    lines = text.replace("\r", "\n").split("\n")
    fields, start, faults = head_lines(lines)
    document = None
    if fields:
        document, wrong = head_of(fields, 1)
        faults += wrong
    elif not faults:
        faults.append(Fault(1, 'the head is empty. Write "title: ..." and "date: ..." into it'))
    found, wrong = blocks(lines, start)
    faults += wrong
    rulings = []
    for block in found:
        ruling, wrong = ruling_of(block.subject, "\n".join(block.text), block.fields, block.line)
        rulings.append(ruling)
        faults += wrong
    return document, rulings, faults


def _file_faults(rulings: list[FiledRuling]) -> Iterator[Fault]:
    if not rulings:
        yield Fault(1, 'there is no ruling in the file. Write "## Lockjaw", then "- " and its text')
    if len(rulings) > MOST_RULINGS:
        yield Fault(rulings[MOST_RULINGS].line, f"the file has more than {MOST_RULINGS:,} rulings")
    ids = Counter(ruling.id for ruling in rulings if ruling.id)
    words = Counter((ruling.subject.casefold(), ruling.text) for ruling in rulings)
    for ruling in rulings:
        if ids[ruling.id] > 1:
            yield Fault(ruling.line, f"the id {ruling.id} appears twice. Give one ruling another")
        if words[ruling.subject.casefold(), ruling.text] > 1:
            yield Fault(ruling.line, f"this ruling appears twice under {ruling.subject}. Keep one")


def _heading(ruling: FiledRuling) -> str:
    return PREFIXES.get(ruling.sort, "") + ruling.subject


def _head(document: FiledDocument) -> dict[str, str]:
    fields = {
        "title": document.title,
        "id": document.slug,
        "edition": document.edition,
        "date": document.published_on.isoformat(),
        "game": document.game,
        "authority": document.authority,
    }
    return {key: text for key, text in fields.items() if text}


def _fields(ruling: FiledRuling) -> Iterator[tuple[str, str | list[str]]]:
    day = ruling.date.isoformat() if ruling.date else ""
    kind = "" if ruling.kind == "ruling" else ruling.kind
    plain = {"authority": ruling.authority, "via": ruling.via, "venue": ruling.venue}
    for key, text in {**plain, "date": day, "kind": kind, "id": ruling.id}.items():
        if text:
            yield key, text
    for key in LISTS:
        if names := getattr(ruling, key):
            yield key, list(names)
