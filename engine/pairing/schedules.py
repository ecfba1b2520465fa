"""Search for rounds without rematches; exact in small fields.

Possible meetings are a bit set: bit `one * size + other` for each ordered pair of places. Equal
searches take equal steps on every machine.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeAlias

Pairs: TypeAlias = tuple[tuple[int, int], ...]

# Up to this number of players a search is never restarted.
EXACT = 10

STARTS = 40
STEPS_OF_A_START = 2_000


class OutOfSteps(Exception):  # noqa: N818 - an answer: not known
    """The search did not finish within its budget."""


@dataclass
class Budget:
    steps: int

    def part(self, steps: int) -> "Budget":
        """Take a part of the remaining steps; raise OutOfSteps if there are none."""
        if self.steps <= 0:
            raise OutOfSteps
        part = Budget(min(steps, self.steps))
        self.steps -= part.steps
        return part

    def step(self) -> None:
        """Count a step; raise OutOfSteps if there were too many."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfSteps


@dataclass(frozen=True)
class Openings:
    """The possible meetings and byes in the next `rounds` rounds.

    `once` and `twice` mark the pairs that may meet at least once, and twice. In an odd field
    `certain_byes` lists the players who will sit out. `others` has a bit per place for a possible
    further bye.
    """

    size: int
    rounds: int
    once: int
    twice: int
    certain_byes: tuple[int, ...] = ()
    others: int = 0

    def row(self, place: int) -> int:
        """Return the bits of the players this player may still meet."""
        return self.once >> place * self.size & (1 << self.size) - 1

    def after(self, pairs: Pairs) -> "Openings":
        """Return the openings after these pairs have met in a round."""
        once, twice = self.once, self.twice
        for one, other in pairs:
            bits = pair_bits(self.size, one, other)
            if twice & bits:
                twice &= ~bits
            else:
                once &= ~bits
        return replace(self, rounds=self.rounds - 1, once=once, twice=twice)

    def with_byes(self, byes: Sequence[int]) -> "Openings":
        """Assign byes to the players with the fewest, as counted by place in `byes`."""
        had = list(byes)
        certain: list[int] = []
        while True:
            fewest = [place for place, count in enumerate(had) if count == min(had)]
            if len(fewest) > self.rounds - len(certain):
                break
            certain += fewest
            had = [count + (place in fewest) for place, count in enumerate(had)]
        return replace(
            self, certain_byes=tuple(certain), others=sum(1 << place for place in fewest)
        )

    @property
    def is_hopeless(self) -> bool:
        """True if there are too few byes, or some odd group of players has too few ways out.

        In every round a player of an odd group meets a player outside, or sits out.
        """
        if self.size % 2 and len(self.certain_byes) + self.others.bit_count() < self.rounds:
            return True
        if self._missing_byes() > self.rounds - len(self.certain_byes):
            return True
        return any(
            (self.once & ways).bit_count() + (self.twice & ways).bit_count() + self._byes(group)
            < self.rounds
            for group, ways in _odd_groups(self.size)
        )

    def _missing_byes(self) -> int:
        """Return the byes needed, beyond the certain byes, by players with too few tables left."""
        return sum(
            max(0, self.rounds - self._tables_of(place) - self.certain_byes.count(place))
            for place in range(self.size)
        )

    def _tables_of(self, place: int) -> int:
        row = (1 << self.size) - 1 << place * self.size
        return (self.once & row).bit_count() + (self.twice & row).bit_count()

    @property
    def is_certain(self) -> bool:
        """True if everybody can surely be paired, by Dirac's theorem.

        If everybody may meet half of the field, all can be paired. Each round removes an opponent.
        """
        if self.certain_byes:
            return False
        odd = self.size % 2
        ways = [self.row(place).bit_count() for place in range(self.size)]
        if odd:
            ways = [count + (self.others >> place & 1) for place, count in enumerate(ways)]
            ways.append(self.others.bit_count())
        return 2 * (min(ways) - self.rounds + 1) >= self.size + odd

    def _byes(self, group: int) -> int:
        certain = sum(group >> place & 1 for place in self.certain_byes)
        return certain + (self.others & group).bit_count()


