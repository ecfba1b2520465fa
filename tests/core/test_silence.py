"""Who says nothing is hung up on; what the site opened itself is none of these."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core import silence

pytestmark = pytest.mark.check(14)


@contextmanager
def _connected() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Both ends of a connection to a server of this process: the one it accepted, the other's."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as opened,
    ):
        accepted, _ = server.accept()
        with accepted:
            yield accepted, opened


def test_of_a_late_address_what_came_in_is_closed_and_what_went_out_is_not(
    monkeypatch: pytest.MonkeyPatch,
):
    """A proxy and the database may be at one address with each other."""
    monkeypatch.setattr(silence, "SILENT", 0.05)
    with _connected() as (accepted, opened), silence.watched("127.0.0.1", time.monotonic()):
        accepted.settimeout(10)
        opened.settimeout(0.2)

        assert accepted.recv(1) == b""
        with pytest.raises(TimeoutError):
            opened.recv(1)


def test_other_addresses_go_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(silence, "SILENT", 0.05)
    with _connected() as (accepted, _), silence.watched("127.0.0.2", time.monotonic()):
        accepted.settimeout(3 * silence.LOOKS_EVERY)

        with pytest.raises(TimeoutError):
            accepted.recv(1)
