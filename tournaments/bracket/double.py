"""Double elimination: fixed tables for 4, 8 and 16 players, and the same for any size (DESIGN 4.5).

**Crossing.** Losers of an upper round come down into a lower round of as many players who are
still in there. In which order they come decides who may meet again. Number the places of that
round in binary: the loser of upper place s meets the winner of lower place s XOR mask. A player
in lower place t lost before to players of certain upper places; the mask is chosen so that no
upper loser comes to a place where somebody of their own part of the upper half may wait. Where
every mask has some, those who lost longest ago are the least bad, and of equal masks the largest
is taken (all bits set is the reversed order). So from 6 players on nobody can meet, right after a
loss in the upper half, whom they beat just before, except in the last lower game, where there is
only one place to go. With 3, 4 or 5 players it cannot be helped.

The table of 16 is the one in use, with its own numbers.
"""

from collections.abc import Iterator

from tournaments.bracket.assembling import (
    Assembly,
    Slot,
    add_first_round,
    add_upper_round,
    rounds_of,
)
from tournaments.bracket.records import Game, Half, LoserOf, Seeded, Source, WinnerOf

# Number, half, round, and the players: "3" is a seed, "w3" and "l3" come from game 3.
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
    """The games of a double elimination, the reset last."""
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
    """The losers of an upper round meet those still in below; the first ones have nobody yet."""
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
    """Neighbours of the lower half meet; in its first round, the losers of neighbouring games."""
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
    # Of two players the loser of the only upper game is all of the lower half.
    below = (
        assembly.losers[top]
        if rounds == 1
        else assembly.winners[Slot(Half.LOWER, 2 * rounds - 2, 0)]
    )
    final = Slot(Half.FINAL, 1, 0)
    assembly.add(final, assembly.winners[top], below)
    assembly.add(Slot(Half.RESET, 1, 0), assembly.winners[final], assembly.losers[final])


def crossing(rounds: int) -> dict[int, int]:
    """The mask of each upper round whose losers come down; see the head of this module."""
    masks = {1: 0}
    for upper in range(2, rounds + 1):
        masks[upper] = max(
            range(1 << (rounds - upper)),
            key=lambda mask, upper=upper: (-_newest_clash(masks, upper, mask), mask),  # type: ignore[misc]
        )
    return masks


def _newest_clash(masks: dict[int, int], upper: int, mask: int) -> int:
    """The last round whose losers may wait where this mask leads; 0 if none does."""
    return max(
        (earlier for earlier, known in masks.items() if known >> (upper - earlier) == mask),
        default=0,
    )
