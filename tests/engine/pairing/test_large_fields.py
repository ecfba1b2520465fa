"""Pairing by kinds of players is as good as comparing every pair; proofs are correct."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.costs import DOUBLE_PROFILE, PairingProfile, cheapest_matching
from engine.pairing.large_fields import LARGE_FIELD, match_field, max_nodes, planned_matching
from engine.pairing.records import Entrant, PastMeeting
from engine.pairing.swiss import pair_round
from matches.scoring.results import Role
from tests.engine.pairing.big_fields import EVEN_ROLES, cost, make_field, placed_players
from tests.engine.pairing.documents import fields

PROFILES = (DOUBLE_PROFILE, EVEN_ROLES)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.id)
@given(field=fields(max_players=9))
def test_proof_is_never_wrong(field: list[Entrant], profile: PairingProfile) -> None:
    levels = profile.levels(field)
    matching = planned_matching(field, levels)

    if matching is not None:
        assert cost(matching) == cost(cheapest_matching(field, levels))
        assert sorted(placed_players(matching), key=repr) == sorted(
            (entrant.id for entrant in field), key=repr
        )


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.id)
@pytest.mark.parametrize("players", [40, 77, 120])
@pytest.mark.parametrize("rounds", [3, 6])
def test_proof_is_found_after_some_rounds(
    players: int, rounds: int, profile: PairingProfile
) -> None:
    field = make_field(players, rounds, seed=players + rounds)
    levels = profile.levels(field)
    matching = planned_matching(field, levels)

    assert matching is not None
    assert cost(matching) == cost(cheapest_matching(field, levels))
    assert sorted(placed_players(matching), key=str) == sorted(range(players), key=str)


def test_couples_are_in_field_order() -> None:
    field = make_field(60, 4, seed=1)
    matching = planned_matching(field, DOUBLE_PROFILE.levels(field))

    indexes = [field.index(couple.first) for couple in matching.couples]
    assert indexes == sorted(indexes)
    assert all(
        field.index(couple_.first) < field.index(couple_.second) for couple_ in matching.couples
    )


def test_field_order_breaks_ties() -> None:
    field = [Entrant(player) for player in range(100)]
    levels = DOUBLE_PROFILE.levels(field)

    assert planned_matching(field, levels) == planned_matching(field, levels)
    assert planned_matching(field, levels) != planned_matching(field[::-1], levels)


def test_majority_group_has_minimal_internal_tables() -> None:
    field = [
        replace(entrant, avoid_group="x" if entrant.id % 3 else None)
        for entrant in make_field(60, 3, 5)
    ]
    levels = DOUBLE_PROFILE.levels(field)
    matching = planned_matching(field, levels)

    assert matching is not None
    assert cost(matching) == cost(cheapest_matching(field, levels))
    assert cost(matching)[levels.index(DOUBLE_PROFILE.rules[-1])] == 10


def test_bye_goes_to_a_player_with_the_fewest_byes() -> None:
    field = [Entrant(player, match_points=player, byes=1 + player % 2) for player in range(31)]
    matching = planned_matching(field, DOUBLE_PROFILE.levels(field))

    assert matching.sitting_out.entrant.id == 0


def test_unavoidable_rematches_are_minimal() -> None:
    all_players = range(30)
    field = [
        Entrant(
            player,
            opponents=tuple(
                PastMeeting(opponent, Role.CORP if player < opponent else Role.RUNNER)
                for opponent in all_players
                if opponent != player
            ),
        )
        for player in all_players
    ]
    matching = planned_matching(field, DOUBLE_PROFILE.levels(field))

    assert matching is not None
    assert cost(matching) == (0, 0, 0, 15, 0, 0)


def test_full_matching_is_used_without_a_proof() -> None:
    # Scores so far apart that floating point would no longer be exact.
    field = [
        Entrant(player, match_points=player // 2 * 10**10) for player in range(LARGE_FIELD + 1)
    ]
    levels = DOUBLE_PROFILE.levels(field)

    assert planned_matching(field, levels) is None
    assert set(cost(match_field(field, levels))) == {0}


def test_full_matching_is_used_after_the_last_plan() -> None:
    # A player has met all equals, and each plan learns about only one more of them.
    equals = range(1, 40)
    equal_entrants = [
        Entrant(player, 50, opponents=(PastMeeting(0, Role.RUNNER),)) for player in equals
    ]
    met_by_all = Entrant(
        0, 50, opponents=tuple(PastMeeting(player, Role.CORP) for player in equals)
    )
    field = [
        met_by_all,
        *equal_entrants,
        *(Entrant(100 + number, 20) for number in range(LARGE_FIELD - 39)),
    ]
    levels = DOUBLE_PROFILE.levels(field)

    assert planned_matching(field, levels) is None
    # One of the others for 30 points, and one of the equals too.
    assert cost(match_field(field, levels)) == (0, 0, 0, 0, 0, 2 * 30**2)


def test_plan_with_too_many_kinds_is_skipped() -> None:
    field = [Entrant(player, match_points=player // 2) for player in range(2 * LARGE_FIELD)]
    levels = DOUBLE_PROFILE.levels(field)
    max_kinds = max_nodes(field)

    assert planned_matching(field, levels, max_kinds // 2) is None
    assert planned_matching(field, levels, max_kinds) is not None


@given(st.integers(0, 10**6))
def test_small_field_uses_the_full_matching(seed: int) -> None:
    field = make_field(12, 2, seed)
    levels = DOUBLE_PROFILE.levels(field)

    assert match_field(field, levels) == cheapest_matching(field, levels)


def test_large_round_is_paired_by_a_plan() -> None:
    field = make_field(LARGE_FIELD + 20, 4, seed=2)
    round_ = pair_round(field, round_number=5, seed=3)

    assert round_.cost == dict(
        zip(
            (level.id for level in DOUBLE_PROFILE.levels(field)),
            cost(cheapest_matching(field, DOUBLE_PROFILE.levels(field))),
            strict=True,
        )
    )
