"""Games of single and double elimination brackets of any size (docs/rules.md).

The games are derived from the next power of two. If there are fewer players than places, the best
seeds have no opponent. A game with a single player is left out: the player advances to the winner's
next game, and no loser comes from it.

**Crossing.** Losers of an upper round drop into a lower round with as many remaining players. Their
order decides which players may meet again. Number the places of that round in binary: the loser of
upper place s meets the winner of lower place s XOR mask. A player in lower place t lost earlier to
players of certain upper places. The mask avoids clashes: no upper loser may get a place where a
player of the same part of the upper half may be. If every mask has clashes, those with the earliest
losers are the least bad. Of equal masks the largest is taken (all bits set is the reversed order).

From 6 players on, a player who lost in the upper half therefore never meets the player they beat
just before. The last lower game is an exception, because there is only one place to go. With 3, 4
or 5 players it cannot be avoided.

The table of 16 is the usual table, with its own numbers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.bracket.records import Game, Half, LoserOf, Seeded, Source, StillIn, WinnerOf


@dataclass(frozen=True)
class Slot:
    """A place for a game in the full bracket, which need not be played."""

    half: Half
    round: int
    place: int


@dataclass
class Assembly:
    """Games assembled in the order of their numbers."""

    games: list[Game] = field(default_factory=list)
    winners: dict[Slot, Source | None] = field(default_factory=dict)
    losers: dict[Slot, Source | None] = field(default_factory=dict)
    rounds: dict[Half, list[int]] = field(default_factory=dict)

    def add(self, slot: Slot, first: Source | None, second: Source | None) -> None:
        """Add a game between two sources, or pass a single source through."""
        if first is None or second is None:
            self.winners[slot], self.losers[slot] = first or second, None
            return
        number = len(self.games) + 1
        self.games.append(Game(number, slot.half, self._round(slot), (first, second)))
        self.winners[slot], self.losers[slot] = WinnerOf(number), LoserOf(number)

    def _round(self, slot: Slot) -> int:
        """Return the round number, skipping rounds without a game."""
        known = self.rounds.setdefault(slot.half, [])
        if slot.round not in known:
            known.append(slot.round)
        return known.index(slot.round) + 1


def rounds_of(size: int) -> int:
    """Return the number of rounds until a single player is left."""
    return (size - 1).bit_length()


def seed_order(rounds: int) -> list[int]:
    """Return the seeds in first-round order, such as 1, 8, 4, 5, 2, 7, 3, 6.

    The two best seeds can meet only in the final.
    """
    order = [1]
    for _ in range(rounds):
        last = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, last - one)]
    return order


def add_first_round(assembly: Assembly, size: int) -> None:
    """Add round 1. Opponents of missing seeds have no game."""
    order = [Seeded(seed) if seed <= size else None for seed in seed_order(rounds_of(size))]
    for place, (first, second) in enumerate(zip(order[::2], order[1::2], strict=True)):
        assembly.add(Slot(Half.UPPER, 1, place), first, second)


def add_upper_round(assembly: Assembly, round_: int, places: Iterable[int]) -> None:
    """Add games between winners of neighbouring games."""
    for place in places:
        first, second = (
            assembly.winners[Slot(Half.UPPER, round_ - 1, feeder)]
            for feeder in (2 * place, 2 * place + 1)
        )
        assembly.add(Slot(Half.UPPER, round_, place), first, second)


def fixed_games(size: int) -> tuple[Game, ...]:
    """Return a fixed bracket: the winners of 1v8 and 4v5 meet, and so on."""
    assembly = Assembly()
    add_first_round(assembly, size)
    rounds = rounds_of(size)
    for round_ in range(2, rounds + 1):
        add_upper_round(assembly, round_, range(1 << (rounds - round_)))
    return tuple(assembly.games)


def reseeded_games(size: int) -> tuple[Game, ...]:
    """Return a bracket that pairs the best remaining seed with the worst in each round.

    If the size is not a power of two, the best seeds wait in round 1. With three players 2 meets 3
    while 1 waits.
    """
    games: list[Game] = []
    left = 1 << rounds_of(size)
    waiting, players = left - size, size
    for round_ in range(1, rounds_of(size) + 1):
        for place in range(waiting + 1, (waiting + players) // 2 + 1):
            pair = (place, waiting + players + 1 - place)
            sources: tuple[Source, Source] = (_of(round_, pair[0]), _of(round_, pair[1]))
            games.append(Game(len(games) + 1, Half.UPPER, round_, sources))
        left //= 2
        waiting, players = 0, left
    return tuple(games)


def _of(round_: int, place: int) -> Source:
    return Seeded(place) if round_ == 1 else StillIn(round_ - 1, place)


# Number, half, round and players: "3" is a seed; "w3" and "l3" come from game 3.
_SIXTEEN = """
1 upper 1 1 16;    2 upper 1 8 9;     3 upper 1 5 12;    4 upper 1 4 13
5 upper 1 3 14;    6 upper 1 6 11;    7 upper 1 7 10;    8 upper 1 2 15
9 lower 1 l1 l2;   10 lower 1 l3 l4;  11 lower 1 l5 l6;  12 lower 1 l7 l8
13 upper 2 w1 w2;  14 upper 2 w3 w4;  15 upper 2 w5 w6;  16 upper 2 w7 w8
17 lower 2 l16 w9; 18 lower 2 l15 w10; 19 lower 2 l14 w11; 20 lower 2 l13 w12
21 upper 3 w13 w14; 22 upper 3 w15 w16; 23 lower 3 w17 w18; 24 lower 3 w19 w20
25 lower 4 l21 w23; 26 lower 4 l22 w24; 27 upper 4 w21 w22; 28 lower 5 w25 w26
29 lower 6 l27 w28; 30 final 1 w27 w29; 31 reset 1 w30 l30
"""


def double_games(size: int) -> tuple[Game, ...]:
    if size == 16:
        return tuple(_sixteen())
    assembly = Assembly()
    rounds = rounds_of(size)
    add_first_round(assembly, size)
    for round_ in range(2, rounds + 1):
        add_upper_round(assembly, round_, range(1 << (rounds - round_)))
        _add_coming_down(assembly, round_ - 1, rounds)
        _add_among_themselves(assembly, round_ - 1, rounds)
    _add_coming_down(assembly, rounds, rounds)
    _add_finals(assembly, rounds)
    return tuple(assembly.games)


def _sixteen() -> Iterator[Game]:
    for line in _SIXTEEN.replace("\n", ";").split(";"):
        if line.strip():
            number, half, round_, first, second = line.split()
            sources = (_source(first), _source(second))
            yield Game(int(number), Half(half), int(round_), sources)


def _source(text: str) -> Source:
    if text.isdigit():
        return Seeded(int(text))
    return (WinnerOf if text[0] == "w" else LoserOf)(int(text[1:]))


def _add_coming_down(assembly: Assembly, upper: int, rounds: int) -> None:
    """Pair the losers of an upper round with the players left below, if there are any yet."""
    if upper == 1:
        return
    lower, mask = 2 * upper - 2, crossing(rounds)[upper]
    for place in range(1 << (rounds - upper)):
        assembly.add(
            Slot(Half.LOWER, lower, place),
            assembly.losers[Slot(Half.UPPER, upper, place ^ mask)],
            assembly.winners[Slot(Half.LOWER, lower - 1, place)],
        )


def _add_among_themselves(assembly: Assembly, upper: int, rounds: int) -> None:
    """Pair neighbours in the lower half; in its first round, losers of neighbouring games."""
    lower = 2 * upper - 1
    for place in range(1 << (rounds - upper - 1)):
        first, second = (
            assembly.losers[Slot(Half.UPPER, 1, feeder)]
            if upper == 1
            else assembly.winners[Slot(Half.LOWER, lower - 1, feeder)]
            for feeder in (2 * place, 2 * place + 1)
        )
        assembly.add(Slot(Half.LOWER, lower, place), first, second)


def _add_finals(assembly: Assembly, rounds: int) -> None:
    top = Slot(Half.UPPER, rounds, 0)
    # With two players, the loser of the only upper game is the whole lower half.
    below = (
        assembly.losers[top]
        if rounds == 1
        else assembly.winners[Slot(Half.LOWER, 2 * rounds - 2, 0)]
    )
    final = Slot(Half.FINAL, 1, 0)
    assembly.add(final, assembly.winners[top], below)
    assembly.add(Slot(Half.RESET, 1, 0), assembly.winners[final], assembly.losers[final])


def crossing(rounds: int) -> dict[int, int]:
    """Return the mask of each upper round; see the module docstring."""
    masks = {1: 0}
    for upper in range(2, rounds + 1):
        masks[upper] = max(
            range(1 << (rounds - upper)),
            key=lambda mask, upper=upper: (-_newest_clash(masks, upper, mask), mask),  # type: ignore[misc]
        )
    return masks


def _newest_clash(masks: dict[int, int], upper: int, mask: int) -> int:
    """Return the latest round whose losers may clash under this mask, or 0."""
    return max(
        (earlier for earlier, known in masks.items() if known >> (upper - earlier) == mask),
        default=0,
    )
