"""Parse the citations of the original list: person, venue and date in parentheses."""

import re
from datetime import date

from rulings.parsing.records import RulingSource

# One nested parenthesis is allowed: the document contains "(Name, venue, (5/2/96)".
BRACKET = re.compile(r"\(([^()]*\(?\d{1,2}/\d{1,2}/\d{2}[^()]*)\)")
DAY = re.compile(r"\(?(\d{1,2})/(\d{1,2})/(\d{2})\)?")
# Aliases used in the document -> our spelling.
AUTHORITIES = {"Sparky": "Marc Schmalz (Sparky)"}  # also written "Sparky!"
VENUES = {"NR-L": "Netrunner-L"}
FAQ_EDITION = re.compile(r"Netrunner FAQ v\.?\s?(\d+\.\d+)")
RULEBOOK_PAGES = re.compile(r"pp\.?\s?(\d+)-(\d+)")


def parse_citations(text: str) -> tuple[RulingSource, ...]:
    return tuple(
        _parse_citation(citation)
        for bracket in BRACKET.findall(text)
        for citation in bracket.split(";")
    )


def _parse_citation(text: str) -> RulingSource:
    day = None
    if match := DAY.search(text):
        month, day_of_month, year = map(int, match.groups())
        day = date(1900 + year, month, day_of_month)
    name, *venue_parts = filter(None, (part.strip() for part in DAY.sub("", text).split(",")))
    if edition := FAQ_EDITION.fullmatch(name):
        return RulingSource("Netrunner FAQ", venue=f"FAQ v{edition[1]}", date=day)
    if venue_parts and (pages := RULEBOOK_PAGES.fullmatch(venue_parts[0])):
        return RulingSource(name, venue=f"Rulebook pp. {pages[1]}-{pages[2]}", date=day)
    person, _, about = name.partition(" on ")
    authority, _, via = person.partition(" via ")
    venue = venue_parts[0] if venue_parts else ""
    return RulingSource(
        _full_name(authority), _full_name(via), VENUES.get(venue, venue), day, about
    )


def _full_name(name: str) -> str:
    bare = name.strip(" !")
    return AUTHORITIES.get(bare, bare)
