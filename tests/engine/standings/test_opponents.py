"""Tie-breakers from the results of opponents, compared with naive formulas."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standings.ranking import explain_all_players, standings
from engine.standings.records import Bye, PlayedTable, PlayerId, StandingsRecord, WorkingTerm
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from tests.checker import standings as checker
from tests.checker.standings import Round
from tests.engine.standings.documents import bye, events, records_of, table


def figures(rounds: list[Round], players: list[PlayerId], *order: str) -> dict[PlayerId, Any]:
    """Each player's last tie-breaker of this order."""
    table_ = standings(records_of(rounds, players), order, seed=1)
    return {row.id: row.values[order[-1]] for row in table_}


@pytest.mark.parametrize(
    "formula", [checker.buchholz, checker.median_buchholz, checker.opponents_match_wins]
)
@given(event=events())
def test_opponent_figures_follow_their_formulas(
    event: tuple[list[PlayerId], list[Round]], formula: Callable[[list[Round], PlayerId], Any]
) -> None:
    players, rounds = event
    for player, reported in figures(rounds, players, formula.__name__).items():
        assert reported == formula(rounds, player)


@given(events(max_players=6), st.sets(st.integers(1, 6), max_size=2))
def test_head_to_head_agrees_with_the_article(
    event: tuple[list[PlayerId], list[Round]], dropped: set[PlayerId]
) -> None:
    players, rounds = event
    records = [
        replace(record, has_dropped=record.id in dropped) for record in records_of(rounds, players)
    ]
    rows = standings(records, ("match_points", "head_to_head"), seed=1)

    expected: list[tuple[int, PlayerId, Fraction | None]] = []
    points = {player: checker.match_points(rounds, player) for player in players}
    for tied_points in sorted(set(points.values()), reverse=True):
        group = [player for player in players if points[player] == tied_points]
        for block, table_ in checker.direct_encounter(rounds, group, dropped):
            rank = len(expected) + 1
            expected += [(rank, player, table_.get(player)) for player in sorted(block)]
    assert [(row.rank, row.id, row.values["head_to_head"]) for row in rows] == expected


def ranks(
    rounds: list[Round], players: list[PlayerId], dropped: tuple[PlayerId, ...] = ()
) -> dict[PlayerId, int]:
    """Ranks by head-to-head alone: all players are otherwise tied."""
    records = [
        replace(record, has_dropped=record.id in dropped) for record in records_of(rounds, players)
    ]
    return {row.id: row.rank for row in standings(records, ("head_to_head",), seed=1)}


BOTH_BEATEN = [[table(1, 20, 2, 0), bye(3)], [table(1, 20, 3, 0), bye(2)]]
ONE_BEATEN = [[table(1, 20, 2, 4), bye(3)]]


def test_player_who_beat_two_rivals_is_first_although_the_rivals_have_not_met() -> None:
    assert ranks(BOTH_BEATEN, [1, 2, 3]) == {1: 1, 2: 2, 3: 2}


def test_rival_who_could_still_reach_the_score_keeps_the_tie() -> None:
    assert set(ranks(ONE_BEATEN, [1, 2, 3]).values()) == {1}


def test_bye_worth_more_than_a_win_raises_the_value_of_a_missing_match() -> None:
    assert set(ranks([*BOTH_BEATEN, [bye(2, 40)]], [1, 2, 3]).values()) == {1}


def test_dropped_rival_without_meetings_does_not_disable_head_to_head() -> None:
    assert ranks(ONE_BEATEN, [1, 2, 3], dropped=(3,)) == {1: 1, 2: 2, 3: 2}


def test_dropped_rival_who_won_keeps_that_win() -> None:
    rounds = [*ONE_BEATEN, [table(3, 20, 1, 0), bye(2)]]

    assert set(ranks(rounds, [1, 2, 3], dropped=(3,)).values()) == {1}


def test_players_tied_after_all_met_are_compared_again() -> None:
    rounds = [[table(1, 20, 2, 0)], [table(2, 20, 3, 0)], [table(1, 0, 3, 10)]]

    assert figures(rounds, [1, 2, 3], "head_to_head") == {1: 20, 2: 20, 3: 10}
    assert ranks(rounds, [1, 2, 3]) == {1: 1, 2: 2, 3: 3}


def test_second_meeting_counts_as_the_mean_of_both() -> None:
    records = records_of([[table(1, 20, 2, 0)], [table(1, 3, 2, 20)]], [1, 2])
    (working,) = explain_all_players(records, ("head_to_head",), seed=1)[1]

    assert working.text == "20/2 + 3/2 = 23/2 = 11.5000"


def test_winner_between_two_equals_ranks_higher() -> None:
    rounds = [[table(1, 0, 2, 20), table(3, 0, 4, 20)], [table(1, 20, 3, 0), table(2, 0, 4, 9)]]
    rows = standings(records_of(rounds, [1, 2, 3, 4]), ("match_points", "head_to_head"), seed=1)

    assert [(row.rank, row.id, row.values["head_to_head"]) for row in rows] == [
        (1, 4, None),
        (2, 2, 20),
        (3, 1, 0),
        (4, 3, None),
    ]


