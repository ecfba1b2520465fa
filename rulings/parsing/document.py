"""What we know of an original document without keeping its words: fingerprints."""

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
    """Title and edition, and a fingerprint of each part (rulings by their code)."""

    title: str
    edition: str
    published_on: date
    preamble: str
    closing: str
    rulings: Mapping[str, str]


def fingerprint(text: str) -> str:
    """The start of a SHA-256 over letters and digits alone, whatever their case.

    Line breaks, spaces and marks differ between the copies of a document; a
    word that is lost or changed is found.
    """
    letters = (letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum())
    digest = hashlib.sha256("".join(letters).casefold().encode())
    return digest.hexdigest()[:FINGERPRINT_LENGTH]


def read_facts(text: str) -> DocumentFacts:
    """The facts as our own JSON file holds them."""
    row: dict[str, Any] = json.loads(text)
    return DocumentFacts(**{**row, "published_on": date.fromisoformat(row["published_on"])})
