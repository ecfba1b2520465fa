"""A server that does not answer is asked once in a while."""

from collections.abc import Iterator
from itertools import count

import pytest

from core.breaker import REST, Breaker

pytestmark = [pytest.mark.check(35), pytest.mark.goal("G12")]


class Clock:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock)


def asked(breaker: Breaker, clock: Clock, seconds: float, step: float = 0.5) -> int:
    """How many ask a server that stays away, when somebody wants to every half second."""
    tries = 0
    for _ in until(clock, seconds, step):
        if breaker.may_ask():
            tries += 1
            breaker.failed()
    return tries


def until(clock: Clock, seconds: float, step: float) -> Iterator[int]:
    end = clock.seconds + seconds
    for turn in count():
        if clock.seconds >= end:
            return
        yield turn
        clock.seconds += step


def test_a_server_that_answers_is_always_asked(breaker: Breaker):
    assert all(breaker.may_ask() and not breaker.answered() for _ in range(10))


def test_one_in_a_while_asks_a_server_that_stays_away(breaker: Breaker, clock: Clock):
    assert asked(breaker, clock, seconds=10 * REST) == 10


def test_while_one_tries_the_others_rest_on(breaker: Breaker, clock: Clock):
    breaker.failed()
    clock.seconds += REST

    assert [breaker.may_ask() for _ in range(3)] == [True, False, False]


def test_one_answer_lets_everybody_ask_again(breaker: Breaker, clock: Clock):
    breaker.failed()
    clock.seconds += REST
    assert breaker.may_ask()

    assert breaker.answered()
    assert [breaker.may_ask() for _ in range(3)] == [True, True, True]
    assert not breaker.answered()


def test_only_the_first_failure_is_news(breaker: Breaker):
    assert [breaker.failed() for _ in range(3)] == [True, False, False]