@cache
def pair_bits(size: int, one: int, other: int) -> int:
    """Return the two bits of a pair."""
    return 1 << one * size + other | 1 << other * size + one


@cache
def _odd_groups(size: int) -> tuple[tuple[int, int], ...]:
    """Return odd groups as bits of places, with the bits of all pairs that lead out of them.

    A small field has all groups, a larger field only single players.
    """
    most = size if size <= EXACT else 1
    groups = (
        sum(1 << place for place in places)
        for count in range(1, most + 1, 2)
        for places in combinations(range(size), count)
    )
    return tuple((group, _ways_out(size, group)) for group in groups)


def _ways_out(size: int, group: int) -> int:
    outside = (1 << size) - 1 & ~group
    return sum(outside << place * size for place in range(size) if group >> place & 1)


def schedule(openings: Openings, budget: Budget) -> tuple[Pairs, ...] | None:
    """Return the tables of all rounds in any order, or None if impossible.

    Raise OutOfSteps if unknown within the budget.
    """
    if openings.is_hopeless:
        return None
    if openings.size <= EXACT:
        return _Search(openings, random.Random(0), budget).rounds()  # noqa: S311
    for start in range(STARTS):
        own = budget.part(STEPS_OF_A_START)
        try:
            return _Search(openings, random.Random(start), own).rounds()  # noqa: S311
        except OutOfSteps:
            continue
    raise OutOfSteps


class _Search:
    """Backtracking search that pairs round after round.

    The rounds may be in any order, so they follow the opponents of a pivot player. In an odd field
    they follow the players who sit out.
    """

    def __init__(self, openings: Openings, chance: random.Random, budget: Budget) -> None:
        self.openings, self.chance, self.budget = openings, chance, budget
        self.dead: set[tuple[int, ...]] = set()
        places = range(openings.size)
        self.pivot = min(places, key=lambda place: openings.row(place).bit_count())

    def rounds(self) -> tuple[Pairs, ...] | None:
        return self._rounds(self.openings, (1 << self.openings.size) - 1)

    def _rounds(self, left: Openings, later: int) -> tuple[Pairs, ...] | None:
        if left.rounds == 0:
            return ()
        key = (left.once, left.twice, left.rounds, left.others, later)
        if key in self.dead or left.is_hopeless:
            return None
        for pairs, rest, then in self._next_rounds(left, later):
            found = self._rounds(rest.after(pairs), then)
            if found is not None:
                return (pairs, *found)
        self.dead.add(key)
        return None

    def _next_rounds(self, left: Openings, later: int) -> Iterator[tuple[Pairs, Openings, int]]:
        everybody = (1 << left.size) - 1
        if left.certain_byes:
            rest = replace(left, certain_byes=left.certain_byes[1:])
            for pairs in self._tables(left, everybody & ~(1 << left.certain_byes[0])):
                yield pairs, rest, later
        elif left.size % 2:
            for place in _bits(left.others):
                rest = replace(left, others=left.others >> place + 1 << place + 1)
                for pairs in self._tables(left, everybody & ~(1 << place)):
                    yield pairs, rest, later
        else:
            for place in _bits(left.row(self.pivot) & later):
                if self._ways_of_pivot(left, later >> place << place) < left.rounds:
                    return
                table = (self.pivot, place)
                for pairs in self._tables(left, everybody & ~(1 << self.pivot | 1 << place)):
                    yield (table, *pairs), left, later >> place << place

    def _ways_of_pivot(self, left: Openings, later: int) -> int:
        ways = later << self.pivot * left.size
        return (left.once & ways).bit_count() + (left.twice & ways).bit_count()

    def _tables(self, left: Openings, waiting: int) -> Iterator[Pairs]:
        """Yield every way to pair the waiting players, in random order."""
        self.budget.step()
        if not waiting:
            yield ()
            return
        one = min(_bits(waiting), key=lambda place: (left.row(place) & waiting).bit_count())
        others = list(_bits(left.row(one) & waiting))
        self.chance.shuffle(others)
        for other in others:
            for pairs in self._tables(left, waiting & ~(1 << one | 1 << other)):
                yield ((one, other), *pairs)


def _bits(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
