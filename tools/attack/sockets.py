"""Sockets that a stranger keeps open: slow headers, slow bodies, idle connections, streams.

`python -m tools.attack.sockets` prints the waiting times for each server that could run a shop's
site, and for streams. The name of a server, or "streams", as argument selects one of them.
"""

import resource
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from tests.live_site import BIN, THREADS, Site, free_port, process, running_site, wait_for
from tools.attack.measuring import Attack, Waits, beside, new_event, waits_at

SOCKETS = 1050
EVERY = 5
"""Seconds between two bytes of a slow request."""
HEADERS = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)
WHOLE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

STREAM = b"GET /live/events/%s/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""A request for the stream of an event."""
LIVE = ("--interface", "asgi", "--backlog", "4500", "--backpressure", "4500")
"""Options of the stream process, as in deploy/."""
GRANIAN = (str(BIN / "granian"), "--interface", "wsgi", "--log-level", "error")
BOUNDED = ("--http1-header-read-timeout", "10000", "--backlog", "4096", "--backpressure", "4096")
GUNICORN = (str(BIN / "gunicorn"), "--worker-class", "gthread", "--log-level", "error")
SERVERS: dict[str, Callable[[str], list[str]]] = {
    "datafort serve": lambda port: [sys.executable, "manage.py", "serve", "--port", port],
    "waitress": lambda port: [
        str(BIN / "waitress-serve"),
        *("--listen", f"127.0.0.1:{port}", "--connection-limit", "1000"),
        *("--channel-timeout", "60", "--asyncore-use-poll", "config.wsgi:application"),
    ],
    "granian": lambda port: [
        *(*GRANIAN, "--blocking-threads", str(THREADS), "--port", port),
        "config.wsgi:application",
    ],
    "granian, headers within 10 s, 4,096 connections": lambda port: [
        *(*GRANIAN, *BOUNDED, "--blocking-threads", str(THREADS), "--port", port),
        "config.wsgi:application",
    ],
    "gunicorn (gthread), 4,096 connections": lambda port: [
        *(*GUNICORN, "--threads", "4", "--worker-connections", "4096"),
        *("--bind", f"127.0.0.1:{port}", "config.wsgi:application"),
    ],
}


def hold(address: str, first: bytes, *, sockets: int = SOCKETS, drip: bool = True) -> None:
    """Keep this many sockets open after the first bytes, sending a byte every 5 seconds.

    A socket that the server closes is opened again.
    """
    _, max_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max_files, max_files))
    parts = urlsplit(address)
    selector = selectors.DefaultSelector()
    due = time.monotonic() + EVERY
    while True:
        for _ in range(sockets - len(selector.get_map())):
            with suppress(OSError):
                connection = socket.create_connection((parts.hostname, parts.port), timeout=0.5)
                connection.sendall(first)
                connection.setblocking(False)
                selector.register(connection, selectors.EVENT_READ)
        for key, _ in selector.select(timeout=1):
            _read(selector, key.fileobj)
        if drip and time.monotonic() >= due:
            due += EVERY
            for key in list(selector.get_map().values()):
                with suppress(OSError):
                    key.fileobj.send(b"a")


def hold_streams(site: str, stream: str, first: bytes) -> None:
    """Keep streams open at their own server, whatever the address of the site."""
    hold(stream, first, drip=False)


def _read(selector: selectors.BaseSelector, connection: object) -> None:
    assert isinstance(connection, socket.socket)
    try:
        is_open = connection.recv(65536) != b""
    except OSError:
        is_open = False
    if not is_open:
        selector.unregister(connection)
        connection.close()


CASES: dict[str, Attack] = {
    "slow headers": partial(hold, first=HEADERS),
    "slow bodies": partial(hold, first=BODY),
    "idle connections": partial(hold, first=WHOLE, drip=False),
    "40 slow headers": partial(hold, first=HEADERS, sockets=40),
    "40 slow bodies": partial(hold, first=BODY, sockets=40),
}


@contextmanager
def served_by(site: Site, command: Callable[[str], list[str]]) -> Iterator[Site]:
    """The same site at another port, run by this server."""
    port = str(free_port())
    with process(command(port), site.environment) as pid:
        wait_for(f"http://127.0.0.1:{port}/livez")
        yield Site(f"http://127.0.0.1:{port}", site.environment, (pid,))


@contextmanager
def stream_of(site: Site) -> Iterator[str]:
    """The address of the stream of a site, run by granian."""
    port = str(free_port())
    command = [str(BIN / "granian"), *LIVE, "--log-level", "error", "--port", port]
    environment = {**site.environment, "DATAFORT_PROXIES": "1"}
    with process([*command, "config.live:application"], environment):
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"


def main(names: list[str]) -> None:
    """Print a line for each server and case."""
    with TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        for server, command in SERVERS.items():
            if names and server not in names:
                continue
            for case, attack in CASES.items():
                with served_by(site, command) as served:
                    waits = beside(served, attack, turns=6)
                _print(server, case, waits)
        if not names or "streams" in names:
            with stream_of(site) as stream:
                event = new_event(site)
                first = STREAM % event.slug.encode()
                attack = partial(hold_streams, stream=stream, first=first)
                _print("granian beside datafort serve", "streams", waits_at(event, attack, turns=6))


def _print(server: str, case: str, waits: Waits) -> None:
    print(
        f"{server} | {case} | page {waits.page_seconds:.2f} s"
        f" | staff write {waits.write_seconds:.2f} s",
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
