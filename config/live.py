"""A process of its own that tells browsers of changes: streams with the version of an event.

    granian --interface asgi --port 8001 --backlog 4500 --backpressure 4500 \
        --workers-kill-timeout 8 config.live:application

granian accepts as many connections at a time as its backpressure: more than MOST_STREAMS, so that
a browser beyond them is refused and polls.

It only reads. Once a second, one query reads the versions of all events that browsers follow and
another one those of the followers' own pages, on any database. Pages name the stream where
DATAFORT_LIVE_URL is set, and do without it when it is gone.
"""

import asyncio
import logging
import os
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
django.setup()

from asgiref.sync import sync_to_async  # noqa: E402 - after the settings
from django.db import Error, close_old_connections  # noqa: E402

from core import open_files  # noqa: E402
from core.client_addresses import forwarded_address, network_of  # noqa: E402
from tournaments.web.views import live  # noqa: E402

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds
RIGHTS_EVERY = 4  # looks; a right that ends closes the stream within five seconds
BREATH_EVERY = 15  # looks; so that proxies keep a silent stream
MOST_STREAMS = 4000
MOST_OF_AN_ADDRESS = 1000  # a hall of 500 phones shares one
SPARE_FILES = 600  # for refused connections, the database and the code
REFUSED_FOR = 300  # seconds
ADDRESS = re.compile(r"/events/([-a-zA-Z0-9_]+)/$")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
GONE = "event: gone\ndata:\n\n"


class Stream:
    """One browser that follows one event; what it is to be sent waits in a queue."""

    def __init__(self, slug: str, cookies: str, address: str) -> None:
        self.slug, self.cookies, self.address = slug, cookies, address
        self.player: int | None = None
        self.version = ""
        self.waiting: asyncio.Queue[str] = asyncio.Queue()

    def send(self, event_version: int, own_version: int | None) -> None:
        """Queue the version unless it was the last; a player's is such as "12.3"."""
        version = str(event_version) if own_version is None else f"{event_version}.{own_version}"
        if version != self.version:
            self.version = version
            self.waiting.put_nowait(f"event: version\ndata: {version}\n\n")


class Streams:
    """All streams of this process; one task looks for all of them."""

    def __init__(self) -> None:
        self._followed: defaultdict[str, set[Stream]] = defaultdict(set)
        self._of_address: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None

    def take_place(self, address: str) -> bool:
        """Count one more, unless there is no room for it, in all or of this address."""
        here = self._of_address[address]
        if self._of_address.total() >= MOST_STREAMS or here >= MOST_OF_AN_ADDRESS:
            return False
        self._of_address[address] += 1
        return True

    def leave_place(self, address: str) -> None:
        """Take back one that was counted."""
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]

    def add(self, stream: Stream) -> None:
        self._followed[stream.slug].add(stream)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on())

    def remove(self, stream: Stream) -> None:
        self._followed[stream.slug].discard(stream)
        if not self._followed[stream.slug]:
            del self._followed[stream.slug]

    async def _look_on(self) -> None:
        """As long as anybody follows anything."""
        looks = 0
        while self._followed:
            try:
                # The database may be away for a moment; the next look may find it.
                with suppress(Error):
                    await self._look(with_rights=looks % RIGHTS_EVERY == 0)
            except Exception:
                # One event in trouble silences the others no longer than that.
                logger.exception("a look at the events that are followed failed")
            if looks % BREATH_EVERY == 0:
                self._send_all(": here\n\n")
            looks += 1
            await asyncio.sleep(LOOK_EVERY)

    async def _look(self, *, with_rights: bool) -> None:
        asked = list(self._followed)
        found = await _asked(live.versions, asked)
        own = await self._own_versions(asked)
        # Whoever began meanwhile to follow another event is answered by the next look.
        for slug in asked:
            newest = found.get(slug)
            for stream in list(self._followed.get(slug, ())):
                if newest is None or (
                    with_rights and not newest.is_for_all and not await _may_follow(stream)
                ):
                    stream.waiting.put_nowait(GONE)
                else:
                    stream.send(newest.version, own.get((slug, stream.player)))

    async def _own_versions(self, slugs: list[str]) -> dict[tuple[str, int | None], int]:
        """Versions of the followers' own pages; no query while only strangers follow."""
        followers = (stream for streams in self._followed.values() for stream in streams)
        players = {stream.player for stream in followers if stream.player is not None}
        found: dict[tuple[str, int | None], int] = {}
        if players:
            found = await _asked(live.own_versions, slugs, players)
        return found

    def _send_all(self, words: str) -> None:
        for followers in self._followed.values():
            for stream in followers:
                stream.waiting.put_nowait(words)


