"""The crew of the site: how many are at work, whose turn is next, and by whom it is done."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event, get_ident
from typing import Any

import pytest

from core.crew import FOR_MANY, TURNS, crewed

WORKERS = 2


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

    def __init__(self, hands: ThreadPoolExecutor, workers: int = WORKERS) -> None:
        self.site, self.hands = Site(), hands
        self.ask = crewed(self.site, workers)
        self.waiting: list[Future[Any]] = []

    def come(self, method: str, *names: str, **said: Any) -> None:
        for name in names:
            environ = {"REQUEST_METHOD": method, "PATH_INFO": name, **said}
            self.waiting.append(self.hands.submit(self.ask, environ, lambda *_: None))
            wait(self.waiting[-1:], timeout=0.02)

    def answers(self) -> list[Any]:
        self.site.may_answer.set()
        return [future.exception(10) or future.result() for future in self.waiting]


def test_only_so_many_are_at_work(hands: ThreadPoolExecutor):
    asked = Asked(hands)
    asked.come("GET", *"abcdefgh")

    assert asked.answers() == [[b"done"]] * 8
    assert asked.site.most == len(asked.site.workers) == WORKERS


def test_who_writes_comes_in_before_who_looks(hands: ThreadPoolExecutor):
    asked = Asked(hands, workers=1)
    asked.come("GET", "at work", "look")
    asked.come("POST", "write")

    asked.answers()

    assert asked.site.came_in == ["at work", "write", "look"]


def test_who_asks_for_many_comes_in_before_all_others(hands: ThreadPoolExecutor):
    asked = Asked(hands, workers=1)
    asked.come("GET", "at work", "look 1", "look 2")
    asked.come("POST", "write 1", "write 2")
    asked.come("GET", "for many", **{FOR_MANY: True})

    asked.answers()

    came_in = ["at work", "for many", "look 1", "write 1", "write 2", "look 2"]
    assert asked.site.came_in == came_in


def test_who_writes_is_not_kept_out_by_those_who_ask_for_many(hands: ThreadPoolExecutor):
    asked = Asked(hands, workers=1)
    asked.come("GET", *"abcdefgh", **{FOR_MANY: True})
    asked.come("POST", "write")

    asked.answers()

    assert asked.site.came_in.index("write") == len(TURNS)


def test_who_looks_is_not_kept_out_by_many_who_write(hands: ThreadPoolExecutor):
    asked = Asked(hands, workers=1)
    asked.come("GET", "at work", "look")
    asked.come("POST", *(f"write {number}" for number in range(2 * len(TURNS))))

    asked.answers()

    assert asked.site.came_in.index("look") == len(TURNS) - 2


def test_what_breaks_is_told_to_its_caller_and_ends_no_worker(hands: ThreadPoolExecutor):
    asked = Asked(hands, workers=1)
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
