"""Every readable address of an event, requested with one browser."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.test import Client
from django.urls import reverse

from config import api_urls
from tests.api.matrix.table import methods_of
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.pages import FRAGMENT, url
from tournaments import urls
from tournaments.models import Tournament

RANDOM_VALUES = re.compile(
    r'(value="|X-CSRFToken": ")[A-Za-z0-9]{64}|name="idempotency_key" value="\w+"'
)
"""Values that are generated again for each response."""
CARD_ROUTES = (None, "cards", "game_card")
"""Routes of the card list, which do not depend on the event."""

TIME_HEADERS = ("Expires", "Datafort-Now", "X-Request-ID")
"""Headers that depend on the time of day."""
_METHODS = {"tournaments": lambda name: EXPECTED[name].methods, "api": methods_of}
"""Methods of a route by its name, for each URL namespace."""


def addresses(event: Tournament, number: int) -> Iterator[str]:
    """Yield every address of the event that accepts GET, pages and API.

    `number` is a round. The two route matrices show that write-only addresses answer GET with 405.
    """
    ids = {
        "slug": event.slug,
        "code": event.join_code,
        "number": number,
        "table": 1,
        "side": "corp",
        "receipt": 1,
        "pk": 1,
        "uid": UUID(int=1),
        "form": "plain_text",
        "game": event.game,
        "secret": "nobody-knows-this",
        "infraction": "slow-play",
        "section": "rounds",
        "public_id": UUID(int=1),
        "series": event.series.slug if event.series else "none",
        "event": event.slug,
    }
    for space, patterns in (("tournaments", urls.urlpatterns), ("api", api_urls.urlpatterns)):
        for route in patterns:
            parameters = route.pattern.converters.keys()
            if route.name not in CARD_ROUTES and "GET" in _METHODS[space](route.name):
                assert parameters <= ids.keys(), f"{route.name} is not requested: add {parameters}"
                yield reverse(f"{space}:{route.name}", kwargs={id_: ids[id_] for id_ in parameters})
    for page in ("pairings", "standings", "projector"):
        path = url(page, event)
        yield from (f"{path}?round={number}", f"{path}?show=pairings", f"{path}?by=table")
    yield from (reverse("home"), reverse("players:me"))


def crawl(
    browser: Client, event: Tournament, number: int, *, parts: bool = True
) -> dict[tuple[str, bool], str]:
    """Return status, headers and text of every page and, with `parts`, of its fragment."""
    seen = {}
    for address in addresses(event, number):
        whole_only = not parts or address.startswith("/api/")
        for is_part in (False,) if whole_only else (False, True):
            answer = browser.get(address, headers=FRAGMENT if is_part else {})
            seen[address, is_part] = fingerprint(answer)
    return seen


def fingerprint(answer: Any) -> str:
    """Return status, headers and text without the values that change with each response."""
    headers = sorted(
        f"{name}: {value}" for name, value in answer.items() if name not in TIME_HEADERS
    )
    text = RANDOM_VALUES.sub("", answer.content.decode())
    return "\n".join([str(answer.status_code), *headers, text])
