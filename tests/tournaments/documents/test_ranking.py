"""`engine standings`: who counts, which rounds count, and how figures are written."""

from typing import Any

import pytest

from tests.tournaments.documents.builders import bye, event, table
from tournaments.documents import DocumentRefused, rank
from tournaments.documents.json_text import written
from tournaments.standings import TIE_BREAKERS

ROUND_1 = [table(1, (1, 20), (2, 4)), table(2, (3, 10), (4, 10))]
ROUND_2 = [table(1, (1, 10), (3, 13)), table(2, (2, 20), (4, 0))]


def lines(document: Any) -> dict[Any, Any]:
    return {line["id"]: line for line in rank(document)["standings"]}


def test_figures_are_decimals_with_nine_digits_and_exact():
    line = lines(event(ROUND_1, ROUND_2, [table(1, (1, 3), (4, 1)), bye(2)]))[1]

    # (44/3 + 23/2 + 11/3) / 3
    assert line["strength_of_schedule_exact"] == "179/18"
    assert b'"strength_of_schedule": 9.944444444,' in written(line)
    assert float(line["strength_of_schedule"]) == pytest.approx(179 / 18)


def test_without_the_lot_equals_share_a_rank():
    answer = rank(event(ROUND_1, tie_breakers=["match_points"]))

    assert [line["rank"] for line in answer["standings"]] == [1, 2, 2, 4]
    assert answer["tie_breakers"] == ["match_points"]


def test_a_round_that_is_not_over_counts_nowhere():
    paired = [table(1, (1, 3), (4, 3)), table(2, (2, None), (3, None))]
    with_bye = [table(1, (1, None), (2, None)), bye(4, 3)]

    for latest in (paired, with_bye):
        answer = rank(event(ROUND_1, latest))
        assert answer == rank(event(ROUND_1))
        assert answer["round"] == 1


def test_who_dropped_keeps_the_rounds_and_who_came_late_has_fewer():
    document = event(ROUND_1, [*ROUND_2[:1], bye(5, 20)], players=5)
    document["players"][1]["active"] = False

    assert (lines(document)[2]["match_points"], lines(document)[2]["active"]) == (4, False)
    assert (lines(document)[5]["played"], lines(document)[5]["byes"]) == (0, 1)
    assert lines(document)[5]["strength_of_schedule_exact"] == "0/1"
    # Player 2 was in one round: 4 points in it, not 2 in each of two.
    assert lines(document)[1]["strength_of_schedule_exact"] == "31/4"


@pytest.mark.parametrize("system", ["double_elimination", "single_elimination"])
def test_an_elimination_has_placings_instead(system: str):
    with pytest.raises(DocumentRefused, match="engine bracket") as refused:
        rank(event(system=system))

    assert refused.value.path == "$.system"


def test_agenda_points_count_where_both_are_told():
    told, half, dark = (table(one, (2 * one - 1, 10), (2 * one, 10)) for one in (1, 2, 3))
    for seat, points in zip(told["seats"], (3, 9), strict=True):
        seat["agenda_points"] = points
    half["seats"][0]["agenda_points"] = 5

    document = event([told, half, dark], players=6, tie_breakers=["agenda_point_difference"])

    figures = {id_: line["agenda_point_difference"] for id_, line in lines(document).items()}
    assert figures == {1: -6, 2: 6, 3: 0, 4: 0, 5: 0, 6: 0}


@pytest.mark.parametrize("id_", sorted(TIE_BREAKERS))
def test_every_tie_breaker_can_be_asked_for(id_: str):
    line = lines(event(ROUND_1, ROUND_2, tie_breakers=[id_]))[1]

    assert id_ in line
    assert (f"{id_}_exact" in line) >= TIE_BREAKERS[id_].is_mean
