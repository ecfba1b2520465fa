"""How often the site is asked: counted in a cache, never in the database."""

from __future__ import annotations

import secrets
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.conf import settings
from django.core.cache import BaseCache, cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.client_addresses import counted_address
from core.errors import Refusal

if TYPE_CHECKING:
    # DRF loads its views only after what authenticates and counts.
    from rest_framework.views import APIView

SECONDS = 60
DAY = 24 * 60 * SECONDS
WRONG_TRIES, MANY_TRIES, PAUSE = 20, 60, 1
"""Wrong codes a minute before somebody, or an address, is slowed to one try in so many seconds."""
View = TypeVar("View", bound=Callable[..., Any])


def one_more(key: str, seconds: int) -> int:
    """Add one to this counter, which lasts `seconds` from its first use, and return the count.

    It is always 1 while the cache is away.
    """
    if cache.add(key, 1, seconds):
        return 1
    try:
        return cache.incr(key) or 1
    except ValueError:
        # It ended, or a full cache dropped it, between the two calls.
        cache.add(key, 1, seconds)
        return 1


def one_less(key: str) -> None:
    """Take back one that was counted, unless the count has ended by itself meanwhile."""
    with suppress(ValueError):
        cache.decr(key)


def is_over(name: str, who: str) -> bool:
    """Count one more in this minute: is that too many? `settings.API_LIMITS` has the numbers."""
    count = one_more(f"{name}:{who}:{int(time.time() // SECONDS)}", 2 * SECONDS)
    return count > int(settings.API_LIMITS[name])


def seconds_left() -> int:
    """Until the next minute begins."""
    return SECONDS - int(time.time() % SECONDS)


class MinuteThrottle(BaseThrottle):
    """So many requests a minute by `who`; DRF answers 429 and says when to come again."""

    name = ""

    @abstractmethod
    def who(self, request: Request) -> str:
        """Who is counted; "" counts nobody."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        who = self.who(request)
        return not who or not is_over(self.name, who)

    def wait(self) -> float:
        return seconds_left()


class AddressThrottle(MinuteThrottle):
    """All that comes from one address: a hall of phones shares one."""

    name = "address"

    def who(self, request: Request) -> str:
        return counted_address(request)


def rate_limited(name: str, organiser: str = "organiser") -> Callable[[View], View]:
    """Limit an expensive page, or method of an API view, for everybody but the site's staff.

    An address gets `API_LIMITS[name]` answers a minute. An account with a role at an event is no
    stranger: it gets `API_LIMITS[organiser]` of its own. Each gets `API_LIMITS["at_once"]` at
    the same time, of whatever name. Beyond that the answer is 429 with Retry-After.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_staff:
                return view(request, *args, **kwargs)
            limit, who = _counted(name, organiser, request)
            if is_over(limit, f"{name}:{who}"):
                return too_many(request, seconds_left())
            with at_once("requests", who) as is_free:
                return view(request, *args, **kwargs) if is_free else too_many(request, 1)

        return cast(View, limited)

    return decorator


