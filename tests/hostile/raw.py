"""Requests that no browser sends: bytes on a socket, at any speed."""

import re
import select
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from urllib.parse import urlsplit

PATIENCE = 30
"""Seconds."""


@dataclass(frozen=True)
class Sent:
    """The status of a response (0: closed without one), and the number of bytes accepted."""

    status: int
    text: str
    bytes_accepted: int


def head(path: str, *headers: str, method: str = "POST") -> bytes:
    """The lines before a body."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: site", *headers, "", ""]).encode()


def send(address: str, start: bytes, body: Iterable[bytes] = (), *, wait: float = 0) -> Sent:
    """Send chunk after chunk, `wait` seconds apart, until the site responds or hangs up."""
    with opened(address) as connection:
        connection.sendall(start)
        bytes_accepted = 0
        for chunk in body:
            if select.select([connection], [], [], wait)[0]:
                break
            try:
                connection.sendall(chunk)
            except (BrokenPipeError, ConnectionResetError):
                break
            bytes_accepted += len(chunk)
        return _answer(connection, bytes_accepted)


@contextmanager
def opened(address: str) -> Iterator[socket.socket]:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
        yield connection


def answered(connection: socket.socket) -> Sent:
    """The response on a connection on which nothing more is sent."""
    return _answer(connection, 0)


def chunks(size: int) -> Iterator[bytes]:
    """An endless body in chunks."""
    return repeat(f"{size:x}\r\n".encode() + b"a" * size + b"\r\n")


def _answer(connection: socket.socket, bytes_accepted: int) -> Sent:
    received, end = b"", time.monotonic() + PATIENCE
    while not _is_whole(received) and time.monotonic() < end:
        try:
            chunk = connection.recv(65_536)
        except ConnectionResetError:
            break
        if not chunk:
            break
        received += chunk
    text = received.decode("utf-8", "replace")
    return Sent(int(text.split(" ", 2)[1]) if text else 0, text, bytes_accepted)


def _is_whole(received: bytes) -> bool:
    start, separator, body = received.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in start.lower():
        return body.endswith(b"0\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", start.lower())
    return bool(separator) and (length is None or len(body) >= int(length[1]))
