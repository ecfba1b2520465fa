"""Everything that can be asked about an event, asked by one browser."""

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

TOKEN = re.compile(r'(value="|X-CSRFToken": ")[A-Za-z0-9]{64}|name="idempotency_key" value="\w+"')
"""What is drawn anew for each answer."""
OF_ALL = (None, "cards", "game_card")
"""The card is on the list of all cards, whoever plays it."""

OF_THE_MOMENT = ("Expires", "Datafort-Now", "X-Request-ID")
"""Headers that hold the time of day."""
_METHODS = {"tournaments": lambda name: EXPECTED[name].methods, "api": methods_of}
"""The methods of an address by its name, for each space of names."""


def addresses(event: Tournament, number: int) -> Iterator[str]:
    """Everything that can be read about the event, pages and API; `number` is a round.

    An address that only writes is a 405 to whoever reads it, as the matrices of both show.
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
            wanted = route.pattern.converters.keys()
            if route.name not in OF_ALL and "GET" in _METHODS[space](route.name):
                assert wanted <= ids.keys(), f"{route.name} is not asked: give it {wanted}"
                yield reverse(f"{space}:{route.name}", kwargs={id_: ids[id_] for id_ in wanted})
    for page in ("pairings", "standings", "projector"):
        path = url(page, event)
        yield from (f"{path}?round={number}", f"{path}?show=pairings", f"{path}?by=table")
    yield from (reverse("home"), reverse("players:me"))


def crawl(
    browser: Client, event: Tournament, number: int, *, parts: bool = True
) -> dict[tuple[str, bool], str]:
    """Status, headers and text of every answer: whole pages, and `parts` that refresh."""
    seen = {}
    for address in addresses(event, number):
        whole_only = not parts or address.startswith("/api/")
        for is_part in (False,) if whole_only else (False, True):
            answer = browser.get(address, headers=FRAGMENT if is_part else {})
            seen[address, is_part] = fingerprint(answer)
    return seen


def fingerprint(answer: Any) -> str:
    """Status, headers and text, without what is drawn anew for each answer."""
    headers = sorted(
        f"{name}: {value}" for name, value in answer.items() if name not in OF_THE_MOMENT
    )
    text = TOKEN.sub("", answer.content.decode())
    return "\n".join([str(answer.status_code), *headers, text])
