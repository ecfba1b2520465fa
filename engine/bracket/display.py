"""The names of a bracket's rounds, and its layout in columns and rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import count
from math import ceil

from engine.bracket.games import (
    Bracket,
    BracketGame,
    BracketHalf,
    WinnerOf,
)
from engine.systems import IMPORTED_CUT

# Names of rounds


class RoundCode(StrEnum):
    FINAL = "final"
    SEMIFINAL = "semifinal"
    QUARTERFINAL = "quarterfinal"
    ROUND_OF = "round_of"
    UPPER_FINAL = "upper_final"
    UPPER_SEMIFINAL = "upper_semifinal"
    UPPER_QUARTERFINAL = "upper_quarterfinal"
    UPPER_ROUND_OF = "upper_round_of"
    LOWER_FINAL = "lower_final"
    LOWER_SEMIFINAL = "lower_semifinal"
    LOWER_ROUND = "lower_round"
    BRACKET_RESET = "bracket_reset"
    CUT_ROUND = "cut_round"


@dataclass(frozen=True)
class RoundName:
    code: RoundCode
    # The 16 of a round of 16, the 2 of lower round 2, or else 0.
    number: int = 0
    # Number of matches the bracket has in this round.
    matches: int = 1


SINGLE_ROUNDS = (RoundCode.FINAL, RoundCode.SEMIFINAL, RoundCode.QUARTERFINAL, RoundCode.ROUND_OF)
UPPER_ROUNDS = (
    RoundCode.UPPER_FINAL,
    RoundCode.UPPER_SEMIFINAL,
    RoundCode.UPPER_QUARTERFINAL,
    RoundCode.UPPER_ROUND_OF,
)
# Codes by the number of later rounds in the same half; the last code covers the rest.
LOWER_ROUNDS = (RoundCode.LOWER_FINAL, RoundCode.LOWER_SEMIFINAL, RoundCode.LOWER_ROUND)


def round_name(bracket: Bracket, game: BracketGame) -> RoundName:
    matches = sum((peer.half, peer.round) == (game.half, game.round) for peer in bracket.games)
    if bracket.system == IMPORTED_CUT:
        return RoundName(RoundCode.CUT_ROUND, game.round, matches)
    if game.half is BracketHalf.FINAL:
        return RoundName(RoundCode.FINAL)
    if game.half is BracketHalf.RESET:
        return RoundName(RoundCode.BRACKET_RESET)
    last = max(peer.round for peer in bracket.games if peer.half is game.half)
    rounds_after = last - game.round
    if game.half is BracketHalf.LOWER:
        code = LOWER_ROUNDS[min(rounds_after, len(LOWER_ROUNDS) - 1)]
        number = game.round if code is RoundCode.LOWER_ROUND else 0
    else:
        codes = SINGLE_ROUNDS if bracket.reset is None else UPPER_ROUNDS
        code = codes[min(rounds_after, len(codes) - 1)]
        is_round_of = code in (RoundCode.ROUND_OF, RoundCode.UPPER_ROUND_OF)
        number = 2 ** (rounds_after + 1) if is_round_of else 0
    return RoundName(code, number, matches)


def round_names(bracket: Bracket, games: Iterable[int]) -> tuple[RoundName, ...]:
    """Return the names of these games' rounds: an upper and a lower round may be mixed."""
    names = (round_name(bracket, bracket.by_number[number]) for number in sorted(games))
    return tuple(dict.fromkeys(names))


# Layout


# Empty rows between the halves, for the heading of the lower half.
HALF_GAP = 1
# Rows from the final to the bracket reset, with room for its heading.
FINALS_STEP = Fraction(3, 2)


@dataclass(frozen=True)
class GameBox:
    """A game and its centre: columns from the left, rows from the top, counted from 0."""

    game: BracketGame
    column: int
    row: Fraction


@dataclass(frozen=True)
class GameConnector:
    start: GameBox
    end: GameBox


@dataclass(frozen=True)
class RoundHeading:
    """The position of a round's heading: above `row`, the first row of its half."""

    half: BracketHalf
    round: int
    column: int
    row: Fraction