STREAMS = Streams()
open_files.allow(MOST_STREAMS + SPARE_FILES)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI: one stream a request; all else is a short refusal."""
    if scope["type"] != "http":
        return
    found = ADDRESS.search(scope["path"])
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    if found is None or scope["method"] != "GET":
        await _refuse(send, 404)
        return
    stream = Stream(found[1], headers.get("cookie", ""), _address(scope, headers))
    if not STREAMS.take_place(stream.address):
        await _refuse(send, 503)
        return
    try:
        await _open(stream, headers, receive, send)
    finally:
        STREAMS.leave_place(stream.address)


def _address(scope: Scope, headers: MutableMapping[str, str]) -> str:
    """Whose stream it is, as limits count."""
    seen = str((scope.get("client") or ("",))[0])
    return network_of(forwarded_address(seen, headers.get("x-forwarded-for", "")))


async def _open(
    stream: Stream, headers: MutableMapping[str, str], receive: Receive, send: Send
) -> None:
    try:
        is_allowed = await _may_follow(stream)
        stream.player = await _asked(live.player_behind, stream.cookies) if is_allowed else None
    except Error:
        # The browser polls meanwhile.
        await _refuse(send, 503)
        return
    if is_allowed:
        await _follow(stream, headers, receive, send)
    else:
        await _refuse(send, 404)


async def _follow(
    stream: Stream, headers: MutableMapping[str, str], receive: Receive, send: Send
) -> None:
    said = [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *_shared_with(headers),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": said})
    leaving = asyncio.create_task(_left(receive))
    STREAMS.add(stream)
    try:
        await _send_changes(stream, send, leaving)
    finally:
        STREAMS.remove(stream)
        leaving.cancel()


async def _send_changes(stream: Stream, send: Send, leaving: asyncio.Task[None]) -> None:
    """Everything the stream has to say, until the browser leaves or may no longer follow."""
    while not leaving.done():
        saying = asyncio.create_task(stream.waiting.get())
        await asyncio.wait([saying, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not saying.done():
            saying.cancel()
            return
        words = saying.result()
        is_over = words == GONE
        body = {"type": "http.response.body", "body": words.encode(), "more_body": not is_over}
        await send(body)
        if is_over:
            return


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _shared_with(headers: MutableMapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Pages of the same host on another port may read this, with their cookies."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    try:
        is_same = urlsplit(origin).hostname == urlsplit(f"//{host}").hostname
    except ValueError:  # A made-up header, such as "http://[".
        is_same = False
    if not origin or not is_same:
        return []
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"Origin"),
    ]


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"cache-control", b"no-store"), (b"content-length", b"0")]
    if status == 503:
        headers.append((b"retry-after", str(REFUSED_FOR).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _may_follow(stream: Stream) -> bool:
    allowed: bool = await _asked(live.may_follow, stream.slug, stream.cookies)
    return allowed


async def _asked(question: Callable[..., Any], *about: Any) -> Any:
    """The answer of the database, asked in the one thread that talks to it."""
    return await sync_to_async(_with_connection, thread_sensitive=True)(question, *about)


def _with_connection(question: Callable[..., Any], *about: Any) -> Any:
    close_old_connections()
    return question(*about)
