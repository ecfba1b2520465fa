"""Reads who said it, where and when, from the brackets in an original ruling.

A bracket counts as a citation when a date stands in it. It holds one or more
citations parted by semicolons: "Name, venue, month/day/year", where the name
may be "A via B" (B passed it on) or "A on Card" (said about another card).
"""

import re
from datetime import date

from rulings.parsing.records import Source

# One bracket may stand inside: the document has "(Name, venue, (5/2/96)".
BRACKET = re.compile(r"\(([^()]*\(?\d{1,2}/\d{1,2}/\d{2}[^()]*)\)")
DAY = re.compile(r"\(?(\d{1,2})/(\d{1,2})/(\d{2})\)?")
# How the document calls people and places, and how we name them everywhere.
NAMES = {"Sparky": "Marc Schmalz (Sparky)"}  # also written "Sparky!"
VENUES = {"NR-L": "Netrunner-L"}
FAQ = re.compile(r"Netrunner FAQ v\.?\s?(\d+\.\d+)")
PAGES = re.compile(r"pp\.?\s?(\d+)-(\d+)")


def sources_in(text: str) -> tuple[Source, ...]:
    """Every citation of the text in its order, with our names of people and places.

    A day that does not exist, such as 2/30/96, is a ValueError.
    """
    brackets = BRACKET.findall(text)
    return tuple(_source(part) for bracket in brackets for part in bracket.split(";"))


def _source(text: str) -> Source:
    said_on = _day(text)
    parts = [part.strip() for part in DAY.sub("", text).split(",")]
    name, *places = [part for part in parts if part]
    if edition := FAQ.fullmatch(name):
        return Source("Netrunner FAQ", venue=f"FAQ v{edition.group(1)}", date=said_on)
    if places and (pages := PAGES.fullmatch(places[0])):
        return Source(name, venue=f"Rulebook pp. {pages.group(1)}-{pages.group(2)}", date=said_on)
    who, _, about = name.partition(" on ")
    authority, _, via = who.partition(" via ")
    venue = places[0] if places else ""
    return Source(_person(authority), _person(via), VENUES.get(venue, venue), said_on, about)


def _person(name: str) -> str:
    bare = name.strip(" !")
    return NAMES.get(bare, bare)


def _day(text: str) -> date | None:
    if found := DAY.search(text):
        month, day, year = map(int, found.groups())
        return date(1900 + year, month, day)
    return None
