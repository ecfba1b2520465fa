"""Everything a person can request of an event: pages, API, files, printouts and searches."""

import re
from collections.abc import Iterable, Iterator

from django.test import Client
from django.urls import reverse

from tests.canaries.nest import DRAFT_TABLE, READERS, CanaryEvent
from tests.tournaments.crawling import crawl, fingerprint
from tests.tournaments.matrix.scene import ROUTES
from tournaments.files.exports import FORMATS

ROUND = 2
Responses = dict[str, str]
"""Status, headers and text by address."""


def answers_for(browser: Client, canary_event: CanaryEvent) -> Responses:
    answers = {address: text for (address, _), text in _pages(browser, canary_event).items()}
    for address in _further_addresses(canary_event):
        answers[address] = fingerprint(browser.get(address))
    return answers


def canaries_in(texts: Iterable[str]) -> set[str]:
    text = "\n".join(texts)
    return {canary for canary in READERS if _pattern_of(canary).search(text)}


def _pattern_of(canary: str) -> re.Pattern[str]:
    """Pattern of a canary; a number must not be part of another number or of an ETag."""
    template = r"(?<![0-9a-f]){}(?![0-9a-f])" if canary.isdigit() else "{}"
    return re.compile(template.format(re.escape(canary)))


def _pages(browser: Client, canary_event: CanaryEvent) -> dict[tuple[str, bool], str]:
    return crawl(browser, canary_event.event, ROUND, parts=False)


def _further_addresses(canary_event: CanaryEvent) -> Iterator[str]:
    """Addresses beside the URL map: the draft, private files, and searches."""
    event, api = f"/events/{canary_event.event.slug}/", f"/api/v1/events/{canary_event.event.slug}/"
    for path in ("rounds/3/", "rounds/3/draft/", "rounds/3/print/", "desk/calls/1/"):
        yield f"{event}{path}"
    # Not at the canary's own table number: the log of requests would contain it.
    yield f"{event}rounds/3/tables/2/"
    for path in ("rounds/3/", "rounds/3/draft/", "rounds/3/pairings/", "calls/1/", "penalties/1/"):
        yield f"{api}{path}"
    number = canary_event.player.number
    for name in ("deck_page", "deck_of", "deck_receipt_of"):
        ids = {"slug": canary_event.event.slug, "number": number, "side": "corp", "receipt": 1}
        parameters = ROUTES[name]
        yield reverse(
            f"tournaments:{name}", kwargs={parameter: ids[parameter] for parameter in parameters}
        )
    yield f"{api}decks/{number}/corp/"
    yield f"{event}players/{number}/"
    for page in ("pairings", "standings", "projector"):
        yield f"{event}{page}/?round=3"
    for form in FORMATS:
        yield f"{event}exports/{form}/?private=1"
        yield f"{api}exports/{form}/?private=true"
    # Search for a part only: pages repeat the search text. The card itself is in public lists.
    for typed in ("noted", "answered", "given"):
        yield f"/rulings/search/?q={typed}"
        yield f"/api/v1/rulings/?search={typed}"
    for typed in ("Canary", DRAFT_TABLE[:-1]):
        for path in ("roster/?q", "desk/log/?words", "desk/calls/past/?words"):
            yield f"{event}{path}={typed}"
        yield f"{api}log/?words={typed}"
