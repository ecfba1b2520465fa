"""The gate before the site: how many are let in, and who is next."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Any

import pytest

from core.gate import ONE_LOOK_IN, gated

PLACES = 2


class Site:
    """Answers when it is told to; knows who is at work, and in which order they came in."""

    def __init__(self) -> None:
        self.at_work, self.most = 0, 0
        self.came_in: list[str] = []
        self.may_answer = Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        self.came_in.append(environ["PATH_INFO"])
        assert self.may_answer.wait(10)
        self.at_work -= 1
        if environ["PATH_INFO"] == "broken":
            raise LookupError("broken")
        return [b"done"]


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as pool:
        yield pool


class Asked:
    """People who come to a site with so many places, one after the other."""

    def __init__(self, hands: ThreadPoolExecutor, places: int = PLACES) -> None:
        self.site, self.hands = Site(), hands
        self.gate = gated(self.site, places)
        self.waiting: list[Future[Any]] = []

    def come(self, method: str, *names: str) -> None:
        for name in names:
            environ = {"REQUEST_METHOD": method, "PATH_INFO": name}
            self.waiting.append(self.hands.submit(self.gate, environ, lambda *_: None))
            wait(self.waiting[-1:], timeout=0.02)

    def answers(self) -> list[Any]:
        self.site.may_answer.set()
        return [future.exception(10) or future.result() for future in self.waiting]


def test_only_so_many_are_at_work(hands: ThreadPoolExecutor):
    asked = Asked(hands)
    asked.come("GET", *"abcdefgh")

    assert asked.answers() == [[b"done"]] * 8
    assert asked.site.most == PLACES


def test_who_writes_comes_in_before_who_looks(hands: ThreadPoolExecutor):
    asked = Asked(hands, places=1)
    asked.come("GET", "at work", "look 1", "look 2")
    asked.come("POST", "write 1", "write 2")

    asked.answers()

    assert asked.site.came_in == ["at work", "write 1", "write 2", "look 1", "look 2"]


def test_who_looks_is_not_kept_out_by_many_who_write(hands: ThreadPoolExecutor):
    asked = Asked(hands, places=1)
    asked.come("GET", "at work", "look")
    asked.come("POST", *(f"write {number}" for number in range(2 * ONE_LOOK_IN)))

    asked.answers()

    assert asked.site.came_in.index("look") == ONE_LOOK_IN


def test_a_place_is_free_again_when_its_request_breaks(hands: ThreadPoolExecutor):
    asked = Asked(hands, places=1)
    asked.come("GET", "broken", "whole")

    broken, whole = asked.answers()

    assert (str(broken), whole) == ("broken", [b"done"])
