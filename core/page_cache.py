"""Cache of pages that are the same for all strangers; one request renders each page."""

# Django's cache stores the newest page of each place with its version. A place is an address
# with the kind of reader.

import gzip
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from time import monotonic, sleep, time
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_protect

from core.addresses import counted_address, is_made_up_host, shared_address
from core.rate_limits import (
    counted_person,
    end_turn,
    expensive_turn,
    is_over,
    run_in_own_turn,
    seconds_left,
    too_many_requests,
)
from core.version import VERSION

WAIT_SECONDS, STALE_AFTER_SECONDS, CACHE_SECONDS, POLL_SECONDS = 2, 0.3, 60, 0.02
# Seconds until another request may render the page, in case the first process died.
RENDER_SECONDS = 10
# Header of an older page shown while a newer page is rendered: reload soon.
OUTDATED_HEADER = "Datafort-Outdated"
# Headers of scripts that request a part of a page. Any other value gets the whole page.
FRAGMENT_HEADERS = {"HX-Request": "true", "X-Fragment": "1"}

View = TypeVar("View", bound=Callable[..., Any])
# Returns the version that a page shows with the response.
Render = Callable[[], tuple[int, HttpResponse]]


def key_by_language(key: str, prefix: str, version: int) -> str:
    """Return the full key of a cached row, so that languages do not share rows (KEY_FUNCTION)."""
    return f"{prefix}:{version}:{get_language()}:{key}"


@dataclass(frozen=True)
class CachedPage:
    """A rendered page, compressed with gzip, and the version of the event it shows."""

    version: int
    body: bytes
    headers: dict[str, str]


def render_once(request: HttpRequest, place: str, version: int, render: Render) -> HttpResponse:
    """Return the page of this place in this version or a newer version.

    One request renders it while others wait. After STALE_AFTER_SECONDS these get the previous page
    with the header OUTDATED_HEADER. Without a previous page, they render it themselves after
    WAIT_SECONDS.
    """
    key, token = _page_key(place), secrets.token_hex(8)
    page = _cached_page(key, version)
    if page is None and _is_my_turn(key, version, token):
        try:
            # Another request may have rendered it since.
            page = _cached_page(key, version)
            if page is None:
                shown, response = render()
                if not is_for_all(response):
                    return response
                page = CachedPage(shown, gzip.compress(response.content, 4), dict(response.headers))
                caches["pages"].set(key, page, CACHE_SECONDS)
        finally:
            if page is None:
                # The new page is not for all strangers, so the old page must not be shown either.
                caches["pages"].delete(key)
            end_turn(caches["pages"], _lock_key(key), token)
    page = page or _cached_page(key)
    if page is None:
        # The page that another request had stored has expired since.
        return too_many_requests(request, 1)
    response = _response_of(request, page)
    if page.version < version:
        response[OUTDATED_HEADER] = "1"
    return response


def render_in_turn(
    request: HttpRequest, place: str, version: int, render: Render, *, needs_turn: bool
) -> HttpResponse:
    """Return a page as `render_once` does, and limit how many pages a stranger has rendered.

    The stranger may have made up the address, by parameters or the host. Such pages are rendered in
    a turn of the network address, `API_LIMITS["search"]` a minute. `needs_turn`: other pages need a
    turn too, without the limit by the minute, because there are many of them.
    """
    is_made_up = bool(request.GET) or is_made_up_host(request)
    if not is_made_up and not needs_turn:
        return render_once(request, place, version, render)
    page = _cached_page(_page_key(place), version)
    if page is not None:
        return _response_of(request, page)
    address = counted_address(request)
    if is_made_up and is_over("search", f"render:{address}"):
        return too_many_requests(request, seconds_left())
    with expensive_turn(address) as has_turn:
        return (
            render_once(request, place, version, render)
            if has_turn
            else too_many_requests(request, 1)
        )


def _is_my_turn(key: str, version: int, token: str) -> bool:
    """Wait for the lock of the page; return False once another page can be shown instead."""
    began = monotonic()
    while not caches["pages"].add(_lock_key(key), token, RENDER_SECONDS):
        waited = monotonic() - began
        if _cached_page(key, version if waited < STALE_AFTER_SECONDS else 0) is not None:
            return False
        if waited > WAIT_SECONDS:
            return True
        sleep(POLL_SECONDS)
    return True


def _cached_page(key: str, version: int = 0) -> CachedPage | None:
    page: CachedPage | None = caches["pages"].get(key)
    return page if page is not None and page.version >= version else None


def _page_key(place: str) -> str:
    return f"page:{place}"


def _lock_key(key: str) -> str:
    return f"{key}:lock"


def is_for_all(response: HttpResponse) -> bool:
    return response.status_code == HTTPStatus.OK and not response.cookies


def _response_of(request: HttpRequest, page: CachedPage) -> HttpResponse:
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(page.body, headers=page.headers)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(gzip.decompress(page.body), headers=page.headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def is_stranger(request: HttpRequest) -> bool:
    cookies = settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name
    return not any(cookie in request.COOKIES for cookie in cookies)


def keep_query_parameters(
    request: HttpRequest, names: Collection[str] | Mapping[str, Collection[str]]
) -> None:
    query = {name: request.GET.getlist(name) for name in names if name in request.GET}
    if isinstance(names, Mapping):
        query = {name: sorted(set(query[name]) & set(names[name])) for name in query}
    request.META["QUERY_STRING"] = urlencode(query, doseq=True)
    request.GET = cast(Any, QueryDict(request.META["QUERY_STRING"]))


def cache_for_strangers(*reads: str, has_limit: bool = False) -> Callable[[View], View]:
    """Cache a page, the same for all strangers, for settings.STRANGERS_PAGES_SECONDS.

    `reads` are the parameters that the view reads; all others are dropped. Accounts and guests get
    the current page, in a turn of their own. `has_limit`: the view has its own turns for addresses
    with parameters.
    """

    def decorator(view: View) -> View:
        # Sets the cookie of a form on the page itself: a page with a form is not cached.
        with_cookie = csrf_protect(view)

        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            seconds = int(settings.STRANGERS_PAGES_SECONDS)
            has_turn = has_limit and bool(request.GET)
            if not is_stranger(request) and not has_turn:
                person = counted_person(request)
                key = person.key if person.is_at_event else ""
                return run_in_own_turn(request, key, lambda: view(request, *args, **kwargs))
            if not seconds or not is_stranger(request):
                return cast(HttpResponse, view(request, *args, **kwargs))
            keep_query_parameters(request, reads)

            def render() -> tuple[int, HttpResponse]:
                response = with_cookie(request, *args, **kwargs)
                if is_for_all(response):
                    response.headers.setdefault("ETag", f'W/"{_place_digest(response.content)}"')
                    patch_vary_headers(response, ["Cookie", *FRAGMENT_HEADERS])
                return int(time() // seconds), response

            parts = [
                request.headers.get(header) == value for header, value in FRAGMENT_HEADERS.items()
            ]
            place = _place_digest(
                *(VERSION, shared_address(request), request.get_full_path(), get_language(), parts)
            )
            version = int(time() // seconds)
            if has_turn:
                return render_once(request, place, version, render)
            return render_in_turn(request, place, version, render, needs_turn=bool(kwargs))

        return cast(View, answer)

    return decorator


def _place_digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:32]
