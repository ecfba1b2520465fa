"""Connections that keep a thread waiting and say nothing are closed, so that it can go on.

Neither Python nor granian can take a thread out of a read that waits. The system can: once the
connection is closed for reading, the read ends. WSGI does not tell which connection a request
came by, only from what address; so of all that came in from that address those are closed that have
long been silent. What else they may be, kept for later, a browser or a proxy opens anew by itself.
"""

import os
import socket
import stat
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = Path("/proc/self/fd")
SILENT = 2.0
"""Seconds without a byte; requests that wait that long for their answer are rare."""
LOOKS_EVERY = 0.5
"""Seconds."""
LAST_DATA_RECEIVED = 52
"""Where Linux tells it in `struct tcp_info` (linux/tcp.h), in milliseconds."""


@dataclass(eq=False)
class Wait:
    """Somebody waits for a body from this address, until a moment of `time.monotonic`."""

    address: str
    until: float


_waits: set[Wait] = set()
_changed = threading.Condition()
_watchman: threading.Thread | None = None


@contextmanager
def watched(address: str, until: float) -> Iterator[Wait]:
    """Meanwhile a read that lasts longer than `until`, and may be put off, ends as if cut off."""
    wait = Wait(address, until)
    with _changed:
        _waits.add(wait)
        _start()
        if len(_waits) == 1:
            _changed.notify()
    try:
        yield wait
    finally:
        with _changed:
            _waits.discard(wait)


def _start() -> None:
    global _watchman
    # A process that was forked has no threads but its own.
    if _watchman is None or not _watchman.is_alive():
        _watchman = threading.Thread(target=_watch, name="silence", daemon=True)
        _watchman.start()


def _watch() -> None:
    while True:
        with _changed:
            _changed.wait_for(lambda: bool(_waits))
            late = {wait.address for wait in _waits if wait.until < time.monotonic()}
        if late:
            _hang_up(late)
        # There may be nobody to wait for any more, who looks again finds out.
        time.sleep(LOOKS_EVERY)


def _hang_up(addresses: set[str]) -> None:
    """Close for reading what came to this server from these addresses and has long been silent."""
    if not CONNECTIONS.is_dir():
        return
    with ExitStack() as until_done:
        ours = [until_done.enter_context(connection) for connection in _connections()]
        # What this process opened itself stays open: its database may be at the same address.
        ports = {connection.getsockname()[1] for connection in ours if _listens(connection)}
        for connection in ours:
            # One that was closed since has no other end any more.
            with suppress(OSError):
                is_meant = connection.getpeername()[0] in addresses
                is_asked = connection.getsockname()[1] in ports
                if is_meant and is_asked and _silent_for(connection) > SILENT:
                    connection.shutdown(socket.SHUT_RD)


def _connections() -> Iterator[socket.socket]:
    """All of this process that lead to a network, each to be closed by who is given it."""
    for number in map(int, os.listdir(CONNECTIONS)):
        # One that was closed since is none of ours.
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                connection = socket.socket(fileno=os.dup(number))
                if connection.family in (socket.AF_INET, socket.AF_INET6):
                    yield connection
                else:
                    connection.close()


def _listens(connection: socket.socket) -> bool:
    return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _silent_for(connection: socket.socket) -> float:
    """Seconds since the other end sent its last byte."""
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
    return float(struct.unpack_from("I", told, LAST_DATA_RECEIVED)[0]) / 1000