def test_head_to_head_compares_players_tied_on_earlier_tie_breakers() -> None:
    rounds = [[table(1, 10, 2, 10), table(3, 20, 4, 0)], [table(1, 4, 3, 0), table(2, 4, 4, 10)]]
    level = figures(rounds, [1, 2, 3, 4], "match_points", "head_to_head")
    after_buchholz = figures(rounds, [1, 2, 3, 4], "match_points", "buchholz", "head_to_head")

    assert (level[1], level[2]) == (10, 10)
    assert after_buchholz[1] is after_buchholz[2] is None


def test_head_to_head_counts_pods_with_further_players() -> None:
    pod = {"seats": [{"id": player, "points": 6 - player} for player in (1, 2, 3, 4)]}
    rounds = [[pod], [table(1, 1, 3, 0), table(2, 2, 4, 0)]]
    level = figures(rounds, [1, 2, 3, 4], "match_points", "head_to_head")

    assert [level[player] for player in (1, 2)] == [5, 4]
    assert checker.separate_standings(rounds, [1, 2]) == {1: 5, 2: 4}


def test_head_to_head_is_written_out_with_the_rivals() -> None:
    rounds = [[table(1, 12, 2, 9), bye(3, 5)], [table(1, 0, 3, 10)], [table(2, 3, 3, -3)]]
    workings = explain_all_players(
        records_of(rounds, [1, 2, 3]), ("match_points", "head_to_head", "lot"), seed=1
    )[1]

    assert [working.text for working in workings][:2] == ["12 + 0 = 12", "12 + 0 = 12"]
    assert [term.opponents for term in workings[1].terms] == [(2,), (3,)]


def test_agenda_points_count_if_known() -> None:
    records = [
        StandingsRecord(
            1, (PlayedTable((2,), 20, agenda_points=(14, 3)), PlayedTable((2,), 0), Bye(20))
        ),
        StandingsRecord(2, (PlayedTable((1,), 0, agenda_points=(3, 14)), PlayedTable((1,), 20))),
    ]
    rows = standings(records, ("agenda_point_difference",), seed=1)
    (working,) = explain_all_players(records, ("agenda_point_difference",), seed=1)[2]

    assert [(row.id, row.values["agenda_point_difference"]) for row in rows] == [(1, 11), (2, -11)]
    assert working.text == "(-11) = -11"
    assert working.terms == (WorkingTerm(1, (1,), -11),)


def test_weak_opponent_counts_the_floor() -> None:
    records = records_of([[table(1, 20, 2, 0)], [table(1, 20, 2, 0)]], [1, 2])
    (working,) = explain_all_players(records, ("opponents_match_wins",), seed=1)[1]

    assert working.text == "(1/3 + 1/3) / 2 = 1/3 = 0.3333"


def test_median_buchholz_is_written_out_in_the_order_of_the_rounds() -> None:
    rounds = [
        [table(1, 20, 2, 5), table(3, 9, 4, 1)],
        [table(1, 20, 3, 0), table(2, 2, 4, 2)],
        [table(1, 20, 4, 4), table(2, 3, 3, 3)],
    ]
    records = records_of(rounds, [1, 2, 3, 4])
    (working,) = explain_all_players(records, ("median_buchholz",), seed=1)[1]

    assert working.text == "10"


def test_median_buchholz_of_four_opponents_lists_the_middle_two_by_round() -> None:
    rounds = [
        [table(1, 0, 2, 9), bye(3, 0)],
        [table(1, 0, 3, 7), bye(4, 0)],
        [table(1, 0, 4, 1), bye(5, 0)],
        [table(1, 0, 5, 20), bye(2, 0)],
    ]
    records = records_of(rounds, [1, 2, 3, 4, 5])
    (working,) = explain_all_players(records, ("median_buchholz",), seed=1)[1]

    assert working.text == "9 + 7 = 16"


@pytest.mark.parametrize("last", sorted(TIE_BREAKERS))
@given(event=events(max_players=6))
def test_every_calculation_ends_with_its_figure_and_names_opponents(
    event: tuple[list[PlayerId], list[Round]], last: str
) -> None:
    players, rounds = event
    records = {record.id: record for record in records_of(rounds, players)}
    order = tuple(dict.fromkeys(("match_points", last)))
    breaker = TIE_BREAKERS[last]
    workings = explain_all_players(list(records.values()), order, seed=1)
    for row in standings(list(records.values()), order, seed=1):
        working = workings[row.id][-1]
        assert (working.heading, working.name) == (breaker.heading, breaker.name)
        assert working.result == row.values[last]
        if working.terms:
            value = sum((term.value for term in working.terms), Fraction(0))
            assert value / (working.divisor or 1) == working.result
        assert [term.round for term in working.terms] == sorted({t.round for t in working.terms})
        for term in working.terms:
            entry = records[row.id].rounds[term.round - 1]
            assert term.opponents == (() if isinstance(entry, Bye) else entry.opponents)


def test_default_tie_breakers_are_unchanged() -> None:
    assert DEFAULT_TIE_BREAKERS == (
        "match_points",
        "manual_seed",
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "lot",
    )
