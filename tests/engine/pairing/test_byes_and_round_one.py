"""Byes, and pairing of a field without results."""

from collections import Counter

import pytest

from engine.pairing.reason_texts import document_sentence
from engine.pairing.records import Entrant
from engine.pairing.swiss import pair_round
from matches.scoring.results import Role
from tests.engine.pairing.rounds import couples, met, sitting_out


def test_bye_goes_to_the_lowest_score_without_a_bye() -> None:
    field = [Entrant(1, 20), Entrant(2, 0, byes=1), Entrant(3, 3), Entrant(4, 3), Entrant(5, 1)]
    round_ = pair_round(field, round_number=3, seed=1)

    assert sitting_out(round_) == [5]
    assert document_sentence(round_.byes[0].reasons[0], {5: "Eve"}) == (
        "Eve has the bye: 1 point is the lowest score among the players without a bye."
    )


def test_second_bye_comes_after_all_first_byes() -> None:
    round_ = pair_round([Entrant(i, i, byes=1) for i in (1, 2, 3)], round_number=4, seed=1)

    assert sitting_out(round_) == [1]
    assert [document_sentence(relaxation) for relaxation in round_.relaxations] == [
        "player 1 has bye number 2: nobody to be paired has had fewer."
    ]


def test_bye_moves_up_when_a_rematch_would_follow() -> None:
    field = [*met(1, 2, Role.CORP, points=(9, 9)), Entrant(3, 0)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert sitting_out(round_)[0] in (1, 2)
    assert "although the lowest score without a bye is 0" in document_sentence(
        round_.byes[0].reasons[0]
    )


def test_any_player_may_draw_the_bye_in_round_1() -> None:
    field = [Entrant(player) for player in range(7)]
    drawn = Counter(
        sitting_out(pair_round(field, round_number=1, seed=seed))[0] for seed in range(700)
    )

    assert len(drawn) == 7
    assert min(drawn.values()) > 60


def test_any_pair_may_meet_in_round_1() -> None:
    field = [Entrant(player) for player in range(6)]
    drawn = Counter(
        couple
        for seed in range(300)
        for couple in couples(pair_round(field, round_number=1, seed=seed))
    )

    assert len(drawn) == 15
    assert min(drawn.values()) > 30


def test_seeds_fold_the_top_half_against_the_bottom_half() -> None:
    field = [Entrant(seed, seed=seed) for seed in range(1, 9)]
    round_ = pair_round(field, round_number=1, seed=4)

    assert couples(round_) == {frozenset((seed, seed + 4)) for seed in range(1, 5)}
    assert round_.cost["fold"] == 0


def test_fold_leaves_out_the_player_with_the_bye() -> None:
    for seed in range(20):
        round_ = pair_round([Entrant(i, seed=i) for i in range(9)], round_number=1, seed=seed)
        paired = [player for player in range(9) if player not in sitting_out(round_)]
        assert couples(round_) == {
            frozenset(pair) for pair in zip(paired[:4], paired[4:], strict=True)
        }


@pytest.mark.parametrize("seed", range(8))
def test_friend_is_avoided_in_the_fold_and_in_its_bye(seed: int) -> None:
    friends = [Entrant(player, seed=player, avoid_group="x") for player in (1, 2)]
    round_ = pair_round([*friends, Entrant(3, seed=3)], round_number=1, seed=seed)

    assert round_.cost["avoid_group"] == 0


def test_avoid_group_breaks_the_fold() -> None:
    field = [Entrant(seed, seed=seed, avoid_group="xy"[seed % 2]) for seed in range(1, 5)]
    round_ = pair_round(field, round_number=1, seed=1)

    assert round_.cost["avoid_group"] == 0
    assert round_.cost["fold"] > 0


def test_round_1_is_drawn_unless_all_players_have_seeds() -> None:
    field = [Entrant(1, seed=1), Entrant(2, seed=2), Entrant(3, seed=3), Entrant(4)]
    drawn = {frozenset(couples(pair_round(field, round_number=1, seed=s))) for s in range(20)}

    assert len(drawn) == 3


@pytest.mark.parametrize("seed", range(8))
def test_with_points_round_1_is_paired_by_points(seed: int) -> None:
    field = [Entrant(player, 10 * (player % 2), seed=player) for player in range(1, 6)]
    round_ = pair_round(field, round_number=1, seed=seed)

    assert sitting_out(round_)[0] in (2, 4)
    assert sum(couple <= {1, 3, 5} for couple in couples(round_)) == 1


def test_seeds_do_not_fold_after_round_1() -> None:
    field = [Entrant(1, 9, seed=1), Entrant(2, 9, seed=2), Entrant(3, seed=3), Entrant(4, seed=4)]

    assert frozenset((1, 2)) in couples(pair_round(field, round_number=2, seed=1))


@pytest.mark.parametrize(("size", "promised", "byes"), [(9, 1, 1), (8, 1, 2), (8, 2, 2), (5, 3, 3)])
def test_promised_byes_come_before_the_parity_is_counted(
    size: int, promised: int, byes: int
) -> None:
    field = [Entrant(i, first_round_bye=i < promised) for i in range(size)]
    round_ = pair_round(field, round_number=1, seed=1)

    assert set(range(promised)) <= set(sitting_out(round_))
    assert len(round_.byes) == byes
    assert 2 * len(round_.pairings) + byes == size


def test_promised_bye_is_for_round_1_only() -> None:
    field = [Entrant(1, first_round_bye=True), Entrant(2)]

    assert sitting_out(pair_round(field, round_number=2, seed=1)) == []


def test_all_players_may_have_a_promised_bye() -> None:
    field = [Entrant(i, first_round_bye=True) for i in (1, 2)]
    round_ = pair_round(field, round_number=1, seed=1)

    assert (sitting_out(round_), round_.pairings) == ([1, 2], ())
    assert sum(round_.cost.values()) == 0
