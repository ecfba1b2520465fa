"""Fingerprints of an original document, stored instead of its text."""

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

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


def read_facts(text: str) -> DocumentFacts:
    row: dict[str, Any] = json.loads(text)
    return DocumentFacts(**{**row, "published_on": date.fromisoformat(row["published_on"])})
