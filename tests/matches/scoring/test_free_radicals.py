"""Free Radicals: places by victory points, shared places, factions in five colours."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.scoring.results import FACTIONS, FactionFacts, MatchResult
from matches.scoring.rules import UnknownScoringRule, scoring_rule
from tests.checker import scoring as checker

RULE = scoring_rule("free_radicals")
pods = st.lists(st.integers(0, 40), min_size=2, max_size=5)


def points(*victory_points: int) -> list[int | Fraction]:
    return list(RULE.match_points(MatchResult(victory_points=victory_points)).values())


def test_report_of_a_pod_has_only_places():
    result = MatchResult(victory_points=(25, 10))

    assert list(RULE.missing_inputs(result, {1: "Ada", 2: "Bo"})) == []
    assert RULE.with_implied_values(result) == result


def codes(result: MatchResult, seats: int) -> list[str]:
    return [contradiction.code for contradiction in RULE.contradictions(result, seats)]


@pytest.mark.parametrize(
    ("victory_points", "expected"),
    [
        ((50, 40, 30, 20, 10), [5, 3, 2, 1, 0]),
        ((10, 20, 30, 40), [1, 2, 3, 5]),
        ((7, 9, 8), [2, 5, 3]),
        ((3, 4), [3, 5]),
        ((9, 9, 5, 1), [4, 4, 2, 1]),
        ((9, 5, 5, 1), [5, Fraction(5, 2), Fraction(5, 2), 1]),
        ((9, 9, 9, 1), [Fraction(10, 3), Fraction(10, 3), Fraction(10, 3), 1]),
        ((6, 6, 6, 6, 6), [Fraction(11, 5)] * 5),
        ((6, 6), [4, 4]),
    ],
)
def test_points_by_place_with_shared_places(
    victory_points: tuple[int, ...], expected: list[int | Fraction]
) -> None:
    assert points(*victory_points) == expected


def test_whole_points_are_integers() -> None:
    assert [type(share) for share in points(9, 9, 5, 1)] == [int] * 4


def test_reason_of_a_shared_place_has_the_sum() -> None:
    shares = RULE.shares(MatchResult(victory_points=(9, 9, 5)))

    assert [str(share.reason) for share in shares[1]] == ["4 for place 1, shared by 2: (5 + 3) / 2"]
    assert [str(share.reason) for share in shares[3]] == ["2 for place 3"]


def test_points_by_place_can_be_customised() -> None:
    rule = scoring_rule("free_radicals:10-6-3-1-0")

    assert rule.match_points(MatchResult(victory_points=(1, 2, 3))) == {1: 3, 2: 6, 3: 10}
    assert (rule.bye_points, rule.id) == (10, "free_radicals:10-6-3-1-0")
    assert "first to last: 10, 6," in str(rule.explanation)


@pytest.mark.parametrize("points", ["1-2-3-4-5", "5-3-2", "5-3-2-1-x", "500-3-2-1-0", "5-3-2-1--1"])
def test_invalid_points_by_place_are_refused(points: str) -> None:
    with pytest.raises(UnknownScoringRule):
        scoring_rule(f"free_radicals:{points}")


@pytest.mark.parametrize("id_", ["", "chess", "anr_double:5-3-2-1-0"])
def test_unknown_rule_is_refused(id_: str) -> None:
    with pytest.raises(UnknownScoringRule, match="There is no scoring rule"):
        scoring_rule(id_)


def test_ten_factions_have_five_colours() -> None:
    colours = Counter(faction.colour for faction in FACTIONS.values())

    assert set(colours.values()) == {2}
    assert sorted(colours) == ["blue", "green", "purple", "red", "yellow"]
    assert [FACTIONS[id_].colour for id_ in ("farmers", "executives")] == ["red", "red"]
    assert FACTIONS["paladins"].colour == "purple"


@pytest.mark.parametrize(("seats", "text"), [(1, "1 player at"), (6, "6 players at")])
def test_table_of_a_wrong_size_is_refused_with_its_number_of_players(seats: int, text: str) -> None:
    result = MatchResult(victory_points=tuple(range(seats)))

    (contradiction,) = RULE.contradictions(result, seats)

    assert contradiction.code == "seats"
    assert str(contradiction.message).startswith(text)


def test_two_factions_of_one_colour_clash() -> None:
    result = MatchResult(victory_points=(3, 2, 1), factions=("farmers", "couriers", "executives"))

    (contradiction,) = RULE.contradictions(result, 3)

    assert contradiction.code == "one_colour"
    assert "(red): Farmers, Executives." in str(contradiction.message)


def test_faction_clashes_with_itself() -> None:
    assert codes(MatchResult(victory_points=(3, 2), factions=("farmers", "farmers")), 2) == [
        "one_colour"
    ]


def test_edited_factions_count() -> None:
    table = {**FACTIONS, "pilots": FactionFacts("pilots", "Pilots", "red")}
    result = MatchResult(victory_points=(3, 2), factions=("pilots", "farmers"))

    assert codes(result, 2) == ["unknown_faction"]
    assert [contradiction.code for contradiction in RULE.contradictions(result, 2, table)] == [
        "one_colour"
    ]


@pytest.mark.parametrize(
    ("result", "seats", "code"),
    [
        (MatchResult(victory_points=(1, 2, 3)), 4, "victory_points_missing"),
        (MatchResult(), 3, "victory_points_missing"),
        (MatchResult(victory_points=(1, -2)), 2, "victory_points_range"),
        (MatchResult(victory_points=(1000, 2)), 2, "victory_points_range"),
        (MatchResult(victory_points=(1,) * 6), 6, "seats"),
        (MatchResult(victory_points=(1, 2), factions=("farmers",)), 2, "factions"),
        (MatchResult(victory_points=(1, 2), totals=(5, 3)), 2, "totals"),
    ],
)
def test_impossible_result_has_a_code(result: MatchResult, seats: int, code: str) -> None:
    assert code in codes(result, seats)


@given(pods)
def test_points_agree_with_the_checker(victory_points: list[int]) -> None:
    expected = checker.seat_points({"victory_points": victory_points}, "free_radicals")

    assert points(*victory_points) == expected
