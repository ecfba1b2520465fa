"""Guesses are counted by who guesses, however many addresses they have."""

import pytest
from django.core.cache import cache
from django.http import HttpRequest
from django.test import RequestFactory

from core.wrong_tries import WRONG_TRIES, count_wrong, is_blocked

pytestmark = pytest.mark.check(21)


@pytest.fixture(autouse=True)
def _nothing_counted():
    cache.clear()


def asked_from(address: str) -> HttpRequest:
    return RequestFactory().get("/join/", REMOTE_ADDR=address)


def test_all_addresses_of_one_host_share_their_tries():
    for number in range(WRONG_TRIES):
        count_wrong(asked_from(f"2001:db8:1:2::{number + 1:x}"))

    assert is_blocked(asked_from("2001:db8:1:2::ffff"))
    assert not is_blocked(asked_from("2001:db8:1:3::1"))
