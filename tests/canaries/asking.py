"""All that one person can ask of an event: pages, answers of the API, files, paper, searches."""

import re
from collections.abc import Iterable, Iterator

from django.test import Client
from django.urls import reverse

from tests.canaries.nest import DRAFT_TABLE, HEARD_BY, Nest
from tests.tournaments.crawling import crawl, fingerprint
from tests.tournaments.matrix.scene import ROUTES
from tournaments.files.exports import FORMATS

ROUND = 2
Answers = dict[str, str]
"""By address: status, headers and text."""


def answers_for(browser: Client, nest: Nest) -> Answers:
    """Every answer this browser gets of the event."""
    answers = {address: text for (address, _), text in _pages(browser, nest).items()}
    for address in _further(nest):
        answers[address] = fingerprint(browser.get(address))
    return answers


def heard(texts: Iterable[str]) -> set[str]:
    """The canaries that sing anywhere in these texts."""
    text = "\n".join(texts)
    return {canary for canary in HEARD_BY if _sung(canary).search(text)}


def _sung(canary: str) -> re.Pattern[str]:
    """Where it sings: a number not within another one, nor within a mark such as an ETag."""
    whole = r"(?<![0-9a-f]){}(?![0-9a-f])" if canary.isdigit() else "{}"
    return re.compile(whole.format(re.escape(canary)))


def _pages(browser: Client, nest: Nest) -> dict[tuple[str, bool], str]:
    return crawl(browser, nest.event, ROUND, parts=False)


def _further(nest: Nest) -> Iterator[str]:
    """What the map of addresses does not lead to: the draft, private files, what is typed."""
    event, api = f"/events/{nest.event.slug}/", f"/api/v1/events/{nest.event.slug}/"
    for place in ("rounds/3/", "rounds/3/draft/", "rounds/3/print/", "desk/calls/1/"):
        yield f"{event}{place}"
    # Not at its own number: what is asked for stands in the log.
    yield f"{event}rounds/3/tables/2/"
    for place in ("rounds/3/", "rounds/3/draft/", "rounds/3/pairings/", "calls/1/", "penalties/1/"):
        yield f"{api}{place}"
    number = nest.player.number
    for name in ("deck_page", "deck_of", "deck_receipt_of"):
        ids = {"slug": nest.event.slug, "number": number, "side": "corp", "receipt": 1}
        wanted = ROUTES[name]
        yield reverse(f"tournaments:{name}", kwargs={one: ids[one] for one in wanted})
    yield f"{api}decks/{number}/corp/"
    yield f"{event}players/{number}/"
    for page in ("pairings", "standings", "projector"):
        yield f"{event}{page}/?round=3"
    for form in FORMATS:
        yield f"{event}exports/{form}/?private=1"
        yield f"{api}exports/{form}/?private=true"
    # Only a part is typed: a page says again what was typed. The card itself is on public lists.
    for typed in ("noted", "answered", "given"):
        yield f"/rulings/search/?q={typed}"
        yield f"/api/v1/rulings/?search={typed}"
    for typed in ("Canary", DRAFT_TABLE[:-1]):
        for place in ("roster/?q", "desk/log/?words", "desk/calls/past/?words"):
            yield f"{event}{place}={typed}"
        yield f"{api}log/?words={typed}"