def searches_limited(view: View) -> View:
    """`rate_limited("search")` where something is asked; a hall opens the bare list at once."""
    limited = rate_limited("search")(view)

    @wraps(view)
    def wrapper(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
        return (limited if request.GET else view)(request, *args, **kwargs)

    return cast(View, wrapper)


def lists_limited(view: View) -> View:
    """Limit how many lists of players an account sends; the empty form is always shown."""
    limited = rate_limited("expensive", organiser="lists")(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return (limited if request.method == "POST" else view)(request, *args, **kwargs)

    return cast(View, wrapper)


def typing_limited(view: View) -> View:
    """Limit what follows typing, quick to answer, by the address and the minute alone.

    No session is read, so that caches may keep the answer for all.
    """

    @wraps(view)
    def limited(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
        if is_over("typing", counted_address(request)):
            return too_many(request, seconds_left())
        return view(request, *args, **kwargs)

    return cast(View, limited)


@contextmanager
def at_once(name: str, who: str) -> Iterator[bool]:
    """Whether they may have one more of this kind at work right now.

    Each is counted in the minute in which it began, and in the next one too: the count of a
    process that died ends by itself, and nothing is taken back from a count it is not in.
    """
    minute = int(time.time() // SECONDS)
    now, before = (f"at-once:{name}:{who}:{number}" for number in (minute, minute - 1))
    at_work = one_more(now, 2 * SECONDS) + cache.get(before, 0)
    try:
        yield at_work <= int(settings.API_LIMITS["at_once"])
    finally:
        one_less(now)


def too_many(request: HttpRequest | Request, seconds: int) -> HttpResponse:
    """429: come again after so many seconds. Raises Throttled below the API."""
    if isinstance(request, Request):
        raise Throttled(seconds)
    page = render(request, "429.html", {"seconds": seconds}, status=429)
    page["Retry-After"] = str(seconds)
    return page


def wait_after_wrong(request: HttpRequest, what: str) -> int:
    """Count a wrong link of this address; the seconds to wait before the next try, 0 for none.

    The minute of an address begins with its first wrong try. What is right always opens: nobody
    finds a link of 144 bits.
    """
    count = one_more(f"{what}-wrong:{counted_address(request)}", SECONDS)
    return int(count > WRONG_TRIES)


def wait_before_code(request: HttpRequest | Request, who: str, code: str) -> int:
    """The seconds until this join code is looked up, 0 for now.

    `who` is the account or guest that asks, "" for a stranger.

    - After WRONG_TRIES wrong codes of their own an account or guest is slowed.
    - After MANY_TRIES of an address so are its strangers, and whoever was wrong there.
    - All of an address who are slowed share one try a second.
    - A code that opened its event today at this address always opens it: the phones of a hall
      share an address and a code, so a guesser among them must not close it for the others.
    """
    address = counted_address(request)
    own = cache.get(f"code-wrong:{who}", 0) if who else 0
    many_there = cache.get(f"code-wrong:{address}", 0) >= MANY_TRIES
    is_slow = own >= WRONG_TRIES or (many_there and (own > 0 or not who))
    if not is_slow or cache.get(f"code-right:{address}:{code}"):
        return 0
    return 0 if cache.add(f"code-try:{address}", True, PAUSE) else PAUSE


def code_was_wrong(request: HttpRequest | Request, who: str) -> None:
    """Count a wrong join code, of who asks and of the address."""
    for counted in filter(None, (who, counted_address(request))):
        one_more(f"code-wrong:{counted}", SECONDS)


def code_was_right(request: HttpRequest | Request, code: str) -> None:
    """From this address it opens its event for a day, whoever guesses there."""
    cache.set(f"code-right:{counted_address(request)}:{code}", True, DAY)


def slowed(response: HttpResponse, wait: int) -> HttpResponse:
    """The answer to a wrong try, with the seconds to wait where there are any."""
    if wait:
        response.status_code, response["Retry-After"] = HTTPStatus.TOO_MANY_REQUESTS, str(wait)
    return response


class Busy(Refusal):
    """Somebody else does the same right now."""


@contextmanager
def one_at_a_time(what: str, seconds: int = 60) -> Iterator[None]:
    """Only one of its kind on the whole site. Raises Busy."""
    key, mine = f"one-at-a-time:{what}", secrets.token_hex()
    # What died while it worked blocks the others for so many seconds at most.
    if not cache.add(key, mine, seconds):
        raise Busy(f"Another {what} is running. Try again in a minute.")
    try:
        yield
    finally:
        end_turn(cache, key, mine)


def end_turn(store: BaseCache, key: str, mine: str) -> None:
    """Free the key; what took too long leaves alone whoever has it by now."""
    if store.get(key) == mine:
        store.delete(key)


def _counted(name: str, organiser: str, request: HttpRequest | Request) -> tuple[str, str]:
    """The limit that holds for who asks, and under what they are counted."""
    user = request.user
    if user.is_authenticated and import_string(settings.HAS_A_ROLE)(user):
        return organiser, str(user.pk)
    return name, counted_address(request)
