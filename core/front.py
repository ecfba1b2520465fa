"""Public pages answered before Django is asked: the same bytes, as long as they are right.

A view that answers every stranger alike says of which thing its answer tells (`tell`). The next
time somebody asks, its mark (core.freshness) decides whether the answer still holds. Whoever
has a session, and whatever no view has spoken for, goes the long way.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from time import time
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest

from core import freshness, metrics

NOTE = "datafort.front"
KEPT_SECONDS, MOST_BYTES = 60, 64 * 1024 * 1024
NOT_MODIFIED = "304 Not Modified"
OF_A_304 = ("etag", "cache-control", "vary", "expires", "datafort-live")
OF_THE_MOMENT = ("datafort-now", "date", "set-cookie", "x-request-id")
"""Headers of one answer; the first is given anew."""

Environ: TypeAlias = dict[str, Any]
Headers: TypeAlias = list[tuple[str, str]]
StartResponse: TypeAlias = Callable[..., Any]
Application: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]
Place: TypeAlias = tuple[str | bool, ...]


@dataclass
class Note:
    """What the view tells: of which thing its answer is, and when it is over in any case."""

    thing: int | None = None
    until: float = 0.0


@dataclass(frozen=True)
class Kept:
    """An answer; without `body` only the ETag of one is known."""

    thing: int
    mark: freshness.Mark | None
    until: float
    etag: str
    headers: Headers
    body: bytes | None

    def is_right(self) -> bool:
        """Whether Django would answer the same."""
        return (
            self.mark is not None
            and time() < self.until
            and freshness.mark(self.thing) == self.mark
        )


def tell(request: HttpRequest, thing: int, until: float | None = None) -> None:
    """This request is answered alike for every stranger, until `thing` changes.

    `until` is a moment (seconds since 1970) at which the answer changes by itself. To be said
    by a view that reads the thing only now, and never of an answer for one person.
    """
    note = request.META.get(NOTE)
    if note is not None:
        end = time() + KEPT_SECONDS
        note.thing, note.until = thing, end if until is None else min(end, until)


def asks(request: HttpRequest) -> bool:
    """Whether the front would keep the answer to this request."""
    return NOTE in request.META


class Front:
    """The site behind its kept answers."""

    def __init__(self, site: Application) -> None:
        self.site = site
        self._kept: dict[Place, Kept] = {}
        self._bytes = 0
        self._lock = Lock()
        self._own_cookie = re.compile(rf"{re.escape(settings.CSRF_COOKIE_NAME)}=[^;]*")
        # A process that died may have left a change unsaid.
        freshness.begin_anew()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """The kept answer, else that of the site."""
        place = self._place(environ)
        if place is None:
            return self.site(environ, start_response)
        kept = self._kept.get(place)
        if kept is not None and kept.is_right():
            if kept.etag in environ.get("HTTP_IF_NONE_MATCH", ""):
                metrics.KEPT_304.inc()
                start_response(NOT_MODIFIED, _now(_of_304(kept.headers)))
                return []
            if kept.body is not None:
                metrics.KEPT_200.inc()
                start_response("200 OK", _now(kept.headers))
                return [kept.body]
        return self._ask(place, kept, environ, start_response)

    def _place(self, environ: Environ) -> Place | None:
        """What the answer to a stranger depends on; None where it is for somebody known."""
        cookies = environ.get("HTTP_COOKIE")
        if (
            environ["REQUEST_METHOD"] != "GET"
            or (cookies and not self._own_cookie.fullmatch(cookies))
            or "HTTP_AUTHORIZATION" in environ
            or environ.get("CONTENT_LENGTH", "") not in ("", "0")
        ):
            return None
        return (
            environ["PATH_INFO"],
            environ.get("QUERY_STRING", ""),
            environ.get("HTTP_X_FRAGMENT") == "1",
            "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""),
            environ.get("HTTP_HOST", ""),
            environ.get("wsgi.url_scheme", ""),
            environ.get("HTTP_X_FORWARDED_PROTO", ""),
            environ.get("SCRIPT_NAME", ""),
        )

    def _ask(
        self, place: Place, old: Kept | None, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        # Which thing an address tells of is known from the time before: its mark has to be
        # read before the site reads the thing.
        mark = None if old is None else freshness.mark(old.thing)
        note = environ[NOTE] = Note()
        told: list[tuple[str, Headers]] = []

        def start(status: str, headers: Headers, *rest: Any) -> Any:
            told.append((status, headers))
            return start_response(status, headers, *rest)

        answer = self.site(environ, start)
        status, headers = told[-1]
        if note.thing is None or not status.startswith(("200", "304")):
            self._forget(place)
            return answer
        body = _read(answer) if status.startswith("200") else None
        if old is None or old.thing != note.thing:
            mark = None
        self._keep(place, _kept(note, note.thing, mark, headers, body))
        return [] if body is None else [body]

    def _keep(self, place: Place, kept: Kept) -> None:
        with self._lock:
            self._drop(place)
            self._kept[place] = kept
            self._bytes += _size(place, kept)
            while self._bytes > MOST_BYTES:
                self._drop(next(iter(self._kept)))

    def _forget(self, place: Place) -> None:
        with self._lock:
            self._drop(place)

    def _drop(self, place: Place) -> None:
        dropped = self._kept.pop(place, None)
        if dropped is not None:
            self._bytes -= _size(place, dropped)


def _kept(
    note: Note, thing: int, mark: freshness.Mark | None, headers: Headers, body: bytes | None
) -> Kept:
    lasting = [(name, value) for name, value in headers if name.lower() not in OF_THE_MOMENT]
    etag = next((value for name, value in headers if name.lower() == "etag"), "")
    has_cookie = any(name.lower() == "set-cookie" for name, _ in headers)
    usable = mark if etag and not has_cookie else None
    return Kept(thing, usable, note.until, etag.removeprefix("W/"), lasting, body)


def _read(answer: Iterable[bytes]) -> bytes:
    try:
        return b"".join(answer)
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()


def _of_304(headers: Headers) -> Headers:
    return [(name, value) for name, value in headers if name.lower() in OF_A_304]


def _now(headers: Headers) -> Headers:
    return [*headers, ("Datafort-Now", str(round(time() * 1000)))]


def _size(place: Place, kept: Kept) -> int:
    """About how many bytes are kept; the address is whatever a stranger has written."""
    return 2_000 + len(kept.body or b"") + sum(len(str(part)) for part in place)
