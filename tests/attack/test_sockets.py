"""Over a thousand sockets of a stranger, with the waits of readers and staff beside them."""

import math
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from urllib.parse import urlsplit

import pytest

from tests.live_site import Site, running_site
from tests.waiting import wait_until
from tools.attack.measuring import beside, new_event
from tools.attack.sockets import CASES, STREAM, hold, stream_of

pytestmark = [pytest.mark.slow, pytest.mark.plain, pytest.mark.goal("G18")]

FORWARDED = b"X-Forwarded-For: %s\r\n\r\n"
STRANGER, PHONE = "198.51.100.7", "198.51.100.8"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("attacked")
    with running_site(folder, DATAFORT_LOG_LEVEL="ERROR") as site:
        yield site


@pytest.mark.parametrize("case", CASES)
def test_a_shop_answers_beside_the_sockets(site: Site, case: str, figure: Callable[[str], None]):
    waits = beside(site, CASES[case])

    assert math.inf not in waits
    figure(f"{case}: {waits}")


def stream_request(slug: str, address: str) -> bytes:
    forwarded = FORWARDED % address.encode()
    return (STREAM % slug.encode()).removesuffix(b"\r\n") + forwarded


def first_line(stream: str, request: bytes) -> str:
    """The status line of an answer that comes within 20 seconds."""
    parts = urlsplit(stream)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(request)
        return connection.recv(1000).decode().partition("\r\n")[0]


@contextmanager
def streams_held(stream: str, first: bytes) -> Iterator[None]:
    attack = partial(hold, first=first, drip=False)
    attacker = get_context("spawn").Process(target=attack, args=(stream,), daemon=True)
    attacker.start()
    try:
        yield
    finally:
        attacker.terminate()
        attacker.join()


def test_streams_of_a_stranger_are_refused_beyond_their_number_and_others_open(
    site: Site, figure: Callable[[str], None]
):
    slug = new_event(site).slug
    own, other = (stream_request(slug, address) for address in (STRANGER, PHONE))
    with stream_of(site) as stream, streams_held(stream, own):
        wait_until(
            lambda: first_line(stream, own) == "HTTP/1.1 503 Service Unavailable",
            "a refused stream",
            120,
        )
        began = time.monotonic()
        assert first_line(stream, other) == "HTTP/1.1 200 OK"
        figure(f"the stream of another address opens in {time.monotonic() - began:.2f} s")
