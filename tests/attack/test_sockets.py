"""More than a thousand sockets of a stranger, and the waiting times of readers and staff."""

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
def test_shop_responds_during_the_attack(site: Site, case: str, figure: Callable[[str], None]):
    waits = beside(site, CASES[case])

    assert math.inf not in waits
    figure(f"{case}: {waits}")


def stream_request(slug: str, address: str) -> bytes:
    forwarded = FORWARDED % address.encode()
    return (STREAM % slug.encode()).removesuffix(b"\r\n") + forwarded


def first_line(stream: str, request: bytes) -> str:
    """The status line of a response that arrives within 20 seconds."""
    parts = urlsplit(stream)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(request)
        return connection.recv(1000).decode().partition("\r\n")[0]


@contextmanager
def hold_streams(stream: str, first: bytes) -> Iterator[None]:
    attack = partial(hold, first=first, drip=False)
    attacker = get_context("spawn").Process(target=attack, args=(stream,), daemon=True)
    attacker.start()
    try:
        yield
    finally:
        attacker.terminate()
        attacker.join()


def test_excess_streams_of_a_stranger_are_refused_and_streams_of_players_open(
    site: Site, figure: Callable[[str], None]
):
    slug = new_event(site).slug
    stranger_request, phone_request = (
        stream_request(slug, address) for address in (STRANGER, PHONE)
    )
    with stream_of(site) as stream, hold_streams(stream, stranger_request):
        wait_until(
            lambda: first_line(stream, stranger_request) == "HTTP/1.1 503 Service Unavailable",
            "a refused stream",
            120,
        )
        start = time.monotonic()
        assert first_line(stream, phone_request) == "HTTP/1.1 200 OK"
        figure(f"the stream of another address opens in {time.monotonic() - start:.2f} s")
