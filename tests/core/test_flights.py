"""Making something once for all who ask for it in the same moment."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import count
from threading import Event

import pytest

from core import flights
from core.flights import Flights


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def nothing() -> None:
    """What is known to be right."""


class Maker:
    """Makes 1, 2, 3 ...; each making waits until it is told to end."""

    def __init__(self) -> None:
        self.numbers = count(1)
        self.began: list[int] = []
        self.may_end = Event()
        self.has_begun = Event()

    def __call__(self) -> int:
        number = next(self.numbers)
        self.began.append(number)
        self.has_begun.set()
        assert self.may_end.wait(10)
        return number


def joined(
    flown: Flights[int],
    hands: ThreadPoolExecutor,
    make: Callable[[], int | None],
    callers: int,
    known: Callable[[], int | None] = nothing,
) -> list[Future[int | None]]:
    """So many callers, all of them in the line."""
    futures = [hands.submit(flown.join, make, known) for _ in range(callers)]
    done, _ = wait(futures, timeout=0.2)
    assert not done
    return futures


def test_nobody_gets_what_was_begun_before_they_asked(hands: ThreadPoolExecutor):
    flown: Flights[int] = Flights()
    make = Maker()
    first = hands.submit(flown.join, make, nothing)
    assert make.has_begun.wait(10)

    others = joined(flown, hands, make, 5)
    make.may_end.set()

    assert first.result(10) == 1
    assert {other.result(10) for other in others} == {2}
    assert make.began == [1, 2]


def test_who_asks_later_has_a_new_one():
    flown: Flights[int] = Flights()
    numbers = count(1)

    assert [flown.join(lambda: next(numbers), nothing) for _ in range(3)] == [1, 2, 3]


def test_who_asks_meanwhile_gets_what_was_made_where_it_is_still_right(hands: ThreadPoolExecutor):
    flown: Flights[int] = Flights()
    make = Maker()
    made: list[int] = []

    def known() -> int | None:
        return made[-1] if made else None

    def kept() -> int:
        made.append(make())
        return made[-1]

    first = hands.submit(flown.join, kept, known)
    assert make.has_begun.wait(10)
    others = joined(flown, hands, kept, 5, known)
    make.may_end.set()

    assert [asked.result(10) for asked in (first, *others)] == [1] * 6
    assert make.began == [1]


def broken() -> int:
    raise LookupError("nothing there")


def for_one() -> None:
    return None


def test_others_do_without_what_is_for_one(hands: ThreadPoolExecutor):
    flown: Flights[int] = Flights()
    make = Maker()
    first = hands.submit(flown.join, make, nothing)
    assert make.has_begun.wait(10)
    others = joined(flown, hands, for_one, 3)
    make.may_end.set()

    assert first.result(10) == 1
    assert [other.result(10) for other in others] == [None] * 3


def test_what_breaks_is_told_to_its_maker_and_holds_nobody_up(hands: ThreadPoolExecutor):
    flown: Flights[int] = Flights()
    make = Maker()
    first = hands.submit(flown.join, make, nothing)
    assert make.has_begun.wait(10)
    others = joined(flown, hands, broken, 3)
    make.may_end.set()
    first.result(10)

    assert sorted(str(other.exception(10) or other.result()) for other in others) == [
        "None",
        "None",
        "nothing there",
    ]
    assert flown.join(lambda: 7, nothing) == 7


def test_the_maker_rests_longer_the_more_it_is_asked(monkeypatch: pytest.MonkeyPatch):
    clock, rests = [100.0], []
    monkeypatch.setattr(flights, "monotonic", lambda: clock[0])

    def rest(seconds: float) -> None:
        rests.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(flights, "sleep", rest)
    flown: Flights[int] = Flights()

    def make(seconds: float) -> int:
        clock[0] += seconds
        return 1

    for _ in range(6):
        flown.join(lambda: make(1 / 64), nothing)
    assert rests == [part / 64 for part in (0, 0, 1, 2, 3, 3)]

    rests.clear()
    for part in (1, 2, 1, 2):
        flown.join(partial(make, part / 64), nothing)
    assert rests == [part / 64 for part in (3, 3, 6, 3)]

    rests.clear()
    clock[0] += 60
    flown.join(lambda: make(8), nothing)
    flown.join(lambda: make(8), nothing)
    flown.join(lambda: make(8), nothing)
    assert rests == [0, 0, flights.LONGEST_REST]
