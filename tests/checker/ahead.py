"""Can the planned rounds still be paired without a rematch? By search, for small fields.

A state is who has not met whom, and who had how many byes; a bye goes to one of those with the
fewest. The search tries every round of new tables, and remembers the states that lead nowhere.
"""

from collections.abc import Iterator
from typing import Any

from tests.checker.reading import Couple, Player

State = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Rounds left, for each player the bits of those not met, byes of each player."""


class OutOfSteps(Exception):  # noqa: N818 - an answer: not known
    """The search was not finished."""


def can_go_on(
    players: dict[Any, Player], couples: list[Couple], rounds: int, steps: int = 10**9
) -> bool | None:
    """Whether, after these tables and byes, so many rounds without a rematch are left.

    None: not known after `steps` rounds tried.
    """
    state = _state_after(players, couples, rounds)
    try:
        return _Search(steps).is_possible(state)
    except OutOfSteps:
        return None


class _Search:
    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.dead: set[State] = set()

    def is_possible(self, state: State) -> bool:
        rounds, free, byes = state
        if rounds == 0:
            return True
        if state in self.dead or _somebody_is_stuck(state):
            return False
        for pairs, sits_out in _new_rounds(free, byes):
            self.steps -= 1
            if self.steps < 0:
                raise OutOfSteps
            if self.is_possible(_after(state, pairs, sits_out)):
                return True
        self.dead.add(state)
        return False


def _state_after(players: dict[Any, Player], couples: list[Couple], rounds: int) -> State:
    places = {id_: place for place, id_ in enumerate(players)}
    everybody = (1 << len(places)) - 1
    free = [everybody & ~(1 << place) for place in places.values()]
    byes = [player["byes"] for player in players.values()]
    met = [(one, other) for one in players for other, _ in players[one]["meetings"]]
    for one, other in [*met, *couples]:
        if one in places and other in places:
            free[places[one]] &= ~(1 << places[other])
            free[places[other]] &= ~(1 << places[one])
        elif other is None:
            byes[places[one]] += 1
    return rounds, tuple(free), tuple(byes)


def _somebody_is_stuck(state: State) -> bool:
    """A player with fewer new opponents than rounds; in an odd field byes help too."""
    rounds, free, byes = state
    if len(free) % 2 == 0:
        return any(bits.bit_count() < rounds for bits in free)
    most_byes = 1 + rounds // len(free) + max(byes) - min(byes)
    return any(bits.bit_count() + most_byes < rounds for bits in free)


def _new_rounds(
    free: tuple[int, ...], byes: tuple[int, ...]
) -> Iterator[tuple[list[tuple[int, int]], int | None]]:
    everybody = (1 << len(free)) - 1
    if len(free) % 2 == 0:
        for pairs in _new_tables(free, everybody):
            yield pairs, None
        return
    for place, had in enumerate(byes):
        if had == min(byes):
            for pairs in _new_tables(free, everybody & ~(1 << place)):
                yield pairs, place


def _new_tables(free: tuple[int, ...], left: int) -> Iterator[list[tuple[int, int]]]:
    if not left:
        yield []
        return
    place = _tightest(free, left)
    options = free[place] & left
    while options:
        other = (options & -options).bit_length() - 1
        options &= options - 1
        for pairs in _new_tables(free, left & ~(1 << place) & ~(1 << other)):
            yield [(place, other), *pairs]


def _tightest(free: tuple[int, ...], left: int) -> int:
    """Of the players left, one with the fewest possible opponents."""
    places = [place for place in range(len(free)) if left >> place & 1]
    return min(places, key=lambda place: (free[place] & left).bit_count())


def _after(state: State, pairs: list[tuple[int, int]], sits_out: int | None) -> State:
    rounds, free, byes = state
    left, had = list(free), list(byes)
    for one, other in pairs:
        left[one] &= ~(1 << other)
        left[other] &= ~(1 << one)
    if sits_out is not None:
        had[sits_out] += 1
    return rounds - 1, tuple(left), tuple(had)
