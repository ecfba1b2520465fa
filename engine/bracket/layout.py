"""Layout of a bracket in columns and rows without a unit.

The upper half is above the lower half, with the finals to the right. A game is centred between the
games of its players. Games are at least one column or one row apart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from engine.bracket.records import Bracket, Game, Half, WinnerOf

# Empty rows between the halves, for the heading of the lower half.
GAP = 1


@dataclass(frozen=True)
class Box:
    """A game and its centre: columns from the left, rows from the top, counted from 0."""

    game: Game
    column: int
    row: Fraction


@dataclass(frozen=True)
class Connector:
    """A line from a game to the next game of its winner."""

    start: Box
    end: Box


@dataclass(frozen=True)
class Heading:
    """The position of a round's heading: above `row`, the first row of its half."""

    half: Half
    round: int
    column: int
    row: Fraction


@dataclass(frozen=True)
class Layout:
    """A drawn bracket, in the order of its games."""

    columns: int
    rows: int
    boxes: tuple[Box, ...]
    connectors: tuple[Connector, ...]
    headings: tuple[Heading, ...]


def layout(bracket: Bracket) -> Layout:
    """Lay out every game. A reseeded bracket has no connectors, because the next games are unknown.

    A bracket without games takes the space of one game.
    """
    upper = [game for game in bracket.games if game.half is Half.UPPER]
    lower = [game for game in bracket.games if game.half is Half.LOWER]
    finals = [game for game in bracket.games if game.half in (Half.FINAL, Half.RESET)]
    place = _evenly if bracket.is_reseeded else _as_a_tree
    boxes = dict(place(upper, 0))
    height = _rows(boxes)
    boxes |= place(lower, height + GAP) if lower else {}
    columns = _columns(boxes)
    boxes |= _finals(finals, columns, boxes)
    in_order = tuple(boxes[game.number] for game in bracket.games)
    return Layout(
        columns=_columns(boxes),
        rows=_rows(boxes),
        boxes=in_order,
        connectors=tuple(_connectors(boxes)),
        headings=tuple(_headings(in_order, height + GAP)),
    )


Boxes = dict[int, Box]


def _columns(boxes: Boxes) -> int:
    return 1 + max((box.column for box in boxes.values()), default=0)


def _rows(boxes: Boxes) -> int:
    return 1 + max((int(box.row) for box in boxes.values()), default=0)


def _evenly(games: Sequence[Game], top: int) -> Boxes:
    """Spread each round over the height of the fullest round."""
    # Games of an imported cut may be numbered in any order.
    last = max((game.round for game in games), default=0)
    rounds = [[game for game in games if game.round == round_] for round_ in range(1, last + 1)]
    height = max(map(len, rounds), default=0)
    return {
        game.number: Box(
            game, column, top + Fraction((2 * place + 1) * height, 2 * len(round_)) - Fraction(1, 2)
        )
        for column, round_ in enumerate(rounds)
        for place, game in enumerate(round_)
    }


def _as_a_tree(games: Sequence[Game], top: int) -> Boxes:
    """Centre each game between the earlier games of its players, within one half."""
    boxes: Boxes = {}
    by_number = {game.number: game for game in games}
    rows = count(top)

    def place(game: Game) -> Box:
        before = [place(by_number[number]) for number in _won_before(game) if number in by_number]
        row = (before[0].row + before[-1].row) / 2 if before else Fraction(next(rows))
        boxes[game.number] = Box(game, game.round - 1, row)
        return boxes[game.number]

    place(games[-1])
    return boxes


def _won_before(game: Game) -> list[int]:
    return [source.game for source in game.sources if isinstance(source, WinnerOf)]


def _finals(finals: Sequence[Game], column: int, boxes: Boxes) -> Boxes:
    """Place the final between its feeder games and the reset to its right."""
    if not finals:
        return {}
    before = [boxes[number].row for number in _won_before(finals[0])]
    row = sum(before, Fraction()) / len(before)
    return {game.number: Box(game, column + place, row) for place, game in enumerate(finals)}


def _connectors(boxes: Boxes) -> Iterator[Connector]:
    for box in boxes.values():
        for number in _won_before(box.game):
            yield Connector(boxes[number], box)


def _headings(boxes: Sequence[Box], lower_top: int) -> Iterator[Heading]:
    seen: set[tuple[Half, int]] = set()
    for box in boxes:
        half, round_ = box.game.half, box.game.round
        if (half, round_) not in seen:
            seen.add((half, round_))
            # The finals are in the middle, with their headings directly above.
            row = {Half.UPPER: Fraction(0), Half.LOWER: Fraction(lower_top)}.get(half, box.row)
            yield Heading(half, round_, box.column, row)
