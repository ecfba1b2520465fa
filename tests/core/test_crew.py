"""The crew of the site: how many are at work, whose turn is next, and by whom it is done."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Barrier, Event, get_ident
from typing import Any

import pytest

from core import crew
from core.crew import FOR_MANY, Patience, crewed, step_aside

WORKERS = 2
LONG, SHORT = 60.0, 0.01


class Site:
    """Answers when it is told to; knows who is at work, and in which order they came in."""

    def __init__(self) -> None:
        self.at_work, self.most = 0, 0
        self.came_in: list[str] = []
        self.workers: set[int] = set()
        self.may_answer = Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        self.came_in.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "waits":
            step_aside()
        assert self.may_answer.wait(10)
        self.at_work -= 1
        self.workers.add(get_ident())
        start_response("200 OK", [])
        if environ["PATH_INFO"] == "broken":
            raise LookupError("broken")
        return [b"done"]


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as pool:
        yield pool


class Asked:
    """People who come to a site with so many places, one after the other."""

    def __init__(self, hands: ThreadPoolExecutor, slow: float = LONG) -> None:
        self.site, self.hands = Site(), hands
        self.ask = crewed(self.site, WORKERS, slow)
        self.waiting: list[Future[Any]] = []

    def come(self, method: str, *names: str, **said: Any) -> None:
        for name in names:
            environ = {"REQUEST_METHOD": method, "PATH_INFO": name, **said}
            self.waiting.append(self.hands.submit(self.ask, environ, lambda *_: None))
            wait(self.waiting[-1:], timeout=0.02)

    def answers(self) -> list[Any]:
        self.site.may_answer.set()
        return [future.exception(10) or future.result() for future in self.waiting]


def test_one_is_at_work_while_it_is_quick(hands: ThreadPoolExecutor):
    asked = Asked(hands, slow=LONG)
    asked.come("GET", *"abcd")

    assert asked.answers() == [[b"done"]] * 4
    assert asked.site.most == 1


def test_when_it_is_slow_others_begin_but_only_so_many(hands: ThreadPoolExecutor):
    asked = Asked(hands, slow=SHORT)
    asked.come("GET", *"abcdefgh")

    assert asked.answers() == [[b"done"]] * 8
    assert asked.site.most == len(asked.site.workers) == WORKERS


def test_all_that_came_at_once_begin_although_nobody_comes_after_them(hands: ThreadPoolExecutor):
    """Whoever is at work for long has somebody watch for those who wait."""
    all_there = Barrier(4)

    def meet(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        all_there.wait(10)
        start_response("200 OK", [])
        return [b"met"]

    ask = crewed(meet, 4, SHORT)
    look = {"REQUEST_METHOD": "GET", "PATH_INFO": "look"}
    waiting = [hands.submit(ask, look, lambda *_: None) for _ in range(4)]

    assert [future.result(20) for future in waiting] == [[b"met"]] * 4


def test_who_only_waits_has_nobody_wait_for_it(hands: ThreadPoolExecutor):
    asked = Asked(hands, slow=LONG)
    asked.come("GET", "waits", "next", "last")

    assert asked.answers() == [[b"done"]] * 3
    assert asked.site.came_in == ["waits", "next", "last"]
    assert asked.site.most == 2


def test_who_writes_comes_first_and_who_asks_for_many_next(hands: ThreadPoolExecutor):
    asked = Asked(hands)
    asked.come("GET", "at work", "look 1", "look 2")
    asked.come("GET", "for many", **{FOR_MANY: True})
    asked.come("POST", "write 1", "write 2")

    asked.answers()

    came_in = ["at work", "write 1", "write 2", "for many", "look 1", "look 2"]
    assert asked.site.came_in == came_in


def test_nobody_is_kept_out_for_longer_than_their_patience(
    hands: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
):
    now = 0.0
    monkeypatch.setattr(crew, "monotonic", lambda: now)
    asked = Asked(hands)
    asked.come("GET", "at work", "look")
    asked.come("GET", "for many", **{FOR_MANY: True})
    now = Patience.TO_SHOW_MANY + 0.01
    asked.come("POST", "write 1")
    now = Patience.TO_LOOK + 0.01
    asked.come("POST", "write 2")

    asked.answers()

    assert asked.site.came_in == ["at work", "for many", "write 1", "look", "write 2"]


def test_what_breaks_is_told_to_its_caller_and_ends_no_worker(hands: ThreadPoolExecutor):
    asked = Asked(hands)
    asked.come("GET", "broken", "whole")

    broken, whole = asked.answers()

    assert (str(broken), whole) == ("broken", [b"done"])


def test_the_server_is_told_by_the_thread_it_has_asked():
    site = Site()
    site.may_answer.set()
    told: list[Any] = []

    def start(*head: Any) -> None:
        told.append((get_ident(), *head))

    ask = crewed(site, WORKERS)
    ask({"REQUEST_METHOD": "GET", "PATH_INFO": "look"}, start)
    ask({"REQUEST_METHOD": "GET", "PATH_INFO": "again"}, start)

    assert told == [(get_ident(), "200 OK", [])] * 2
    assert get_ident() not in site.workers
