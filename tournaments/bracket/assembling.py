"""Brackets of any size, from those of the next power of two (DESIGN 4.5).

Where there are fewer players than places, the best seeds have no opponent. A game with one player
is none: the player goes on to where its winner goes, and nobody comes from it as a loser.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tournaments.bracket.records import Game, Half, LoserOf, Seeded, Source, WinnerOf


@dataclass(frozen=True)
class Slot:
    """A place for a game in the full bracket; not every one is played."""

    half: Half
    round: int
    place: int


@dataclass
class Assembly:
    """Games put together in the order in which they are numbered."""

    games: list[Game] = field(default_factory=list)
    winners: dict[Slot, Source | None] = field(default_factory=dict)
    losers: dict[Slot, Source | None] = field(default_factory=dict)
    rounds: dict[Half, list[int]] = field(default_factory=dict)

    def add(self, slot: Slot, first: Source | None, second: Source | None) -> None:
        """A game between the two, or a way through for the only one there is."""
        if first is None or second is None:
            self.winners[slot], self.losers[slot] = first or second, None
            return
        number = len(self.games) + 1
        self.games.append(Game(number, slot.half, self._round(slot), (first, second)))
        self.winners[slot], self.losers[slot] = WinnerOf(number), LoserOf(number)

    def _round(self, slot: Slot) -> int:
        """Rounds without a game are not counted."""
        known = self.rounds.setdefault(slot.half, [])
        if slot.round not in known:
            known.append(slot.round)
        return known.index(slot.round) + 1


def rounds_of(size: int) -> int:
    """The rounds until one of `size` players is left."""
    return (size - 1).bit_length()


def seed_order(rounds: int) -> list[int]:
    """The seeds down the first round: 1, 8, 4, 5, 2, 7, 3, 6. The best two meet in the end only."""
    order = [1]
    for _ in range(rounds):
        last = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, last - one)]
    return order


def add_first_round(assembly: Assembly, size: int) -> None:
    """Seeds that do not exist leave their opponents without a game."""
    order = [Seeded(seed) if seed <= size else None for seed in seed_order(rounds_of(size))]
    for place, (first, second) in enumerate(zip(order[::2], order[1::2], strict=True)):
        assembly.add(Slot(Half.UPPER, 1, place), first, second)


def add_upper_round(assembly: Assembly, round_: int, places: Iterable[int]) -> None:
    """Winners of neighbouring games meet."""
    for place in places:
        first, second = (
            assembly.winners[Slot(Half.UPPER, round_ - 1, feeder)]
            for feeder in (2 * place, 2 * place + 1)
        )
        assembly.add(Slot(Half.UPPER, round_, place), first, second)
