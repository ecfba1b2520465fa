"""Guesses are counted by who guesses, however many addresses they have."""

from contextlib import ExitStack

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from core.rate_limits import MANY_TRIES, WRONG_TRIES, Busy, one_at_a_time, wait_after_wrong

pytestmark = [pytest.mark.check(21), pytest.mark.usefixtures("own_clock")]


def asked_from(address: str) -> HttpRequest:
    return RequestFactory().get("/join/", REMOTE_ADDR=address)


def test_all_addresses_of_one_host_share_their_tries():
    for number in range(WRONG_TRIES):
        assert wait_after_wrong(asked_from(f"2001:db8:1:2::{number + 1:x}")) == 0

    assert wait_after_wrong(asked_from("2001:db8:1:2::ffff")) == 1
    assert wait_after_wrong(asked_from("2001:db8:1:3::1")) == 0


def test_the_wait_grows_to_two_seconds_and_no_further():
    waits = [wait_after_wrong(asked_from("10.0.0.1")) for _ in range(MANY_TRIES + 50)]

    assert waits == sorted(waits)
    assert waits[-1] == 2


def test_what_took_too_long_does_not_end_the_turn_of_the_next(time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    with ExitStack() as others:
        with one_at_a_time("import"):
            time_machine.shift(61)
            others.enter_context(one_at_a_time("import"))

        with pytest.raises(Busy), one_at_a_time("import"):
            pass
    with one_at_a_time("import"):
        pass
