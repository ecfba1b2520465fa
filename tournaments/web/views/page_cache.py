"""Finished pages that many ask for: one of them has it rendered, the others read it.

Of each place (an address as one kind of reader gets it) the newest page is kept in Django's cache
with the version of the event it shows, so a change needs nobody to empty anything.
"""

import gzip
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic, sleep

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from core.rate_limits import end_turn

WAIT_SECONDS, KEPT_SECONDS, LOOK_AGAIN = 2, 60, 0.02


@dataclass(frozen=True)
class Page:
    """A finished page, packed with gzip, and the version of the event it shows."""

    version: int
    body: bytes
    headers: dict[str, str]


def rendered_once(
    request: HttpRequest, place: str, version: int, render: Callable[[], tuple[int, HttpResponse]]
) -> HttpResponse:
    """The page of this place in this version or a newer one.

    One request renders, others wait for it; should that take long they render themselves. `render`
    answers the version it shows with its response.
    """
    key, mine = f"page:{place}", secrets.token_hex(8)
    page = _kept_or_my_turn(key, version, mine)
    if page is not None:
        return _answer(request, page)
    try:
        shown, response = render()
        if not is_for_all(response):
            return response
        page = Page(shown, gzip.compress(response.content, 4), dict(response.headers))
        caches["pages"].set(key, page, KEPT_SECONDS)
    finally:
        end_turn(caches["pages"], _lock(key), mine)
    return _answer(request, page)


def _kept_or_my_turn(key: str, version: int, mine: str) -> Page | None:
    deadline = monotonic() + WAIT_SECONDS
    while True:
        page: Page | None = caches["pages"].get(key)
        if page is not None and page.version >= version:
            return page
        if caches["pages"].add(_lock(key), mine, WAIT_SECONDS) or monotonic() > deadline:
            return None
        sleep(LOOK_AGAIN)


def _lock(key: str) -> str:
    return f"{key}:lock"


def is_for_all(response: HttpResponse) -> bool:
    """A page with a form sets the cookie of one reader; a refusal may be over in a moment."""
    return response.status_code == HTTPStatus.OK and not response.cookies


def _answer(request: HttpRequest, page: Page) -> HttpResponse:
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(page.body, headers=page.headers)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(gzip.decompress(page.body), headers=page.headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
