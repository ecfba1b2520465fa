"""The shipped digest (JSON lines of restated rulings), reversals and fingerprints."""

import hashlib
import json
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from rulings.parsing.records import (
    RULING_CODE,
    SECTIONS,
    DamagedDocument,
    DigestRuling,
    RulingSource,
)

RULING_KINDS = frozenset({"ruling", "errata", "unofficial-errata", "cross-reference"})
DIGEST_FIELDS = {
    "id": str,
    "n": int,
    "section": str,
    "subject": str,
    "kind": str,
    "reverses": bool,
    "text": str,
    "citations": list,
    "see_also": list,
    "mentions": list,
}
SOURCE_FIELDS = {"authority", "via", "venue", "date", "about"}
REVERSAL_FIELDS = {"ruling": str, "supersedes": list, "overturned": str}
LONGEST_OVERTURNED = 200  # characters of `overturned`


def read_digest(text: str) -> list[DigestRuling]:
    """Return the rulings in order of their numbers, which start at 1.

    Raises DamagedDocument with the line number.
    """
    rulings: list[DigestRuling] = []
    seen: set[str] = set()
    for line, ruling in _numbered_rulings(text):
        if ruling.code in seen:
            raise DamagedDocument(f"the code {ruling.code} appears twice", line=line)
        if ruling.number != len(rulings) + 1:
            raise DamagedDocument(
                f"ruling {len(rulings) + 1} expected, not {ruling.number}", line=line
            )
        seen.add(ruling.code)
        rulings.append(ruling)
    if not rulings:
        raise DamagedDocument("there is no ruling", line=1)
    return rulings


def _numbered_rulings(text: str) -> Iterator[tuple[int, DigestRuling]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, _digest_ruling(json.loads(line))
        except json.JSONDecodeError as error:
            raise DamagedDocument(f"this is not JSON: {error.msg}", line=number) from error
        except ValueError as error:
            raise DamagedDocument(str(error), line=number) from error


def _digest_ruling(row: Any) -> DigestRuling:
    _check_row(row)
    return DigestRuling(
        code=row["id"],
        number=row["n"],
        section=row["section"],
        subject=row["subject"],
        kind=row["kind"],
        reverses=row["reverses"],
        text=row["text"],
        sources=tuple(_digest_source(source) for source in row["citations"]),
        see_also=tuple(str(name) for name in row["see_also"]),
        mentions=tuple(str(name) for name in row["mentions"]),
    )


def _check_row(row: Any) -> None:
    if not isinstance(row, dict):
        raise ValueError("an object is expected")
    for field, kind in DIGEST_FIELDS.items():
        if not isinstance(row.get(field), kind):
            raise ValueError(f'"{field}" is missing or of the wrong kind')
    if not RULING_CODE.fullmatch(row["id"]):
        raise ValueError(f'the code "{row["id"]}" does not end in a number')
    if row["section"] not in SECTIONS:
        raise ValueError(f'unknown section "{row["section"]}"')
    if row["kind"] not in RULING_KINDS:
        raise ValueError(f'unknown kind "{row["kind"]}"')
    if not row["text"].strip() or not row["subject"].strip():
        raise ValueError("text or subject is empty")


def _digest_source(row: Any) -> RulingSource:
    if not isinstance(row, dict) or set(row) != SOURCE_FIELDS:
        raise ValueError("a citation has authority, via, venue, date and about")
    spoken_on = date.fromisoformat(row["date"]) if row["date"] else None
    return RulingSource(row["authority"], row["via"], row["venue"], spoken_on, row["about"])


@dataclass(frozen=True)
class Reversal:
    """A reversal: superseded rulings of the list, and a text on further decisions."""

    ruling: str
    supersedes: tuple[str, ...]
    overturned: str


def read_reversals(text: str, codes: Collection[str]) -> list[Reversal]:
    """Parse the shipped reversals. `codes` are the codes of the list. Raises ValueError."""
    reversals = [_reversal(row, codes) for row in json.loads(text)]
    if len({reversal.ruling for reversal in reversals}) < len(reversals):
        raise ValueError("a ruling appears twice among the reversals")
    return reversals


def _reversal(row: Any, codes: Collection[str]) -> Reversal:
    if not isinstance(row, dict) or set(row) != set(REVERSAL_FIELDS):
        raise ValueError(f"a reversal has {', '.join(REVERSAL_FIELDS)}: {row}")
    for field, kind in REVERSAL_FIELDS.items():
        if not isinstance(row[field], kind):
            raise ValueError(f'"{field}" is of the wrong kind: {row}')
    reversal = Reversal(row["ruling"], tuple(row["supersedes"]), row["overturned"].strip())
    unknown = {reversal.ruling, *reversal.supersedes} - set(codes)
    if unknown:
        raise ValueError(f"these rulings are not in the list: {', '.join(sorted(unknown))}")
    if reversal.ruling in reversal.supersedes:
        raise ValueError(f"{reversal.ruling} reverses itself")
    if (
        not (reversal.supersedes or reversal.overturned)
        or len(reversal.overturned) > LONGEST_OVERTURNED
    ):
        raise ValueError(
            f"{reversal.ruling} has to say what it reverses, in {LONGEST_OVERTURNED} characters"
        )
    return reversal


# Fingerprints of an original document, stored instead of its text.

FINGERPRINT_LENGTH = 16  # hexadecimal digits


@dataclass(frozen=True)
class DocumentFacts:
    """Title and edition, with a fingerprint of each part (rulings by code)."""

    title: str
    edition: str
    published_on: date
    preamble: str
    closing: str
    rulings: Mapping[str, str]


def fingerprint(text: str) -> str:
    """Return the start of a SHA-256 over case-folded letters and digits.

    Copies of a document differ in line breaks, spaces and punctuation; lost or changed words are
    detected.
    """
    letters = (letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum())
    digest = hashlib.sha256("".join(letters).casefold().encode())
    return digest.hexdigest()[:FINGERPRINT_LENGTH]


def read_document_facts(text: str) -> DocumentFacts:
    row: dict[str, Any] = json.loads(text)
    return DocumentFacts(**{**row, "published_on": date.fromisoformat(row["published_on"])})
