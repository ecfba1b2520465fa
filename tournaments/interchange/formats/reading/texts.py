"""Texts of a file as they can be stored and shown: cleaned, and not too long."""

import re

from core.text import clean, forbidden_characters, is_visible
from tournaments.interchange.formats.reading.values import Place

MOST_NAME_LETTERS = 100
MOST_PRONOUNS_LETTERS = 30
MOST_TITLE_LETTERS = 200
MOST_EVENT_LETTERS = 120
MOST_ADDRESS_LETTERS = 500
_ADDRESS = re.compile(r"https?://[^\s<>\"']+", re.IGNORECASE)


def line(place: Place, most: int) -> str:
    """The text on one line, without outer spaces and what cannot be printed; "" for null."""
    return tidied(place.text(), most)


def optional_line(place: Place) -> str | None:
    """As `line`; None for null and where nothing is left."""
    return line(place, MOST_TITLE_LETTERS) or None


def seen(place: Place, most: int) -> str:
    """As `line`, "" also for what is no text or could not be seen: where it is only for show."""
    text = tidied(place.value, most) if isinstance(place.value, str) else ""
    return text if is_visible(text) else ""


def address(place: Place) -> str:
    """An address of the web, "" for anything else."""
    text = place.value.strip() if isinstance(place.value, str) else ""
    fits = len(text) <= MOST_ADDRESS_LETTERS and _ADDRESS.fullmatch(text)
    return text if fits else ""


def tidied(text: str, most: int) -> str:
    """The text cleaned, without characters that have no place on a page, cut at `most`."""
    cleaned = clean(text)
    if forbidden_characters(cleaned):
        cleaned = clean("".join(one for one in cleaned if not forbidden_characters(one)))
    return cleaned[:most].rstrip()
