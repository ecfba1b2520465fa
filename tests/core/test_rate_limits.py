"""Rate limits by network."""

from contextlib import ExitStack

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from core.rate_limits import WRONG_TRIES, Busy, exclusive_work, wait_after_wrong

pytestmark = [pytest.mark.check(21), pytest.mark.usefixtures("own_clock")]


def request_from(address: str) -> HttpRequest:
    return RequestFactory().get("/join/", REMOTE_ADDR=address)


def test_ipv6_addresses_of_a_host_share_their_tries():
    for number in range(WRONG_TRIES):
        assert wait_after_wrong(request_from(f"2001:db8:1:2::{number + 1:x}"), "claim") == 0

    assert wait_after_wrong(request_from("2001:db8:1:2::ffff"), "claim") == 1
    assert wait_after_wrong(request_from("2001:db8:1:3::1"), "claim") == 0


def test_late_end_of_a_request_keeps_the_turn_of_the_next(time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    with ExitStack() as other_turns:
        with exclusive_work("import"):
            time_machine.shift(61)
            other_turns.enter_context(exclusive_work("import"))

        with pytest.raises(Busy), exclusive_work("import"):
            pass
    with exclusive_work("import"):
        pass
