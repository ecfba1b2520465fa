"""Layout of the games of a bracket."""

from fractions import Fraction
from itertools import combinations

import pytest

from engine.bracket.display import lay_out_bracket
from engine.bracket.games import BracketHalf, ImportedGame, WinnerOf, bracket_for, imported_bracket

KINDS = [
    ("single_elimination", False),
    ("single_elimination", True),
    ("double_elimination", False),
]
SIZES = [*range(2, 18), 31, 32, 33, 64]
every_bracket = pytest.mark.parametrize(
    "bracket",
    [bracket_for(system, size, fixed=fixed) for system, fixed in KINDS for size in SIZES],
    ids=lambda bracket: f"{bracket.system} {bracket.size} {bracket.is_reseeded}",
)


@every_bracket
def test_games_are_drawn_once_without_overlap(bracket):
    drawn = lay_out_bracket(bracket)

    assert [box.game for box in drawn.boxes] == list(bracket.games)
    assert all(0 <= box.column < drawn.columns for box in drawn.boxes)
    assert all(0 <= box.row <= drawn.rows - 1 for box in drawn.boxes)
    for first, second in combinations(drawn.boxes, 2):
        assert first.column != second.column or abs(first.row - second.row) >= 1


@every_bracket
def test_connectors_lead_right_or_to_the_finals(bracket):
    lines = lay_out_bracket(bracket).connectors

    finals = (BracketHalf.FINAL, BracketHalf.RESET)
    # The lower final may be below the final, and the bracket reset always is.
    assert all(
        line.start.column < line.end.column
        or (line.end.game.half in finals and line.start.column == line.end.column)
        for line in lines
    )
    assert {(line.start.game.number, line.end.game.number) for line in lines} == {
        (source.game, game.number)
        for game in bracket.games
        for source in game.sources
        if isinstance(source, WinnerOf)
    }


@pytest.mark.parametrize("size", SIZES)
def test_lower_half_lies_below_the_upper_half(size):
    boxes = lay_out_bracket(bracket_for("double_elimination", size)).boxes
    upper = [box.row for box in boxes if box.game.half is BracketHalf.UPPER]
    lower = [box.row for box in boxes if box.game.half is BracketHalf.LOWER]

    assert all(below - above >= 2 for above in upper for below in lower)


def test_each_round_has_a_heading_over_its_column():
    drawn = lay_out_bracket(bracket_for("double_elimination", 4))

    assert [
        (heading.half, heading.round, heading.column, heading.row) for heading in drawn.headings
    ] == [
        (BracketHalf.UPPER, 1, 0, Fraction(0)),
        (BracketHalf.UPPER, 2, 1, Fraction(0)),
        (BracketHalf.LOWER, 1, 0, Fraction(3)),
        (BracketHalf.LOWER, 2, 1, Fraction(3)),
        (BracketHalf.FINAL, 1, 2, Fraction(1, 2)),
        (BracketHalf.RESET, 1, 2, Fraction(2)),
    ]


def test_game_is_centred_between_its_feeder_games():
    rows = [
        box.row for box in lay_out_bracket(bracket_for("single_elimination", 4, fixed=True)).boxes
    ]

    assert rows == [0, 1, 0.5]


@pytest.mark.parametrize("size", SIZES)
def test_finals_take_no_column_if_the_lower_half_has_more_rounds(size):
    boxes = lay_out_bracket(bracket_for("double_elimination", size)).boxes
    columns = {
        half: max((box.column for box in boxes if box.game.half is half), default=-1)
        for half in BracketHalf
    }
    upper, lower = columns[BracketHalf.UPPER], columns[BracketHalf.LOWER]

    assert columns[BracketHalf.FINAL] == columns[BracketHalf.RESET] == max(upper + 1, lower)
    reset = next(box for box in boxes if box.game.half is BracketHalf.RESET)
    # The heading of the lower final has half a row.
    assert all(
        box.row - reset.row >= Fraction(3, 2)
        for box in boxes
        if box.game.half is BracketHalf.LOWER and box.column == reset.column
    )


@every_bracket
def test_no_connector_runs_through_a_game(bracket):
    drawn = lay_out_bracket(bracket)

    for line in drawn.connectors:
        between = range(line.start.column + 1, line.end.column)
        for box in drawn.boxes:
            assert box.column not in between or abs(box.row - line.start.row) >= 1


def test_imported_cut_may_number_its_games_freely():
    games = [
        ImportedGame(1, 2, ("ada", "bo")),
        ImportedGame(5, 1, ("ada", "cy")),
        ImportedGame(3, 1, ("bo", "di")),
    ]

    drawn = lay_out_bracket(imported_bracket(games, ["ada", "bo", "cy", "di"]))

    positions = {box.game.number: (box.column, box.row) for box in drawn.boxes}
    assert positions == {1: (1, Fraction(1, 2)), 3: (0, 0), 5: (0, 1)}
    assert (drawn.columns, drawn.rows) == (2, 2)


def test_imported_cut_may_have_no_games():
    drawn = lay_out_bracket(imported_bracket([], ["ada", "bo"]))

    assert (drawn.boxes, drawn.columns, drawn.rows) == ((), 1, 1)
