"""waitress with limits on slow requests and on the connections of an address."""

# waitress reads requests without a thread, so a slow request costs only a socket. But it has no
# time limit for a request that arrives byte by byte, and at its limit of connections it accepts no
# more.

import time
from collections import Counter
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import MultiSocketServer, TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from core import processes

# Open connections of all addresses: a hall of 500 phones, and as many again.
CONNECTIONS = 1000
# A hall of 500 phones behind a router, and some more.
CONNECTIONS_OF_ADDRESS = 600
HEADER_SECONDS = 10
BODY_SECONDS = 20
# Bytes a second: a body has 20 seconds, and another second for each of these.
SLOWEST_BODY = 4096
ACCEPTED_AT_ONCE = 50
# A connection that was accepted or answered a moment ago may be about to send a request.
IDLE_SECONDS = 1
# Sockets beyond CONNECTIONS, for those that are about to be closed.
SPARE = 100


class TimedChannel(HTTPChannel):
    request_began = 0.0

    def received(self, data: bytes) -> Any:
        before = self.request
        answer = super().received(data)
        if self.request is not before:
            # The rest of the data may belong to the next request.
            self.request_began = time.time()
        return answer

    def is_late(self, now: float) -> bool:
        request = self.request
        if request is None:
            return False
        allowed: float = HEADER_SECONDS
        if request.headers_finished:
            allowed = BODY_SECONDS + request.body_bytes_received / SLOWEST_BODY
        return now - self.request_began > allowed

    def idle_since(self) -> float:
        return float(self.last_activity if self.request is None else self.request_began)


class BoundedServer(TcpWSGIServer):
    """Server that closes late requests, and idle connections of the busiest address."""

    channel_class = TimedChannel

    def handle_accept(self) -> None:
        # waitress accepts one connection per turn of its loop, which is slow for a long queue.
        for _ in range(ACCEPTED_AT_ONCE):
            connections = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == connections:
                break
            self._make_room()

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.is_late(now):
                channel.will_close = True
        # At the limit of sockets waitress accepts no connection that would make room.
        for _ in range(len(self.active_channels) - CONNECTIONS):
            self._make_room()

    def _make_room(self) -> None:
        if len(self.active_channels) <= CONNECTIONS_OF_ADDRESS:
            return
        channels = [each for each in self.active_channels.values() if not each.will_close]
        address, most = Counter(channel.addr[0] for channel in channels).most_common(1)[0]
        if most <= CONNECTIONS_OF_ADDRESS and len(channels) <= CONNECTIONS:
            return
        latest = time.time() - IDLE_SECONDS
        idle = [
            channel
            for channel in channels
            if channel.addr[0] == address
            and not channel.requests
            and channel.idle_since() <= latest
        ]
        if idle:
            min(idle, key=TimedChannel.idle_since).will_close = True


def create_server(application: Any, **adjustments: Any) -> MultiSocketServer:
    listeners = len(adjustments["listen"].split())
    limit = (CONNECTIONS + SPARE) * listeners
    processes.raise_open_file_limit(limit + SPARE)
    settings = Adjustments(connection_limit=limit, cleanup_interval=1, **adjustments)
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(settings.threads)
    sockets: dict[int, Any] = {}
    for listener in settings.listen:
        server = BoundedServer(
            application, sockets, dispatcher=dispatcher, adj=settings, sockinfo=listener
        )
        server.print_listen("Serving on http://{}:{}")
    return MultiSocketServer(sockets, settings, dispatcher=dispatcher)
