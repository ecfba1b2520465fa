"""Rate limits, counted in the cache and never in the database."""

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
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.addresses import counted_address
from core.errors import Refusal

if TYPE_CHECKING:
    # DRF imports its views only after the authentication and throttling classes.
    from rest_framework.views import APIView

MINUTE = 60
DAY = 24 * 60 * MINUTE
# Wrong codes a minute before a person or an address is slowed to a try every PAUSE seconds.
WRONG_TRIES, MANY_TRIES, PAUSE_SECONDS = 20, 60, 1
# In seconds: the wait for a turn, the interval between tries, and the priority of people at an
# event over strangers.
WAIT_SECONDS, POLL_SECONDS, PRIORITY_SECONDS = 1.5, 0.05, 2
# Threads of this process that may sleep until a turn is free.
MAX_WAITING_STRANGERS, MAX_WAITING_PEOPLE, MAX_WAITING_WRITES = 1, 2, 1
WAITING_STRANGERS = BoundedSemaphore(MAX_WAITING_STRANGERS)
WAITING_PEOPLE = BoundedSemaphore(MAX_WAITING_PEOPLE)
WAITING_WRITES = BoundedSemaphore(MAX_WAITING_WRITES)
GetResponse = Callable[[HttpRequest], HttpResponse]
View = TypeVar("View", bound=Callable[..., Any])
Answer = TypeVar("Answer")


def increment_counter(key: str, seconds: int) -> int:
    """Add one to this counter, which lasts `seconds` from its first use, and return the count."""
    if cache.add(key, 1, seconds):
        return 1
    try:
        # 1 while the cache is unavailable.
        return cache.incr(key) or 1
    except ValueError:
        # The counter expired, or a full cache dropped it, between the two calls.
        cache.add(key, 1, seconds)
        return 1


def decrement_counter(key: str) -> None:
    with suppress(ValueError):
        cache.decr(key)


def is_over(name: str, who: str) -> bool:
    """Count a request in the current minute; True above the limit in `settings.API_LIMITS`."""
    count = increment_counter(f"{name}:{who}:{int(time() // MINUTE)}", 2 * MINUTE)
    return count > int(settings.API_LIMITS[name])


def seconds_left() -> int:
    return MINUTE - int(time() % MINUTE)


class MinuteThrottle(BaseThrottle):
    name = ""

    @abstractmethod
    def requester_key(self, request: Request) -> str:
        pass

    def allow_request(self, request: Request, view: APIView) -> bool:
        who = self.requester_key(request)
        return not who or not is_over(self.name, who)

    def wait(self) -> float:
        return seconds_left()


class AddressThrottle(MinuteThrottle):
    # The phones in a hall share an address.
    name = "address"

    def requester_key(self, request: Request) -> str:
        return counted_address(request)


class Requester(NamedTuple):
    """An account or guest with a part in an event. The empty `key` is a stranger."""

    key: str = ""
    has_role: bool = False
    is_at_event: bool = False


STRANGER_REQUESTER = Requester()


def counted_person(request: HttpRequest | Request) -> Requester:
    person: Requester = import_string(settings.COUNTED_PERSON)(request)
    return person


