"""Every tie-breaker can be shown as a calculation."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standings.ranking import can_explain_stored, explain_all_players, standings
from engine.standings.records import (
    PlayedTable,
    PlayerId,
    StandingsRecord,
    TieBreakWorking,
    WorkingTerm,
    as_decimal,
)
from engine.standings.tie_breakers import TIE_BREAKERS
from tests.checker.standings import Round
from tests.engine.standings.documents import WITH_GAMES_WON, bye, records_of, table

THREE_ROUNDS: list[Round] = [
    [table(1, 20, 2, 4), bye(3)],
    [table(1, 14, 3, 13), bye(2)],
    [table(2, 12, 3, 3), bye(1)],
]


def workings(player: PlayerId) -> dict[str, TieBreakWorking]:
    explained = explain_all_players(records_of(THREE_ROUNDS, [1, 2, 3]), WITH_GAMES_WON, seed=1)
    return {working.tie_breaker: working for working in explained[player]}


def test_strength_of_schedule_is_written_out() -> None:
    working = workings(1)["strength_of_schedule"]

    assert working.terms == (WorkingTerm(1, (2,), 36, 3), WorkingTerm(2, (3,), 36, 3))
    assert working.divisor == 2
    assert working.text == "(36/3 + 36/3) / 2 = 12"


def test_fraction_is_shown_exactly_and_to_four_digits() -> None:
    terms = (WorkingTerm(1, (2,), 36, 3), WorkingTerm(2, (3,), 20, 3))
    working = TieBreakWorking("strength_of_schedule", "SoS", "", Fraction(28, 3), terms, divisor=2)

    assert working.text == "(36/3 + 20/3) / 2 = 28/3 = 9.3333"


def test_match_points_are_the_sum_of_the_rounds() -> None:
    working = workings(1)["match_points"]

    assert working.text == "20 + 14 + 20 = 54"
    assert [term.opponents for term in working.terms] == [(2,), (3,), ()]
    assert [term.round for term in working.terms] == [1, 2, 3]


def test_extended_strength_uses_the_strengths_of_the_opponents() -> None:
    working = workings(2)["extended_strength_of_schedule"]

    assert working.text == "(12 + 15) / 2 = 27/2 = 13.5000"


def test_games_won_leave_byes_out() -> None:
    assert workings(1)["games_won"].text == "2 + 1 = 3"


def test_unset_manual_seed_is_shown_as_none() -> None:
    assert workings(1)["manual_seed"].text == "none"


def test_no_division_by_zero_without_rounds() -> None:
    workings = explain_all_players([StandingsRecord(1)], seed=1)[1]

    assert [working.text for working in workings] == ["0", "none", "0", "0", "1"]


def test_negative_points_are_put_in_brackets() -> None:
    rounds = [[bye(1, -2)], [bye(1, 5)]]
    (points, *_) = explain_all_players(records_of(rounds, [1]), seed=1)[1]

    assert points.text == "(-2) + 5 = 3"


@pytest.mark.parametrize(
    ("number", "digits", "displayed"),
    [
        (Fraction(28, 3), 4, "9.3333"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(1, 20000), 4, "0.0001"),
        (Fraction(-1, 20000), 4, "-0.0001"),
        (Fraction(-1, 30000), 4, "0.0000"),
        (Fraction(199999, 20000), 4, "10.0000"),
        (7, 4, "7.0000"),
        (Fraction(1, 3), 9, "0.333333333"),
        (Fraction(-7, 4), 1, "-1.8"),
    ],
)
def test_decimals_are_rounded_half_up(number: Fraction, digits: int, displayed: str) -> None:
    assert as_decimal(number, digits) == displayed


@pytest.mark.parametrize(
    ("tie_breaker", "stored", "displayed"),
    [
        ("strength_of_schedule", "28/3", "9.3333"),
        ("strength_of_schedule", "12", "12.0000"),
        ("match_points", "28/3", "28/3"),
        ("match_points", "40", "40"),
        ("manual_seed", None, ""),
    ],
)
def test_stored_mean_is_shown_with_four_digits_and_a_sum_unchanged(
    tie_breaker: str, stored: str | None, displayed: str
) -> None:
    assert TIE_BREAKERS[tie_breaker].format_figure(stored) == displayed


@given(st.fractions(), st.integers(0, 12))
def test_decimal_is_never_off_by_more_than_half_a_unit(number: Fraction, digits: int) -> None:
    assert abs(Fraction(as_decimal(number, digits)) - number) <= Fraction(1, 2 * 10**digits)


def test_share_of_points_is_written_as_a_fraction() -> None:
    records = [
        StandingsRecord(1, (PlayedTable((2,), Fraction(10, 3)), PlayedTable((2,), 5))),
        StandingsRecord(2, (PlayedTable((1,), Fraction(10, 3)), PlayedTable((1,), 3))),
    ]
    order = ("match_points", "strength_of_schedule")
    points, strength = explain_all_players(records, order, seed=1)[1]

    assert points.text == "10/3 + 5 = 25/3 = 8.3333"
    assert strength.text == "(19/6 + 19/6) / 2 = 19/6 = 3.1667"
    assert standings(records, seed=1)[0].id == 1


@pytest.mark.parametrize(
    ("tie_breakers", "expected"),
    [
        (["match_points", "strength_of_schedule", "extended_strength_of_schedule"], True),
        (["match_points", "strength_of_schedule", "head_to_head"], False),
        (["match_points", "strength_of_schedule", "opponents_match_wins"], False),
        (["match_points", "extended_strength_of_schedule"], False),
    ],
)
def test_tie_breakers_that_need_whole_histories_are_not_explained_from_stored_figures(
    tie_breakers: list[str], expected: bool
) -> None:
    assert can_explain_stored(tie_breakers) is expected
