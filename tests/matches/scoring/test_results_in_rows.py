"""A result is stored in rows and read back; each seat has its games and points."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from matches.scoring.results import (
    Flag,
    GameEnd,
    GameResult,
    GameRow,
    MatchResult,
    Role,
    result_from_rows,
    result_to_rows,
)

NUMBERS = (1, 2)
POINTS = st.none() | st.integers(0, 20)
UNKNOWN = (None, None)


def game(number: int) -> st.SearchStrategy[GameResult]:
    return st.builds(
        GameResult,
        number=st.just(number),
        corp=st.sampled_from(NUMBERS),
        winner=st.none() | st.sampled_from(Role),
        end=st.sampled_from(GameEnd),
        corp_agenda_points=POINTS,
        runner_agenda_points=POINTS,
    )


GAMES = st.tuples(*(st.none() | game(number) for number in NUMBERS)).map(
    lambda games: tuple(game for game in games if game)
)
FLAGS = st.frozensets(st.sampled_from(Flag))


def empty(number: int, position: int, role: str, faction: str = "") -> GameRow:
    return GameRow(number, "", None, position, role, faction, None, None)


BEFORE = [
    empty(1, 1, "corp"),
    empty(1, 2, "runner"),
    empty(2, 1, "runner"),
    empty(2, 2, "corp"),
]
POD = [empty(1, position, "", faction) for position, faction in enumerate(("a", "b", "c"), 1)]


@given(games=GAMES, flags=FLAGS, totals=st.just(()) | st.tuples(*[st.integers(0, 6)] * 2))
def test_stored_games_are_read_back(
    games: tuple[GameResult, ...], flags: frozenset[Flag], totals: tuple[int, ...]
):
    result = MatchResult(games, flags, totals)

    rows = result_to_rows(result, BEFORE)

    assert [(row.number, row.position) for row in rows] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    read_back = result_from_rows(rows, has_roles=True, flags=list(flags), totals=totals or UNKNOWN)
    assert read_back == result


def test_row_has_its_seat_and_the_winner():
    won_game = GameResult(1, 2, Role.CORP, GameEnd.AGENDA, 7, 3)

    corp, runner = (result_to_rows(MatchResult((won_game,)), BEFORE)[index] for index in (1, 0))

    assert corp == GameRow(1, "agenda", 2, 2, "corp", "", 7, None)
    assert runner == GameRow(1, "agenda", 2, 1, "runner", "", 3, None)


def test_removed_game_keeps_its_roles_and_loses_its_result():
    result = MatchResult(
        (
            GameResult(1, 1, Role.CORP, GameEnd.FLATLINE, 0, 5),
            GameResult(2, 2, None, GameEnd.TIME, 1, 2),
        )
    )
    rows = result_to_rows(result, BEFORE)

    assert result_to_rows(replace(result, games=()), rows) == BEFORE


@given(
    points=st.tuples(*[st.integers(0, 60)] * 3),
    factions=st.just(()) | st.permutations(("a", "b", "")).map(tuple),
    flags=FLAGS,
)
def test_stored_places_of_a_pod_are_read_back(
    points: tuple[int, ...], factions: tuple[str, ...], flags: frozenset[Flag]
):
    result = MatchResult(flags=flags, victory_points=points, factions=factions)

    rows = result_to_rows(result, POD)

    read_back = result_from_rows(rows[::-1], has_roles=False, flags=list(flags), totals=[None] * 3)
    assert read_back == replace(result, factions=factions or ("a", "b", "c"))


def test_victory_points_count_if_all_are_known():
    rows = [row._replace(victory_points=index or None) for index, row in enumerate(POD)]

    assert result_from_rows(rows, has_roles=False, flags=(), totals=()).victory_points == ()
    one_total = result_from_rows(BEFORE, has_roles=True, flags=(), totals=(3, None))
    assert one_total == MatchResult()


BOTH = (
    GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 3),
    GameResult(2, 2, Role.RUNNER, GameEnd.DECKED, 4, 6),
)
"""Seat 1 won both games: as Corp, then as Runner."""


def test_seat_has_its_won_games_and_its_agenda_points():
    result = MatchResult(BOTH)

    assert [result.games_won(seat) for seat in NUMBERS] == [2, 0]
    assert [result.agenda_points(seat) for seat in NUMBERS] == [13, 7]


def test_two_for_one_counts_game_1_twice():
    result = MatchResult(BOTH[:1], frozenset({Flag.TWO_FOR_ONE}))

    assert [result.games_won(seat) for seat in NUMBERS] == [2, 0]
    assert MatchResult((replace(BOTH[0], winner=None),)).games_won(1) == 0


def test_agenda_points_of_a_single_side_do_not_count():
    half = replace(BOTH[0], runner_agenda_points=None)

    assert MatchResult((half,)).agenda_points(1) is None
    assert MatchResult((half, BOTH[1])).agenda_points(1) == 6
    incomplete = replace(BOTH[0], corp_agenda_points=None)
    assert MatchResult((incomplete, BOTH[1])).agenda_points(2) == 4
    assert MatchResult((replace(BOTH[0], corp_agenda_points=0),)).agenda_points(1) == 0
