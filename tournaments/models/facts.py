"""Links, map URL and contact URL of an event, parsed from typed text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

MAP = "https://www.openstreetmap.org/search?query="
MAIL_ADDRESS = re.compile(r"[^\s@:/?&]+@[^\s@:/?&]+\.[^\s@:/?&]+")
ADDRESS = re.compile(r"https?://\S+")
MOST_LINKS = 10


class LinkError(ValueError):
    """A line without a valid URL."""


@dataclass(frozen=True)
class Link:
    """A link to another site, with its label."""

    name: str
    address: str


def links_of(typed: str) -> Iterator[Link]:
    """Parse one link per line, its name before its URL. Raise LinkError."""
    for line in filter(None, map(str.strip, typed.splitlines())):
        yield _link(line)


def known_links(kept: str) -> list[Link]:
    """Parse stored links, skipping invalid lines."""
    found = (_link_or_none(line.strip()) for line in kept.splitlines())
    return [link for link in found if link][:MOST_LINKS]


def map_address(place: str) -> str:
    """URL of a map of this place; empty without a place."""
    return f"{MAP}{quote(place, safe='')}" if place else ""


def contact_address(contact: str) -> str:
    """The `mailto:` or web URL of a contact, or ""."""
    if MAIL_ADDRESS.fullmatch(contact):
        return f"mailto:{quote(contact, safe='@')}"
    return contact if ADDRESS.fullmatch(contact) and _leads_somewhere(contact) else ""


def _link(line: str) -> Link:
    name, _, address = line.rpartition(" ")
    if not ADDRESS.fullmatch(address) or not _leads_somewhere(address):
        raise LinkError(line)
    return Link(name.strip(" :-") or address, address)


def _link_or_none(line: str) -> Link | None:
    try:
        return _link(line)
    except LinkError:
        return None


def _leads_somewhere(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        # An unbalanced bracket, as in http://[.
        return False