@dataclass(frozen=True)
class BracketLayout:
    columns: int
    rows: int
    boxes: tuple[GameBox, ...]
    connectors: tuple[GameConnector, ...]
    headings: tuple[RoundHeading, ...]


def lay_out_bracket(bracket: Bracket) -> BracketLayout:
    """Lay out every game. A reseeded bracket has no connectors, because the next games are unknown.

    A bracket without games takes the space of one game.
    """
    upper = [game for game in bracket.games if game.half is BracketHalf.UPPER]
    lower = [game for game in bracket.games if game.half is BracketHalf.LOWER]
    finals = [game for game in bracket.games if game.half in (BracketHalf.FINAL, BracketHalf.RESET)]
    place = _spread_evenly if bracket.is_reseeded else _arrange_tree
    boxes = dict(place(upper, 0))
    height, column = _rows(boxes), _columns(boxes)
    if finals:
        # The final is level with the upper final, the reset below it. The upper half has fewer
        # rounds than the lower one: the finals take the free columns, above the lower final.
        lower_rounds = max((game.round for game in lower), default=0)
        row = boxes[upper[-1].number].row
        rows = [row + place * FINALS_STEP for place in range(len(finals))]
        if lower_rounds > column:
            column = lower_rounds - 1
            height = max(height, ceil(rows[-1] + FINALS_STEP - 1))
        boxes |= {
            game.number: GameBox(game, column, row) for game, row in zip(finals, rows, strict=True)
        }
    boxes |= place(lower, height + HALF_GAP) if lower else {}
    in_order = tuple(boxes[game.number] for game in bracket.games)
    return BracketLayout(
        columns=_columns(boxes),
        rows=_rows(boxes),
        boxes=in_order,
        connectors=tuple(
            GameConnector(boxes[number], box)
            for box in boxes.values()
            for number in _won_before(box.game)
        ),
        headings=tuple(_headings(in_order, height + HALF_GAP)),
    )


GameBoxes = dict[int, GameBox]


def _columns(boxes: GameBoxes) -> int:
    return 1 + max((box.column for box in boxes.values()), default=0)


def _rows(boxes: GameBoxes) -> int:
    return 1 + max((ceil(box.row) for box in boxes.values()), default=0)


def _spread_evenly(games: Sequence[BracketGame], top: int) -> GameBoxes:
    """Spread each round over the height of the fullest round."""
    # Games of an imported cut may be numbered in any order.
    last = max((game.round for game in games), default=0)
    rounds = [[game for game in games if game.round == round_] for round_ in range(1, last + 1)]
    height = max(map(len, rounds), default=0)
    return {
        game.number: GameBox(
            game, column, top + Fraction((2 * place + 1) * height, 2 * len(round_)) - Fraction(1, 2)
        )
        for column, round_ in enumerate(rounds)
        for place, game in enumerate(round_)
    }


def _arrange_tree(games: Sequence[BracketGame], top: int) -> GameBoxes:
    """Centre each game between the earlier games of its players, within one half."""
    boxes: GameBoxes = {}
    by_number = {game.number: game for game in games}
    rows = count(top)

    def place(game: BracketGame) -> GameBox:
        before = [place(by_number[number]) for number in _won_before(game) if number in by_number]
        row = (before[0].row + before[-1].row) / 2 if before else Fraction(next(rows))
        boxes[game.number] = GameBox(game, game.round - 1, row)
        return boxes[game.number]

    place(games[-1])
    return boxes


def _won_before(game: BracketGame) -> list[int]:
    return [source.game for source in game.sources if isinstance(source, WinnerOf)]


def _headings(boxes: Sequence[GameBox], lower_top: int) -> Iterator[RoundHeading]:
    seen: set[tuple[BracketHalf, int]] = set()
    for box in boxes:
        half, round_ = box.game.half, box.game.round
        if (half, round_) not in seen:
            seen.add((half, round_))
            # The finals are in the middle, with their headings directly above.
            row = {BracketHalf.UPPER: Fraction(0), BracketHalf.LOWER: Fraction(lower_top)}.get(
                half, box.row
            )
            yield RoundHeading(half, round_, box.column, row)
