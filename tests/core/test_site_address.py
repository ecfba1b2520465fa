"""The address of the site in links for other devices."""

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory

from core import addresses
from core.addresses import (
    Listener,
    host_in_network,
    is_local_only,
    served_address,
    shared_address,
    shared_url,
)

LAN = "http://192.168.1.20:8000"
ANY = "0.0.0.0"


@pytest.fixture
def in_network(monkeypatch):
    monkeypatch.setattr(
        addresses, "host_in_network", lambda bound: "192.168.1.20" if bound == ANY else bound
    )


def serve(monkeypatch, host: str, port: int = 8000) -> None:
    monkeypatch.setattr(addresses, "listener", Listener(host, port))


def request_to(host: str) -> WSGIRequest:
    return RequestFactory().get("/events/", headers={"host": host})


LOOPBACK = ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "0.0.0.0:8000"]


@pytest.mark.parametrize(
    ("bound", "port", "requested", "address"),
    [
        *((ANY, 8000, host, LAN) for host in (*LOOPBACK, "[1:2]:8000")),
        ("192.168.1.20", 8000, "127.0.0.1:8000", LAN),
        (ANY, 8017, "localhost:9999", "http://192.168.1.20:8017"),
        *(
            (ANY, 8000, host, f"http://{host}")
            for host in ("192.168.7.7:8000", "shop.local", "play.example")
        ),
    ],
)
def test_shared_address_can_be_opened_by_other_devices(
    monkeypatch, in_network, bound, port, requested, address
):
    serve(monkeypatch, bound, port)

    assert shared_address(request_to(requested)) == address
    assert shared_url(request_to(requested), "/join/") == f"{address}/join/"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "192.168.7.7:8000", "evil.example"])
def test_configured_address_comes_first(settings, monkeypatch, in_network, host):
    settings.SITE_ADDRESS = "https://play.example"
    serve(monkeypatch, ANY)

    assert shared_address(request_to(host)) == "https://play.example"
    assert shared_address() == "https://play.example"


def test_jobs_use_the_address_in_the_network(monkeypatch, in_network):
    assert shared_address() == ""
    serve(monkeypatch, ANY)
    assert shared_address() == LAN


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_loopback_server_shares_its_loopback_address(monkeypatch, host):
    serve(monkeypatch, host)
    address = shared_address(request_to("127.0.0.1:8000"))

    assert address == "http://127.0.0.1:8000"
    assert is_local_only(address)
    assert shared_address() == ""


@pytest.mark.parametrize(
    ("allowed", "address"),
    [(["*"], LAN), (["127.0.0.1", "192.168.1.20"], LAN), (["127.0.0.1"], "http://127.0.0.1")],
)
def test_host_that_the_site_does_not_answer_is_not_shared(
    settings, monkeypatch, in_network, allowed, address
):
    settings.ALLOWED_HOSTS = allowed
    serve(monkeypatch, ANY)

    assert shared_address(request_to("127.0.0.1")) == address


def test_ipv6_hosts_are_put_in_brackets():
    assert served_address("fd00::20", 8000) == "http://[fd00::20]:8000"


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "*"])
def test_server_bound_everywhere_uses_the_host_of_the_computer(bound):
    assert host_in_network(bound) not in addresses.ANY_HOST
    assert host_in_network("192.168.1.20") == "192.168.1.20"


def test_computer_without_a_network_is_reached_at_its_loopback_address(monkeypatch):
    monkeypatch.setattr(addresses, "PROBED_HOSTS", ())
    serve(monkeypatch, ANY)

    assert host_in_network(ANY) == "127.0.0.1"
    assert is_local_only(shared_address(request_to("localhost:8000")))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://127.8.8.8", True),
        ("http://[::1]:8000", True),
        ("http://datafort.localhost", True),
        ("http://192.168.1.20:8000", False),
        ("https://play.example", False),
        ("http://[fd00::20]:8000", False),
        ("http://[1:2]:8000", True),
    ],
)
def test_local_addresses_are_recognised(address, expected):
    assert is_local_only(address) is expected