def rate_limited(name: str, organiser: str = "organiser") -> Callable[[View], View]:
    """Limit an expensive page, or method of an API view. Site staff have no limit.

    - All strangers of an address share `API_LIMITS[name]` answers a minute. An account without a
    part in an event is a stranger, as accounts cost nothing.
    - Players and guests of an event that is on now have `API_LIMITS["player"]` each, accounts with
    a role `API_LIMITS[organiser]`. All of them at an address share `API_LIMITS["hall"]`.
    - `wait_for_turn` limits simultaneous answers.

    Requests beyond the limit get a 429 with Retry-After.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_staff:
                return view(request, *args, **kwargs)
            person, address = counted_person(request), counted_address(request)
            if not person.key:
                if is_over(name, f"{name}:{address}"):
                    return too_many_requests(request, seconds_left())
            elif is_over(organiser if person.has_role else "player", f"{name}:{person.key}"):
                return too_many_requests(request, seconds_left(), is_own=True)
            elif is_over("hall", f"{name}:{address}"):
                return too_many_requests(request, seconds_left())
            with expensive_turn(address, person) as has_turn:
                return view(request, *args, **kwargs) if has_turn else too_many_requests(request, 1)

        return cast(View, limited)

    return decorator


def limit_searches(view: View) -> View:
    """Apply `rate_limited("search")` to requests with parameters; the bare list has no limit."""
    limited = rate_limited("search")(view)

    @wraps(view)
    def wrapper(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
        return (limited if request.GET else view)(request, *args, **kwargs)

    return cast(View, wrapper)


def limit_player_lists(view: View) -> View:
    # The empty form is always shown.
    limited = rate_limited("expensive", organiser="lists")(view)

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return (limited if request.method == "POST" else view)(request, *args, **kwargs)

    return cast(View, wrapper)


def limit_typing(view: View) -> View:
    # The session is not read, so caches can share the answer.
    @wraps(view)
    def limited(request: HttpRequest | Request, *args: Any, **kwargs: Any) -> Any:
        if is_over("typing", counted_address(request)):
            return too_many_requests(request, seconds_left())
        return view(request, *args, **kwargs)

    return cast(View, limited)


@contextmanager
def take_place(name: str, who: str, places: int | None = None) -> Iterator[bool]:
    """Take a place out of `places` or `API_LIMITS["at_once"]`; yield False if none is free."""
    most = int(settings.API_LIMITS["at_once"]) if places is None else places
    minute = int(time() // MINUTE)
    # Work counts in the minute in which it began and in the next. The count of a process that died
    # expires, and no count is reduced by work that it does not include.
    key, previous_key = (f"at-once:{name}:{who}:{number}" for number in (minute, minute - 1))
    is_free = increment_counter(key, 2 * MINUTE) + cache.get(previous_key, 0) <= most
    if not is_free:
        # A counted refusal would take a free place from the next request.
        decrement_counter(key)
    try:
        yield is_free
    finally:
        if is_free:
            decrement_counter(key)


def expensive_turn(
    address: str, person: Requester = STRANGER_REQUESTER
) -> AbstractContextManager[bool]:
    return wait_for_turn("requests", address, person, int(settings.API_LIMITS["requests_at_once"]))


@contextmanager
def wait_for_turn(
    name: str, address: str, person: Requester = STRANGER_REQUESTER, places: int | None = None
) -> Iterator[bool]:
    """Take a turn at work of this kind, waiting up to WAIT_SECONDS for it.

    An address has `places` turns, and a person has a single turn. Strangers get none while players
    or staff at a running event wait at the same address. Yields False if no turn was free in time,
    or if too many requests are waiting.
    """
    first = f"at-once:{name}:{address}:first"

    def take(turns: ExitStack) -> bool:
        with ExitStack() as taken:
            if person.key and not taken.enter_context(take_place(name, person.key, 1)):
                return False
            if not person.is_at_event and cache.get(first):
                return False
            if not taken.enter_context(take_place(name, address, places)):
                if person.is_at_event:
                    cache.set(first, True, PRIORITY_SECONDS)
                return False
            turns.push(taken.pop_all())
            return True

    with ExitStack() as turns:
        waiting = WAITING_PEOPLE if person.is_at_event else WAITING_STRANGERS
        yield take(turns) or _poll_for_turn(partial(take, turns), waiting)


def run_in_own_turn(
    request: HttpRequest | Request, person: str, answer: Callable[[], Answer]
) -> Answer | HttpResponse:
    """Compute an answer for this reader alone in a turn, or return a 429.

    `person` is the key of an account or guest with a part in what is read. Readers with the key ""
    share the turns of their address.
    """
    if request.user.is_staff:
        return answer()
    # Own turns, because the phones in a hall send requests at the same moment.
    own = Requester(is_at_event=True)
    turn = (
        wait_for_turn("pages", person, own) if person else expensive_turn(counted_address(request))
    )
    with turn as has_turn:
        return answer() if has_turn else too_many_requests(request, 1)


def staff_turn(name: str, who: str) -> AbstractContextManager[bool]:
    return wait_for_turn(name, "all", Requester(who, is_at_event=True))


def limit_simultaneous_writes(get_response: GetResponse) -> GetResponse:
    # Otherwise an account that sends forty writes takes every thread of a small server.
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
        writer = _writer_key(request)
        if not writer:
            return get_response(request)
        if not begin(writer) and not _poll_for_turn(partial(begin, writer), WAITING_WRITES):
            return too_many_requests(request, 1, is_own=True)
        try:
            return get_response(request)
        finally:
            end(writer)

    return middleware


def _writer_key(request: HttpRequest) -> str:
    if request.method in SAFE_METHODS:
        return ""
    token = request.headers.get("Authorization", "").split()
    if token and request.path_info.startswith("/api/"):
        return token[-1]
    return request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")


def _poll_for_turn(take: Callable[[], bool], waiting: BoundedSemaphore) -> bool:
    if not waiting.acquire(blocking=False):
        return False
    try:
        deadline = monotonic() + WAIT_SECONDS
        while monotonic() < deadline:
            sleep(POLL_SECONDS)
            if take():
                return True
        return False
    finally:
        waiting.release()


def too_many_requests(
    request: HttpRequest | Request, seconds: int, *, is_own: bool = False
) -> HttpResponse:
    """Return a 429, or raise Throttled in an API view. `is_own`: of the person, not the network."""
    if isinstance(request, Request):
        raise Throttled(seconds)
    status = HTTPStatus.TOO_MANY_REQUESTS
    if request.path_info.startswith("/api/"):
        response: HttpResponse = JsonResponse(throttled_error(seconds), status=status)
    else:
        context = {"seconds": seconds, "is_own": is_own}
        response = render(request, "429.html", context, status=status)
    response["Retry-After"] = str(seconds)
    return response


def throttled_error(seconds: float) -> dict[str, Any]:
    wait = round(seconds)
    text = ngettext(
        "Too many requests. Try again in %(seconds)s second (see Retry-After).",
        "Too many requests. Try again in %(seconds)s seconds (see Retry-After).",
        wait,
    )
    detail = text % {"seconds": wait}
    return {"code": "throttled", "detail": detail, "errors": {}}


def wait_after_wrong(request: HttpRequest, what: str) -> int:
    """Count a wrong link from this address and return the seconds to wait, 0 for none."""
    # A correct link always opens, as a link of 144 bits cannot be guessed.
    count = increment_counter(f"{what}-wrong:{counted_address(request)}", MINUTE)
    return int(count > WRONG_TRIES)


def wait_before_code(request: HttpRequest | Request, who: str, code: str) -> int:
    """Return the seconds until this join code may be looked up, 0 for now.

    `who` is the account or guest, "" for a stranger.

    - An account or guest is slowed after WRONG_TRIES wrong codes of their own.
    - After MANY_TRIES from an address, its strangers are slowed, and all users with a wrong code.
    - All slowed people at an address share a try a second.
    - A code that opened its event today at this address always opens it. The phones in a hall share
      an address and a code, so a guesser must not lock out all of them.
    """
    address = counted_address(request)
    own_tries = cache.get(f"code-wrong:{who}", 0) if who else 0
    has_many_tries = cache.get(f"code-wrong:{address}", 0) >= MANY_TRIES
    is_slow = own_tries >= WRONG_TRIES or (has_many_tries and (own_tries > 0 or not who))
    if not is_slow or cache.get(f"code-right:{address}:{code}"):
        return 0
    return 0 if cache.add(f"code-try:{address}", True, PAUSE_SECONDS) else PAUSE_SECONDS


def record_wrong_code(request: HttpRequest | Request, who: str) -> None:
    for name in filter(None, (who, counted_address(request))):
        increment_counter(f"code-wrong:{name}", MINUTE)


def record_right_code(request: HttpRequest | Request, code: str) -> None:
    """Let this code open its event from this address for a day, despite wrong guesses there."""
    cache.set(f"code-right:{counted_address(request)}:{code}", True, DAY)


def slow_down(response: HttpResponse, wait: int) -> HttpResponse:
    if wait:
        response.status_code, response["Retry-After"] = HTTPStatus.TOO_MANY_REQUESTS, str(wait)
    return response


class Busy(Refusal):
    pass


@contextmanager
def exclusive_work(what: str, seconds: int = 60) -> Iterator[None]:
    """Run the block alone on the whole site. Raises Busy."""
    key, token = f"one-at-a-time:{what.replace(' ', '-')}", secrets.token_hex()
    # The key of a process that died expires after `seconds`.
    if not cache.add(key, token, seconds):
        raise Busy(_("Another %(what)s is running. Try again in a minute.") % {"what": what})
    try:
        yield
    finally:
        end_turn(cache, key, token)


def end_turn(store: BaseCache, key: str, token: str) -> None:
    # Unless it has expired and another request has taken it.
    if store.get(key) == token:
        store.delete(key)
