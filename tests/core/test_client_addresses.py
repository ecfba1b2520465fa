"""The client address that limits count by."""

import pytest
from django.test import RequestFactory

from core.addresses import client_address, counted_address


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", "10.0.0.9"),
        (0, "1.2.3.4", "10.0.0.9"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.8", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.9"),
        (1, "", "10.0.0.9"),
        (1, "203.0.113.9:51234", "203.0.113.9"),
        (1, "[2001:db8::1]:443", "2001:db8::1"),
        (1, "[2001:db8::1]", "2001:db8::1"),
        (1, "2001:db8::1", "2001:db8::1"),
    ],
)
def test_only_addresses_from_trusted_proxies_count(settings, proxies, forwarded, address):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="10.0.0.9")

    assert client_address(request) == address


@pytest.mark.parametrize(
    ("remote_address", "counted"),
    [
        ("10.0.0.9", "10.0.0.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
    ],
)
def test_ipv6_addresses_of_a_household_are_counted_together(remote_address: str, counted: str):
    assert counted_address(RequestFactory().get("/", REMOTE_ADDR=remote_address)) == counted
