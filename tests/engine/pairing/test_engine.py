"""Couples, roles, locks and refusals."""

from collections import Counter

import pytest

from engine.pairing.reason_texts import document_sentence
from engine.pairing.records import (
    DuplicateEntrants,
    Entrant,
    LockedBye,
    LockedTable,
    LockRefused,
    MeetingsDisagree,
    NotEnoughEntrants,
    PastMeeting,
    PointsTooLarge,
)
from engine.pairing.swiss import pair_round
from matches.scoring.results import Role
from tests.engine.pairing.rounds import couples, met, sitting_out, tables


def test_equal_scores_meet_and_the_best_sit_at_table_1() -> None:
    field = [Entrant(1, 20), Entrant(2, 4), Entrant(3, 20), Entrant(4, 4)]

    assert tables(pair_round(field, round_number=2, seed=1)) == [(1, {1, 3}), (2, {2, 4})]


def test_unavoidable_rematch_is_reported() -> None:
    round_ = pair_round(met(1, 2, Role.CORP), round_number=2, seed=1)

    (relaxation,) = round_.relaxations
    assert (relaxation.kind, set(relaxation.players)) == ("rematch", {1, 2})
    assert document_sentence(relaxation, {1: "Ann", 2: "Bo"}) in {
        f"{first} and {second} meet again, meeting number 2: no way to pair the round has fewer "
        "rematches, unless a rule that weighs more is broken."
        for first, second in (("Ann", "Bo"), ("Bo", "Ann"))
    }


@pytest.mark.parametrize("seed", range(8))
def test_rematch_reverses_the_roles(seed: int) -> None:
    (table,) = pair_round(met(1, 2, Role.CORP), round_number=2, seed=seed).pairings

    assert (table.corp, table.runner) == (2, 1)


def test_third_meeting_repeats_roles_with_a_reason() -> None:
    round_ = pair_round(met(1, 2, Role.CORP, Role.RUNNER), round_number=3, seed=1)

    assert [relaxation.kind for relaxation in round_.relaxations] == [
        "third_meeting",
        "same_roles",
        "rematch",
    ]
    assert round_.pairings[0].corp == 1


@pytest.mark.parametrize("seed", range(8))
def test_player_with_fewer_corp_games_is_corp(seed: int) -> None:
    field = [Entrant(1, opponents=(PastMeeting(9, Role.CORP),)), Entrant(2)]
    (table,) = pair_round(field, round_number=2, seed=seed).pairings

    assert table.corp == 2
    assert document_sentence(table.reasons[-1], {1: "Ann", 2: "Bo"}) == (
        "Bo is Corp in game 1 against Ann: never so far, the opponent once."
    )


def test_corp_is_drawn_at_random_among_equals() -> None:
    drawn = Counter(
        pair_round([Entrant(1), Entrant(2)], round_number=1, seed=seed).pairings[0].corp
        for seed in range(200)
    )

    assert min(drawn[1], drawn[2]) > 70


def test_avoid_group_is_kept_apart_and_a_rematch_is_worse() -> None:
    friends = [Entrant(player, avoid_group="{shop}") for player in (3, 4)]
    strangers = [Entrant(1, 50), Entrant(2, 50)]
    round_ = pair_round([*friends, *strangers], round_number=2, seed=1)
    broken = pair_round(friends, round_number=2, seed=1)

    assert frozenset((3, 4)) not in couples(round_)
    assert broken.relaxations[0].kind == "avoid_group"
    assert 'are both in the group "{shop}"' in document_sentence(broken.relaxations[0])


def test_locked_table_keeps_its_number_and_roles() -> None:
    field = [Entrant(player, 10 * player) for player in range(1, 7)]
    round_ = pair_round(field, round_number=2, seed=1, locked=[LockedTable(1, corp=2, runner=6)])

    assert tables(round_) == [(1, {2, 6}), (2, {4, 5}), (3, {1, 3})]
    assert (round_.pairings[0].corp, round_.pairings[0].locked) == (2, True)
    assert round_.cost["point_gap"] == 10**2 + 20**2


def test_players_beside_a_locked_bye_are_paired() -> None:
    field = [Entrant(player, first_round_bye=player == 1) for player in range(1, 6)]
    round_ = pair_round(field, round_number=1, seed=1, locked=[LockedBye(1)])

    assert sitting_out(round_) == [1]
    assert round_.byes[0].locked
    assert len(round_.pairings) == 2


def test_whole_round_can_be_locked() -> None:
    field = [Entrant(1), Entrant(2)]
    round_ = pair_round(field, round_number=1, seed=1, locked=[LockedTable(5, 1, 2)])

    assert tables(round_) == [(5, {1, 2})]


@pytest.mark.parametrize(
    ("locked", "message"),
    [
        ([LockedTable(1, 1, 9)], "Player 9 is locked but not in the field"),
        ([LockedTable(1, 1, 2), LockedBye(2)], "Player 2 is locked twice"),
        ([LockedTable(1, 1, 2), LockedTable(1, 3, 4)], "Table 1 is locked twice"),
        ([LockedTable(0, 1, 2)], "table 0 is locked"),
        ([LockedTable(1, 1, 1)], "Player 1 is locked twice"),
    ],
)
def test_lock_that_does_not_fit_is_refused(
    locked: list[LockedTable | LockedBye], message: str
) -> None:
    field = [Entrant(player) for player in range(1, 5)]

    with pytest.raises(LockRefused, match=message):
        pair_round(field, round_number=1, seed=1, locked=locked)


@pytest.mark.parametrize("field", [[], [Entrant(1)]])
def test_single_player_is_refused(field: list[Entrant]) -> None:
    with pytest.raises(NotEnoughEntrants, match=f"there are {len(field)}"):
        pair_round(field, round_number=1, seed=1)


def test_repeated_id_is_refused() -> None:
    with pytest.raises(DuplicateEntrants, match="Player 1 "):
        pair_round([Entrant(1), Entrant(1, 3)], round_number=1, seed=1)


@pytest.mark.parametrize(
    "field",
    [
        [Entrant(1, opponents=(PastMeeting(2, Role.CORP),)), Entrant(2)],
        [
            Entrant(1, opponents=(PastMeeting(2, Role.CORP),)),
            Entrant(2, opponents=(PastMeeting(1, Role.CORP),)),
        ],
        [Entrant(1, opponents=(PastMeeting(1, Role.CORP),)), Entrant(2)],
    ],
)
def test_contradictory_pasts_are_refused(field: list[Entrant]) -> None:
    with pytest.raises(MeetingsDisagree):
        pair_round(field, round_number=2, seed=1)


def test_dropped_opponent_is_no_contradiction() -> None:
    field = [Entrant(1, opponents=(PastMeeting("gone", Role.CORP),)), Entrant(2)]

    assert len(pair_round(field, round_number=2, seed=1).pairings) == 1


def test_meetings_without_known_roles_are_meetings() -> None:
    field = [Entrant(1, opponents=(PastMeeting(2),)), Entrant(2, opponents=(PastMeeting(1),))]

    assert pair_round(field, round_number=2, seed=1).cost["rematch"] == 1


def test_large_scores_stay_exact_and_huge_scores_are_refused() -> None:
    field = [Entrant(1, 10**9 + 1), Entrant(2, 10**9), Entrant(3, 1), Entrant(4, -(10**9))]

    assert couples(pair_round(field, round_number=2, seed=1)) == {
        frozenset((1, 2)),
        frozenset((3, 4)),
    }
    with pytest.raises(PointsTooLarge):
        pair_round([Entrant(1, 2**60), Entrant(2)], round_number=2, seed=1)
