"""Exhaustive search for the remaining rounds of small fields.

Two players may meet once in a double-sided event. In a single-sided event they may meet twice, with
sides swapped, unless it avoids second meetings. If not all rounds are possible, as many as possible
count; if not even a single round is, as many as possible without a third meeting.

A state holds the possible meetings and the byes so far; a bye goes to a player with the fewest. The
search tries every round and remembers states without a solution.
"""

from collections.abc import Iterator
from typing import Any

from tests.checker.reading import Couple, Player

# How often two players meet at most.
MEETINGS = {"double": 1, "single_once": 1, "single": 2}

# Bits of some opponents, for each player.
Layer = tuple[int, ...]

# Rounds left; opponents that each player may meet at least once, twice ...; byes so far.
State = tuple[int, tuple[Layer, ...], tuple[int, ...]]


class OutOfSteps(Exception):  # noqa: N818 - an answer: not known
    """The search was not finished."""


def can_go_on(
    players: dict[Any, Player],
    couples: list[Couple],
    rounds: int,
    system: str = "double",
    steps: int = 10**9,
) -> bool | None:
    """Return True if this many rounds are possible after these tables and byes.

    None if unknown after `steps` tried rounds.
    """
    return Goal(rounds, MEETINGS[system]).is_reached(players, couples, steps)


class Goal:
    """A number of coming rounds in which two players meet at most `meetings` times in total."""

    def __init__(self, rounds: int, meetings: int) -> None:
        self.rounds, self.meetings = rounds, meetings
        self.dead: set[State] = set()

    def is_reached(
        self, players: dict[Any, Player], couples: list[Couple], steps: int = 10**9
    ) -> bool | None:
        """Return True if these tables and byes leave it possible; None if unknown after `steps`."""
        state = _state_after(players, couples, self.rounds, self.meetings)
        try:
            return _Search(steps, self.dead).is_possible(state)
        except OutOfSteps:
            return None


def goals(rounds: int, system: str) -> list[Goal]:
    """Goals for the remaining rounds, best first."""
    return [
        Goal(count, meetings)
        for meetings in range(MEETINGS[system], 3)
        for count in range(rounds, 0, -1)
    ]


class _Search:
    def __init__(self, steps: int, dead: set[State]) -> None:
        self.steps = steps
        self.dead = dead

    def is_possible(self, state: State) -> bool:
        rounds, layers, byes = state
        if rounds == 0:
            return True
        if state in self.dead or _is_stuck(state):
            return False
        for pairs, sits_out in _next_rounds(layers[0], byes):
            self.steps -= 1
            if self.steps < 0:
                raise OutOfSteps
            if self.is_possible(_after(state, pairs, sits_out)):
                return True
        self.dead.add(state)
        return False


def _state_after(
    players: dict[Any, Player], couples: list[Couple], rounds: int, meetings: int
) -> State:
    indexes = {id_: index for index, id_ in enumerate(players)}
    all_places = (1 << len(indexes)) - 1
    layers = [[all_places & ~(1 << index) for index in indexes.values()] for _ in range(meetings)]
    byes = [player["byes"] for player in players.values()]
    past_meetings = [
        (player, opponent)
        for player in indexes
        for opponent, _ in players[player]["meetings"]
        if opponent in indexes
    ]
    # Both players record a past meeting.
    pairs_met = [
        (player, opponent)
        for player, opponent in past_meetings
        if indexes[player] < indexes[opponent]
    ]
    for player, opponent in [*pairs_met, *couples]:
        if opponent is None:
            byes[indexes[player]] += 1
        else:
            _meet(layers, indexes[player], indexes[opponent])
    return rounds, tuple(map(tuple, layers)), tuple(byes)


def _meet(layers: list[list[int]], player: int, opponent: int) -> None:
    """Remove a possible meeting, from the outermost layer that has it."""
    for layer in reversed(layers):
        if layer[player] >> opponent & 1:
            layer[player] &= ~(1 << opponent)
            layer[opponent] &= ~(1 << player)
            return


def _is_stuck(state: State) -> bool:
    """Return True if players have too few possible tables and byes for the remaining rounds."""
    rounds, layers, byes = state
    tables = [sum(bits.bit_count() for bits in column) for column in zip(*layers, strict=True)]
    missing = [max(0, rounds - count) for count in tables]
    if len(byes) % 2 == 0:
        return any(missing)
    # A round has one bye, and the numbers of byes stay close together.
    max_byes = 1 + rounds // len(byes) + max(byes) - min(byes)
    return bool(sum(missing) > rounds or max(missing) > max_byes)


def _next_rounds(
    free: Layer, byes: tuple[int, ...]
) -> Iterator[tuple[list[tuple[int, int]], int | None]]:
    all_places = (1 << len(free)) - 1
    if len(free) % 2 == 0:
        for pairs in _tables(free, all_places):
            yield pairs, None
        return
    for index, had in enumerate(byes):
        if had == min(byes):
            for pairs in _tables(free, all_places & ~(1 << index)):
                yield pairs, index


def _tables(free: Layer, remaining: int) -> Iterator[list[tuple[int, int]]]:
    if not remaining:
        yield []
        return
    index = _tightest(free, remaining)
    options = free[index] & remaining
    while options:
        opponent = (options & -options).bit_length() - 1
        options &= options - 1
        for pairs in _tables(free, remaining & ~(1 << index) & ~(1 << opponent)):
            yield [(index, opponent), *pairs]


def _tightest(free: Layer, remaining: int) -> int:
    """Return a remaining player with the fewest possible opponents."""
    indexes = [index for index in range(len(free)) if remaining >> index & 1]
    return min(indexes, key=lambda index: (free[index] & remaining).bit_count())


def _after(state: State, pairs: list[tuple[int, int]], sits_out: int | None) -> State:
    rounds, layers, byes = state
    remaining_layers, had = [list(layer) for layer in layers], list(byes)
    for player, opponent in pairs:
        _meet(remaining_layers, player, opponent)
    if sits_out is not None:
        had[sits_out] += 1
    return rounds - 1, tuple(map(tuple, remaining_layers)), tuple(had)
