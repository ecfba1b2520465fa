"""The shipped digest (JSON lines of restated rulings), reversals and fingerprints.

tests/rulings/importing/test_shipped_list.py checks the shipped files.
"""

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from rulings.parsing.records import DigestRuling, RulingSource


def read_digest(text: str) -> list[DigestRuling]:
    return [_digest_ruling(json.loads(line)) for line in text.split("\n") if line]


def _digest_ruling(row: dict[str, Any]) -> DigestRuling:
    return DigestRuling(
        code=row["id"],
        number=row["n"],
        section=row["section"],
        subject=row["subject"],
        kind=row["kind"],
        reverses=row["reverses"],
        text=row["text"],
        sources=tuple(
            RulingSource(
                **{**source, "date": date.fromisoformat(source["date"]) if source["date"] else None}
            )
            for source in row["citations"]
        ),
        see_also=tuple(row["see_also"]),
        mentions=tuple(row["mentions"]),
    )


@dataclass(frozen=True)
class Reversal:
    """A reversal: superseded rulings of the list, and a text on further decisions."""

    ruling: str
    supersedes: tuple[str, ...]
    overturned: str


def read_reversals(text: str) -> list[Reversal]:
    return [
        Reversal(row["ruling"], tuple(row["supersedes"]), row["overturned"])
        for row in json.loads(text)
    ]


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
