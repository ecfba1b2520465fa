"""Pages answered before Django is asked: the same bytes, as long as they are right.

A view says of which things its answer tells (`tell`). The next time somebody asks, their marks
(core.freshness) decide whether the answer still holds. Strangers are all given the same bytes,
and when these are old one of them asks for the others too. Whoever has a session is only ever
told that what their device has is still right: of their pages nothing is kept but the ETag.
Whatever no view has spoken for goes the long way.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from time import time
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest

from core import freshness, metrics
from core.crew import FOR_MANY
from core.flights import Flights

NOTE = "datafort.front"
KEPT_SECONDS, MOST_BYTES = 60, 64 * 1024 * 1024
NOT_MODIFIED = "304 Not Modified"
OF_A_304 = ("etag", "cache-control", "vary", "expires", "datafort-live")
OF_THE_MOMENT = ("datafort-now", "date", "set-cookie", "x-request-id")
"""Headers of one answer; the first is given anew."""
READER = 0
"""Where in a place the session of its reader stands; "" for all strangers."""

Environ: TypeAlias = dict[str, Any]
Headers: TypeAlias = list[tuple[str, str]]
StartResponse: TypeAlias = Callable[..., Any]
Application: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]
Place: TypeAlias = tuple[str | bool, ...]


@dataclass
class Note:
    """What the view tells: of which things its answer is, and when it is over in any case."""

    things: tuple[int, ...] = ()
    until: float = 0.0


@dataclass(frozen=True)
class Kept:
    """An answer, for others only with an `etag`; without `body` no more than that is known.

    `flights` are those of its place, in which strangers wait for the next one.
    """

    things: tuple[int, ...]
    mark: freshness.Mark | None
    until: float
    etag: str
    headers: Headers
    body: bytes | None
    flights: "Flights[Kept]" = field(default_factory=Flights)

    def is_right(self) -> bool:
        """Whether Django would answer the same."""
        return (
            self.mark is not None
            and time() < self.until
            and freshness.mark(*self.things) == self.mark
        )

    def is_known_to(self, environ: Environ) -> bool:
        """Whether who asks has this answer already."""
        return bool(self.etag) and self.etag in environ.get("HTTP_IF_NONE_MATCH", "")


def tell(request: HttpRequest, *things: int, until: float | None = None) -> None:
    """This request is answered alike until one of these things changes.

    To every stranger, or to this one reader, where one is known. `until` is a moment (seconds
    since 1970) at which the answer changes by itself. To be said by a view that reads the things
    only now.
    """
    note = request.META.get(NOTE)
    if note is not None:
        end = time() + KEPT_SECONDS
        note.things, note.until = things, end if until is None else min(end, until)


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
        # A process that died may have left a change unsaid.
        freshness.begin_anew()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """The kept answer, else that of the site."""
        place = _place(environ)
        if place is None:
            return self.site(environ, start_response)
        kept = self._kept.get(place)
        if kept is None:
            return self._ask(place, None, environ, start_response)[0]
        if kept.is_right():
            if kept.is_known_to(environ):
                return _not_modified(kept, start_response)
            if kept.body is not None:
                return _whole(kept, kept.body, start_response)
        if place[READER]:
            return self._ask(place, kept, environ, start_response)[0]
        return self._ask_together(place, kept, environ, start_response)

    def _ask_together(
        self, place: Place, old: Kept, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        """One of the strangers who ask in this moment asks the site."""
        own: list[Iterable[bytes]] = []

        def ask() -> Kept | None:
            environ[FOR_MANY] = True
            answer, made = self._ask(place, old, environ, start_response)
            own.append(answer)
            return made

        def known() -> Kept | None:
            kept = self._kept.get(place)
            is_usable = kept is not None and kept.body is not None and kept.is_right()
            return kept if is_usable else None

        new = old.flights.join(ask, known)
        if own:
            return own[0]
        if new is not None and new.is_known_to(environ):
            return _not_modified(new, start_response)
        if new is not None and new.etag and new.body is not None:
            return _whole(new, new.body, start_response)
        return self._ask(place, old, environ, start_response)[0]

    def _ask(
        self, place: Place, old: Kept | None, environ: Environ, start_response: StartResponse
    ) -> tuple[Iterable[bytes], Kept | None]:
        """The answer of the site, and what is kept of it."""
        # Of which things an address tells is known from the time before: their mark has to be
        # read before the site reads the things.
        mark = None if old is None else freshness.mark(*old.things)
        note = environ[NOTE] = Note()
        told: list[tuple[str, Headers]] = []

        def start(status: str, headers: Headers, *rest: Any) -> Any:
            told.append((status, headers))
            return start_response(status, headers, *rest)

        answer = self.site(environ, start)
        status, headers = told[-1]
        if not note.things or not status.startswith(("200", "304")):
            self._forget(place)
            return answer, None
        body = None if place[READER] or status.startswith("304") else _read(answer)
        if old is None or old.things != note.things:
            mark = None
        made = _kept(note, mark, headers, body, old)
        self._keep(place, made)
        return (answer if body is None else [body]), made

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


def _place(environ: Environ) -> Place | None:
    """What the answer depends on; None where it is not for the front."""
    cookies = environ.get("HTTP_COOKIE")
    reader = _reader(cookies) if cookies else ""
    is_fragment = environ.get("HTTP_X_FRAGMENT") == "1"
    if (
        environ["REQUEST_METHOD"] != "GET"
        or reader is None
        # Of a page for one person only the polls are known to be without a message.
        or (reader and not (is_fragment and "HTTP_IF_NONE_MATCH" in environ))
        or "HTTP_AUTHORIZATION" in environ
        or environ.get("CONTENT_LENGTH", "") not in ("", "0")
    ):
        return None
    return (
        reader,
        environ["PATH_INFO"],
        environ.get("QUERY_STRING", ""),
        is_fragment,
        "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""),
        environ.get("HTTP_HOST", ""),
        environ.get("wsgi.url_scheme", ""),
        environ.get("HTTP_X_FORWARDED_PROTO", ""),
        environ.get("SCRIPT_NAME", ""),
    )


def _reader(cookies: str) -> str | None:
    """The session of who asks, "" for a stranger; None with a cookie that may say something else.

    The token of forms says nothing.
    """
    reader = ""
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == settings.SESSION_COOKIE_NAME:
            reader = value
        elif name != settings.CSRF_COOKIE_NAME:
            return None
    return reader


def _kept(
    note: Note,
    mark: freshness.Mark | None,
    headers: Headers,
    body: bytes | None,
    old: Kept | None,
) -> Kept:
    lasting = [(name, value) for name, value in headers if name.lower() not in OF_THE_MOMENT]
    has_cookie = any(name.lower() == "set-cookie" for name, _ in headers)
    etag = next((value for name, value in headers if name.lower() == "etag"), "")
    return Kept(
        things=note.things,
        mark=mark if etag and not has_cookie else None,
        until=note.until,
        etag="" if has_cookie else etag.removeprefix("W/"),
        headers=lasting,
        body=body,
        flights=Flights() if old is None else old.flights,
    )


def _read(answer: Iterable[bytes]) -> bytes:
    try:
        return b"".join(answer)
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()


def _not_modified(kept: Kept, start_response: StartResponse) -> Iterable[bytes]:
    metrics.KEPT_304.inc()
    of_a_304 = [(name, value) for name, value in kept.headers if name.lower() in OF_A_304]
    start_response(NOT_MODIFIED, _now(of_a_304))
    return []


def _whole(kept: Kept, body: bytes, start_response: StartResponse) -> Iterable[bytes]:
    metrics.KEPT_200.inc()
    start_response("200 OK", _now(kept.headers))
    return [body]


def _now(headers: Headers) -> Headers:
    return [*headers, ("Datafort-Now", str(round(time() * 1000)))]


def _size(place: Place, kept: Kept) -> int:
    """About how many bytes are kept; the address is whatever a stranger has written."""
    return 2_000 + len(kept.body or b"") + sum(len(str(part)) for part in place)
