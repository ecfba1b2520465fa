"""ASGI process that streams the versions of events to browsers.

    granian --interface asgi --port 8001 --backlog 4500 --backpressure 4500 \
        --workers-kill-timeout 8 config.live:application

granian accepts as many connections as its backpressure. That is more than MAX_STREAMS, so that
further browsers get a refusal and poll instead.

The process only reads. Once a second it queries the versions of all followed events and of the
followers' own pages, in any database. Pages name the stream if DATAFORT_LIVE_URL is set, and poll
if the stream is unavailable.
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

from core import processes  # noqa: E402
from core.addresses import forwarded_address, network_of  # noqa: E402
from tournaments.web import polling  # noqa: E402

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
POLLS_PER_RIGHTS_CHECK = 4  # in polls; a revoked right closes the stream within five seconds
POLLS_PER_KEEPALIVE = 15  # in polls; stops proxies from closing a silent stream
MAX_STREAMS = 4000
MAX_STREAMS_OF_ADDRESS = 1000  # a hall of 500 phones shares an address
SPARE_FILES = 600  # for refused connections, the database and code files
RETRY_AFTER_SECONDS = 300
EVENT_PATH = re.compile(r"/events/([-a-zA-Z0-9_]+)/$")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
GONE_MESSAGE = "event: gone\ndata:\n\n"


class Stream:
    def __init__(self, slug: str, cookies: str, address: str) -> None:
        self.slug, self.cookies, self.address = slug, cookies, address
        self.player: int | None = None
        self.version = ""
        self.waiting: asyncio.Queue[str] = asyncio.Queue()

    def send(self, event_version: int, own_version: int | None) -> None:
        # Players get their own version too: "12.3".
        version = str(event_version) if own_version is None else f"{event_version}.{own_version}"
        if version != self.version:
            self.version = version
            self.waiting.put_nowait(f"event: version\ndata: {version}\n\n")


class Streams:
    """All streams of this process, served by a single polling task."""

    def __init__(self) -> None:
        self._followed: defaultdict[str, set[Stream]] = defaultdict(set)
        self._of_address: Counter[str] = Counter()
        self._polling: asyncio.Task[None] | None = None

    def take_place(self, address: str) -> bool:
        """Count a stream. Return False if the process or the address is at its limit."""
        is_full = self._of_address.total() >= MAX_STREAMS
        if is_full or self._of_address[address] >= MAX_STREAMS_OF_ADDRESS:
            return False
        self._of_address[address] += 1
        return True

    def leave_place(self, address: str) -> None:
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]

    def add(self, stream: Stream) -> None:
        self._followed[stream.slug].add(stream)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll_forever())

    def remove(self, stream: Stream) -> None:
        self._followed[stream.slug].discard(stream)
        if not self._followed[stream.slug]:
            del self._followed[stream.slug]

    async def _poll_forever(self) -> None:
        polls = 0
        while self._followed:
            try:
                # The database may be briefly unavailable; the next poll may succeed.
                with suppress(Error):
                    await self._poll(with_rights=polls % POLLS_PER_RIGHTS_CHECK == 0)
            except Exception:
                # An error for an event must not stop the rest for longer than a poll.
                logger.exception("polling the versions of followed events failed")
            if polls % POLLS_PER_KEEPALIVE == 0:
                for followers in self._followed.values():
                    for stream in followers:
                        stream.waiting.put_nowait(": here\n\n")
            polls += 1
            await asyncio.sleep(POLL_SECONDS)

    async def _poll(self, *, with_rights: bool) -> None:
        slugs = list(self._followed)
        versions = await _query(polling.event_versions, slugs)
        own = await self._own_versions(slugs)
        # New subscribers are picked up on the next poll.
        for slug in slugs:
            newest = versions.get(slug)
            for stream in list(self._followed.get(slug, ())):
                if newest is None or (
                    with_rights and not newest.is_for_all and not await _may_follow(stream)
                ):
                    stream.waiting.put_nowait(GONE_MESSAGE)
                else:
                    stream.send(newest.version, own.get((slug, stream.player)))

    async def _own_versions(self, slugs: list[str]) -> dict[tuple[str, int | None], int]:
        followers = (stream for streams in self._followed.values() for stream in streams)
        players = {stream.player for stream in followers if stream.player is not None}
        versions: dict[tuple[str, int | None], int] = {}
        if players:
            versions = await _query(polling.player_versions, slugs, players)
        return versions


STREAMS = Streams()
processes.raise_open_file_limit(MAX_STREAMS + SPARE_FILES)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one stream per request; refuse everything else."""
    if scope["type"] != "http":
        return
    match = EVENT_PATH.search(scope["path"])
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    if match is None or scope["method"] != "GET":
        await _refuse(send, 404)
        return
    peer = str((scope.get("client") or ("",))[0])
    # The unit that rate limits count.
    address = network_of(forwarded_address(peer, headers.get("x-forwarded-for", "")))
    stream = Stream(match[1], headers.get("cookie", ""), address)
    if not STREAMS.take_place(stream.address):
        await _refuse(send, 503)
        return
    try:
        await _check_and_follow(stream, headers, receive, send)
    finally:
        STREAMS.leave_place(stream.address)


async def _check_and_follow(
    stream: Stream, headers: MutableMapping[str, str], receive: Receive, send: Send
) -> None:
    try:
        is_allowed = await _may_follow(stream)
        stream.player = (
            await _query(polling.player_of_cookies, stream.cookies) if is_allowed else None
        )
    except Error:
        # The browser falls back to polling.
        await _refuse(send, 503)
        return
    if is_allowed:
        await _follow(stream, headers, receive, send)
    else:
        await _refuse(send, 404)


async def _follow(
    stream: Stream, headers: MutableMapping[str, str], receive: Receive, send: Send
) -> None:
    stream_headers = [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *_cors_headers(headers),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": stream_headers})

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    leaving = asyncio.create_task(wait_for_disconnect())
    STREAMS.add(stream)
    try:
        # Until the browser leaves, or may no longer follow.
        while not leaving.done():
            queued = asyncio.create_task(stream.waiting.get())
            await asyncio.wait([queued, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not queued.done():
                queued.cancel()
                return
            message = queued.result()
            is_over = message == GONE_MESSAGE
            await send(
                {
                    "type": "http.response.body",
                    "body": message.encode(),
                    "more_body": not is_over,
                }
            )
            if is_over:
                return
    finally:
        STREAMS.remove(stream)
        leaving.cancel()


def _cors_headers(headers: MutableMapping[str, str]) -> list[tuple[bytes, bytes]]:
    # Pages of the same host on another port may read the stream with their cookies.
    origin, host = headers.get("origin", ""), headers.get("host", "")
    try:
        is_same = urlsplit(origin).hostname == urlsplit(f"//{host}").hostname
    except ValueError:  # a forged header, such as "http://["
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
        headers.append((b"retry-after", str(RETRY_AFTER_SECONDS).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _may_follow(stream: Stream) -> bool:
    allowed: bool = await _query(polling.can_follow, stream.slug, stream.cookies)
    return allowed


async def _query(question: Callable[..., Any], *about: Any) -> Any:
    # A single thread uses the database.
    def query() -> Any:
        close_old_connections()
        return question(*about)

    return await sync_to_async(query, thread_sensitive=True)()
