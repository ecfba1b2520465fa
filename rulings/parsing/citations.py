"""Parse citations in parentheses in an original ruling: person, venue and date.

Parentheses with a date are a citation. They contain citations separated by semicolons: "Name,
venue, month/day/year". The name may be "A via B" (passed on by B) or "A on Card" (about another
card).
"""

import re
from datetime import date

from rulings.parsing.records import Source

# One nested parenthesis is allowed: the document contains "(Name, venue, (5/2/96)".
BRACKET = re.compile(r"\(([^()]*\(?\d{1,2}/\d{1,2}/\d{2}[^()]*)\)")
DAY = re.compile(r"\(?(\d{1,2})/(\d{1,2})/(\d{2})\)?")
# Aliases used in the document -> our spelling.
NAMES = {"Sparky": "Marc Schmalz (Sparky)"}  # also written "Sparky!"
VENUES = {"NR-L": "Netrunner-L"}
FAQ = re.compile(r"Netrunner FAQ v\.?\s?(\d+\.\d+)")
PAGES = re.compile(r"pp\.?\s?(\d+)-(\d+)")


def sources_in(text: str) -> tuple[Source, ...]:
    """Return all citations of the text in order, with our spellings.

    Raises ValueError for an invalid date such as 2/30/96.
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
