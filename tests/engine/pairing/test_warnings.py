"""Warnings about manual tables, byes and rounds."""

from collections.abc import Iterable

import pytest

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_PROFILE
from engine.pairing.records import Entrant, PairingReason, PastMeeting
from engine.pairing.warnings import (
    bye_warnings,
    manual_cost,
    round_warnings,
    table_warnings,
    widest_gap,
)
from matches.scoring.results import Role

CORP, RUNNER = Role.CORP, Role.RUNNER


def figures(reasons: Iterable[PairingReason]) -> list[tuple[object, ...]]:
    """Code, players and params of each warning."""
    return [(reason.code, reason.players, dict(reason.params)) for reason in reasons]


def entrant_after_meeting(id_: int, opponent: int, *roles: Role | None) -> Entrant:
    return Entrant(id_, opponents=tuple(PastMeeting(opponent, role) for role in roles))


def test_two_strangers_with_equal_points_need_no_warning():
    assert table_warnings([Entrant(1), Entrant(2)], {}) == ()


@pytest.mark.parametrize(("rounds", "code"), [((), "have_met"), ((2,), "have_met_in_rounds")])
def test_rematch_has_its_round(rounds: tuple[int, ...], code: str):
    table = [entrant_after_meeting(1, 2, RUNNER), entrant_after_meeting(2, 1, CORP)]

    assert figures(table_warnings(table, {frozenset((1, 2)): rounds})) == [
        (code, (1, 2), {"meetings": 1, "rounds": [*rounds]})
    ]


def test_third_meeting_counts_the_meetings():
    table = [entrant_after_meeting(1, 2, RUNNER, RUNNER), entrant_after_meeting(2, 1, CORP, CORP)]

    warnings = figures(table_warnings(table, {frozenset((1, 2)): (1, 3)}))

    assert warnings == [("have_met_in_rounds", (1, 2), {"meetings": 2, "rounds": [1, 3]})]


def test_rematch_in_the_same_roles_has_its_own_warning():
    warnings = figures(
        table_warnings([entrant_after_meeting(1, 2, CORP), entrant_after_meeting(2, 1, RUNNER)], {})
    )

    assert warnings[1:] == [("corp_again", (1, 2), {})]


def test_promised_bye_has_a_warning_in_round_1_only():
    table = [Entrant(1, first_round_bye=True), Entrant(2)]

    assert figures(table_warnings(table, {}, round_number=1)) == [("promised_bye", (1,), {})]
    assert table_warnings(table, {}, round_number=2) == ()


def test_table_within_one_group_has_a_warning():
    friends = [Entrant(1, avoid_group="car"), Entrant(2, avoid_group="car")]
    strangers = [Entrant(1, avoid_group="car"), Entrant(2)]

    assert figures(table_warnings(friends, {})) == [("group_kept_apart", (1, 2), {})]
    assert table_warnings(strangers, {}) == ()


def test_every_pair_of_a_larger_table_is_checked():
    pod = [entrant_after_meeting(1, 3, None), Entrant(2), entrant_after_meeting(3, 1, None)]

    assert figures(table_warnings(pod, {})) == [("have_met", (1, 3), {"meetings": 1, "rounds": []})]


def test_side_imbalance_warns_in_single_game_matches():
    corp, runner = entrant_after_meeting(1, 9, CORP), entrant_after_meeting(2, 8, RUNNER)

    assert figures(table_warnings([corp, runner], {}, by_sides=True)) == [
        ("too_often_corp", (1,), {"balance_before": 1, "balance_after": 2}),
        ("too_often_runner", (2,), {"balance_before": -1, "balance_after": -2}),
    ]
    assert table_warnings([corp, runner], {}) == ()
    assert table_warnings([runner, corp], {}, by_sides=True) == ()


def test_second_bye_warns_with_the_number_of_players_with_fewer():
    field = [Entrant(1, byes=1), Entrant(2), Entrant(3, byes=1)]

    assert figures(bye_warnings(field[0], field)) == [
        ("had_bye", (1,), {"byes": 1, "players": 1, "details": ["fewer_byes"]})
    ]
    assert bye_warnings(field[1], field) == ()


def test_bye_above_the_lowest_score_has_a_warning():
    field = [Entrant(1, match_points=1), Entrant(2, match_points=0), Entrant(3, byes=1)]

    assert figures(bye_warnings(field[0], field)) == [
        ("high_bye", (1,), {"points": 1, "players": 1})
    ]


def test_players_without_a_seat_or_with_two_seats_have_a_warning():
    field = [Entrant(1), Entrant(2), Entrant(3)]

    assert figures(round_warnings(field, [1, 2, 1])) == [
        ("two_places", (1,), {}),
        ("no_place", (3,), {}),
    ]
    assert round_warnings(field, [3, 1, 2]) == ()


def test_widest_gap_of_a_table_has_a_warning():
    scores = [Entrant(1, match_points=4), Entrant(2, match_points=9), Entrant(3, match_points=6)]

    assert widest_gap(scores) == 5
    assert widest_gap(scores[:1]) == 0


def test_manual_table_costs_what_the_engine_charges():
    table = [
        entrant_after_meeting(1, 2, RUNNER),
        Entrant(2, match_points=3, opponents=(PastMeeting(1, CORP),)),
    ]

    assert manual_cost(table, table, DOUBLE_PROFILE)["rematch"] == 1
    assert manual_cost(table, table, DOUBLE_PROFILE)["point_gap"] == 9
    # Gap, second meeting, and 50 to the power of 0: sides come out even.
    assert manual_cost(table, table, SINGLE_PROFILE)["closeness"] == 9 + 5 + 1
    assert manual_cost([Entrant(3, byes=1)], table, DOUBLE_PROFILE)["second_bye"] == 1


def test_manual_table_costs_by_its_own_roles():
    corp_again, runner_again = (
        entrant_after_meeting(1, 3, CORP),
        entrant_after_meeting(2, 3, RUNNER),
    )
    table = [corp_again, runner_again]

    assert manual_cost(table, table, SINGLE_PROFILE)["side_imbalance"] == 2
    assert manual_cost(table, table, SINGLE_PROFILE)["closeness"] == 50
    assert manual_cost(table[::-1], table, SINGLE_PROFILE)["side_imbalance"] == 0
    assert manual_cost(table[::-1], table, SINGLE_PROFILE)["closeness"] == 1
