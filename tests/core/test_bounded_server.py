"""Connections that the server closes, tested with small numbers and short times."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest
from waitress import wasyncore
from waitress.server import MultiSocketServer

from core import bounded_server
from core.bounded_server import BoundedServer, create_server

Start = Callable[[Callable[..., Iterable[bytes]]], int]
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def listener_of(server: MultiSocketServer) -> BoundedServer:
    return next(
        dispatcher for dispatcher in server.map.values() if isinstance(dispatcher, BoundedServer)
    )


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start a server of this application and return its port."""
    monkeypatch.setattr(bounded_server, "HEADER_SECONDS", 1)
    monkeypatch.setattr(bounded_server, "BODY_SECONDS", 4)
    monkeypatch.setattr(bounded_server, "SLOWEST_BODY", 1)
    monkeypatch.setattr(bounded_server, "CONNECTIONS_OF_ADDRESS", 3)
    monkeypatch.setattr(bounded_server, "IDLE_SECONDS", 0)
    started: list[tuple[MultiSocketServer, Thread]] = []

    def start(application: Callable[..., Iterable[bytes]]) -> int:
        server = create_server(application, listen="127.0.0.1:0", asyncore_use_poll=True)
        thread = Thread(target=server.run, daemon=True)
        thread.start()
        started.append((server, thread))
        return int(listener_of(server).effective_port)

    yield start
    for server, thread in started:
        stop = partial(wasyncore.close_all, server.map)
        listener_of(server).trigger.pull_trigger(stop)
        thread.join(timeout=10)


def connect(port: int, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(data)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server closes the connection or answers."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


def drip(connection: socket.socket, byte: bytes, seconds: float) -> bool:
    """Send a byte every 0.1 seconds; return True when the server closes the connection."""
    connection.settimeout(0.1)
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            connection.sendall(byte)
            if connection.recv(1000) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def test_slow_headers_are_cut_off(start: Start):
    port = start(answer)

    assert drip(connect(port, b"GET / HTTP/1.1\r\nX-Slow: "), b"a", 10)


def test_slow_body_is_cut_off(start: Start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded_server, "SLOWEST_BODY", 100)
    port = start(answer)

    assert drip(connect(port, POST), b"a", 20)


def test_body_above_the_slowest_rate_is_read(start: Start):
    port = start(answer)
    connection = connect(port, POST)

    send_slowly(connection, b"aaaaaa")
    connection.sendall(b"a" * 994)
    assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK")


def test_next_request_of_a_connection_has_its_own_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
):
    # Long enough for a busy machine, shorter than the body takes.
    monkeypatch.setattr(bounded_server, "HEADER_SECONDS", 5)
    port = start(answer)
    connection = connect(port, POST)

    send_slowly(connection, b"aaaaaa")
    connection.sendall(b"a" * 994 + GET[:5])
    assert read_answer(connection).startswith(b"HTTP/1.1 200 OK")
    connection.sendall(GET[5:])
    assert read_answer(connection).startswith(b"HTTP/1.1 200 OK")


def read_answer(connection: socket.socket) -> bytes:
    """Read up to the body "ok", which may arrive after the headers."""
    text = b""
    while not text.endswith(b"ok") and (chunk := connection.recv(1000)):
        text += chunk
    return text


def send_slowly(connection: socket.socket, text: bytes) -> None:
    for byte in text:
        connection.sendall(bytes([byte]))
        time.sleep(1)


def test_address_with_too_many_connections_loses_the_longest_idle(start: Start):
    port = start(answer)
    idle = [connect(port, b"") for _ in range(3)]
    newest = connect(port, GET)

    assert newest.recv(1000).startswith(b"HTTP/1.1 200 OK")
    assert is_closed(idle[0])
    idle[1].sendall(GET)
    assert idle[1].recv(1000).startswith(b"HTTP/1.1 200 OK")


def test_new_connection_is_not_closed_before_its_request_arrives(
    start: Start, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bounded_server, "IDLE_SECONDS", 60)
    port = start(answer)
    connections = [connect(port, b"") for _ in range(5)]

    for connection in connections:
        connection.sendall(GET)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK")


def test_full_server_closes_idle_connections(start: Start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded_server, "IDLE_SECONDS", 1)
    monkeypatch.setattr(bounded_server, "CONNECTIONS", 5)
    monkeypatch.setattr(bounded_server, "SPARE", 5)
    port = start(answer)
    idle = [connect(port, b"") for _ in range(8)]
    newest = connect(port, GET)

    assert newest.recv(1000).startswith(b"HTTP/1.1 200 OK")
    assert is_closed(idle[0])


def test_connection_with_a_running_request_is_kept(start: Start):
    has_begun, may_end = Event(), Event()

    def slow(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        has_begun.set()
        may_end.wait(10)
        return answer(environ, start_response)

    port = start(slow)
    running = connect(port, GET)
    assert has_begun.wait(10)
    other_connections = [connect(port, b"") for _ in range(3)]

    assert is_closed(other_connections[0])
    may_end.set()
    assert running.recv(1000).startswith(b"HTTP/1.1 200 OK")
