"""How often the site is asked: counted in a cache, never in the database."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial, wraps
from http import HTTPStatus
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from django.conf import settings
from django.core.cache import BaseCache, cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.module_loading import import_string
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.client_addresses import counted_address
from core.errors import Refusal
from core.text import counted

if TYPE_CHECKING:
    # DRF loads its views only after what authenticates and counts.
    from rest_framework.views import APIView

SECONDS = 60
DAY = 24 * 60 * SECONDS
WRONG_TRIES, MANY_TRIES, PAUSE = 20, 60, 1
"""Wrong codes a minute before somebody, or an address, is slowed to one try in so many seconds."""
WAIT_SECONDS, LOOK_AGAIN, FIRST_SECONDS = 1.5, 0.05, 2
"""The wait of a request for its turn, and the lead of people at an event over strangers."""
MOST_WAITING_STRANGERS, MOST_WAITING_PEOPLE, MOST_WAITING_WRITES = 1, 2, 1
"""Threads of this process that may sleep until a turn is free."""
WAITING_STRANGERS = BoundedSemaphore(MOST_WAITING_STRANGERS)
WAITING_PEOPLE = BoundedSemaphore(MOST_WAITING_PEOPLE)
WAITING_WRITES = BoundedSemaphore(MOST_WAITING_WRITES)
GetResponse = Callable[[HttpRequest], HttpResponse]
View = TypeVar("View", bound=Callable[..., Any])
Answer = TypeVar("Answer")


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
    count = one_more(f"{name}:{who}:{int(time() // SECONDS)}", 2 * SECONDS)
    return count > int(settings.API_LIMITS[name])


def seconds_left() -> int:
    """Until the next minute begins."""
    return SECONDS - int(time() % SECONDS)


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


class Person(NamedTuple):
    """An account or guest with a part in an event; the empty `key` stands for a stranger.

    `is_at_event`: the event is on now, so this may be one phone of many behind one address.
    """

    key: str = ""
    has_role: bool = False
    is_at_event: bool = False


STRANGER = Person()


def counted_person(request: HttpRequest | Request) -> Person:
    """Return the account or guest of a request, by the function that `settings` name."""
    person: Person = import_string(settings.COUNTED_PERSON)(request)
    return person


def rate_limited(name: str, organiser: str = "organiser") -> Callable[[View], View]:
    """Limit an expensive page, or method of an API view, for everybody but the site's staff.

    - All strangers of an address share `API_LIMITS[name]` answers a minute. An account without a
      part in an event is a stranger, as accounts cost nothing.
    - Players and guests of an event that is on now have `API_LIMITS["player"]` each, accounts with
      a role `API_LIMITS[organiser]`; all of these at one address share `API_LIMITS["hall"]`.
    - Answers at the same time are limited by `queued`, whatever their names.

    Beyond that the answer is 429 with Retry-After.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_staff:
                return view(request, *args, **kwargs)
            person, address = counted_person(request), counted_address(request)
            if not person.key:
                if is_over(name, f"{name}:{address}"):
                    return too_many(request, seconds_left())
            elif is_over(organiser if person.has_role else "player", f"{name}:{person.key}"):
                return too_many(request, seconds_left(), is_own=True)
            elif is_over("hall", f"{name}:{address}"):
                return too_many(request, seconds_left())
            with expensive_turn(address, person) as has_turn:
                return view(request, *args, **kwargs) if has_turn else too_many(request, 1)

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
def at_once(name: str, who: str, places: int | None = None) -> Iterator[bool]:
    """Take one of the `places` for work of this kind, by default `API_LIMITS["at_once"]`.

    Yields False where none is free. Each is counted in the minute in which it began, and in the
    next one too: the count of a process that died ends by itself, and nothing is taken back from a
    count it is not in.
    """
    most = int(settings.API_LIMITS["at_once"]) if places is None else places
    minute = int(time() // SECONDS)
    now, before = (f"at-once:{name}:{who}:{number}" for number in (minute, minute - 1))
    is_free = one_more(now, 2 * SECONDS) + cache.get(before, 0) <= most
    if not is_free:
        # Counted while it is refused, it would keep the next request out of a free place.
        one_less(now)
    try:
        yield is_free
    finally:
        if is_free:
            one_less(now)


def expensive_turn(address: str, person: Person = STRANGER) -> AbstractContextManager[bool]:
    """Take one of the turns of an address at expensive answers, as with `queued`."""
    return queued("requests", address, person, int(settings.API_LIMITS["requests_at_once"]))


@contextmanager
def queued(
    name: str, address: str, person: Person = STRANGER, places: int | None = None
) -> Iterator[bool]:
    """Take a turn at work of this kind, waiting up to WAIT_SECONDS for it.

    An address has so many `places`, as with `at_once`, and a person one of these. While
    players or staff of an event that is on wait for a turn, strangers of their address get none.
    Yields False where no turn was free in time, or too many requests wait already.
    """
    first = f"at-once:{name}:{address}:first"

    def take(turns: ExitStack) -> bool:
        """Take the person's turn and one of the address, or neither."""
        with ExitStack() as taken:
            if person.key and not taken.enter_context(at_once(name, person.key, 1)):
                return False
            if not person.is_at_event and cache.get(first):
                return False
            if not taken.enter_context(at_once(name, address, places)):
                if person.is_at_event:
                    cache.set(first, True, FIRST_SECONDS)
                return False
            turns.push(taken.pop_all())
            return True

    with ExitStack() as turns:
        waiting = WAITING_PEOPLE if person.is_at_event else WAITING_STRANGERS
        yield take(turns) or _take_later(partial(take, turns), waiting)


def in_own_turn(
    request: HttpRequest | Request, person: str, answer: Callable[[], Answer]
) -> Answer | HttpResponse:
    """Compute an answer that only this reader gets in a turn, as with `queued`; else return a 429.

    `person` is the key of an account or guest with a part in what is read: the phones of a hall,
    which ask at the same moment, each have turns of their own. Other readers, with the key "",
    share those of their address. The site's staff is not limited.
    """
    if request.user.is_staff:
        return answer()
    if person:
        turn = queued("pages", person, Person(is_at_event=True))
    else:
        turn = expensive_turn(counted_address(request))
    with turn as has_turn:
        return answer() if has_turn else too_many(request, 1)


def staff_turn(name: str, who: str) -> AbstractContextManager[bool]:
    """Take the only turn of `who` at this work of staff, one of a few of the site, as `queued`."""
    return queued(name, "all", Person(who, is_at_event=True))


def few_writes_at_once(get_response: GetResponse) -> GetResponse:
    """Answer few writes of a token or session at the same time in a process; others wait.

    An account that sends forty would take every thread of a small server.
    """
    at_work: Counter[str] = Counter()
    lock = Lock()

    def begin(writer: str) -> bool:
        with lock:
            is_free = at_work[writer] < settings.API_LIMITS["writes_at_once"]
            at_work[writer] += is_free
            return is_free

    def end(writer: str) -> None:
        with lock:
            at_work[writer] -= 1
            if not at_work[writer]:
                del at_work[writer]

    def middleware(request: HttpRequest) -> HttpResponse:
        writer = _writer(request)
        if not writer:
            return get_response(request)
        if not begin(writer) and not _take_later(partial(begin, writer), WAITING_WRITES):
            return too_many(request, 1, is_own=True)
        try:
            return get_response(request)
        finally:
            end(writer)

    return middleware


def _writer(request: HttpRequest) -> str:
    """Return the token or session of a write as it was sent; "" for reads and without one."""
    if request.method in SAFE_METHODS:
        return ""
    token = request.headers.get("Authorization", "").split()
    if token and request.path_info.startswith("/api/"):
        return token[-1]
    return request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")


def _take_later(take: Callable[[], bool], waiting: BoundedSemaphore) -> bool:
    """Try again for WAIT_SECONDS, unless too many threads of this process wait already."""
    if not waiting.acquire(blocking=False):
        return False
    try:
        deadline = monotonic() + WAIT_SECONDS
        while monotonic() < deadline:
            sleep(LOOK_AGAIN)
            if take():
                return True
        return False
    finally:
        waiting.release()


def too_many(request: HttpRequest | Request, seconds: int, *, is_own: bool = False) -> HttpResponse:
    """Return a 429 with the seconds until the next try. Raises Throttled in a view of the API.

    `is_own`: the limit is that of the account or guest, not that of the network.
    """
    if isinstance(request, Request):
        raise Throttled(seconds)
    status = HTTPStatus.TOO_MANY_REQUESTS
    if request.path_info.startswith("/api/"):
        response: HttpResponse = JsonResponse(throttled_document(seconds), status=status)
    else:
        context = {"seconds": seconds, "is_own": is_own}
        response = render(request, "429.html", context, status=status)
    response["Retry-After"] = str(seconds)
    return response


def throttled_document(seconds: float) -> dict[str, Any]:
    """Return what the API answers with a 429."""
    again = counted(round(seconds), "second")
    detail = f"Too many requests. Try again in {again} (see Retry-After)."
    return {"code": "throttled", "detail": detail, "errors": {}}


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
    for name in filter(None, (who, counted_address(request))):
        one_more(f"code-wrong:{name}", SECONDS)


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
    key, mine = f"one-at-a-time:{what.replace(' ', '-')}", secrets.token_hex()
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
