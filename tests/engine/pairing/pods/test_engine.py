"""Seating in pods: sizes, locks, byes, refusals, reasons and determinism."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.pods import Pod, PodRound, draft_order, pod_sizes, seat_pods
from engine.pairing.reason_texts import document_sentence
from engine.pairing.records import (
    DuplicateEntrants,
    Entrant,
    LockedBye,
    LockedPod,
    LockRefused,
    NotEnoughEntrants,
    PastMeeting,
    PastSeat,
)
from tests.engine.pairing.pods.fields import History, fields, seats_of


def players(count: int) -> list[Entrant]:
    return [Entrant(player) for player in range(1, count + 1)]


def sentences(entry: Pod) -> list[str]:
    return [document_sentence(reason) for reason in entry.reasons]


def kinds(round_: PodRound) -> list[str]:
    return [reason.kind for reason in round_.relaxations]


def after_meeting(field: list[Entrant], first: int, second: int) -> list[Entrant]:
    """The same field after these two players shared a table."""
    return [
        Entrant(entrant.id, opponents=(PastMeeting(second if entrant.id == first else first),))
        if entrant.id in (first, second)
        else entrant
        for entrant in field
    ]


@settings(max_examples=30)
@given(fields(max_players=20), st.integers(1, 4), st.integers(), st.randoms(use_true_random=False))
def test_order_of_entrants_does_not_matter(
    field: list[Entrant], round_number: int, seed: int, chance: random.Random
) -> None:
    shuffled = sorted(field, key=lambda _: chance.random())

    first = seat_pods(field, round_number=round_number, seed=seed)
    second = seat_pods(shuffled, round_number=round_number, seed=seed)

    assert repr(first) == repr(second)
    assert first == second


@pytest.mark.parametrize("count", [8, 20])
def test_round_1_is_random_and_the_seed_decides(count: int) -> None:
    draws = {
        frozenset(
            frozenset(pod) for pod in seats_of(seat_pods(players(count), round_number=1, seed=seed))
        )
        for seed in range(30)
    }

    assert len(draws) > 10


def test_seating_of_an_engine_version_never_changes() -> None:
    field = [Entrant(player, player % 4) for player in range(1, 9)]

    assert seats_of(seat_pods(field, round_number=2, seed=7)) == [(7, 2, 6, 3), (8, 1, 4, 5)]


def test_close_scores_sit_together_and_the_best_pod_is_table_1() -> None:
    field = [Entrant(player, points) for player, points in enumerate([9, 1, 8, 0, 9, 2, 7, 1], 1)]
    round_ = seat_pods(field, round_number=3, seed=1)

    assert [(pod.number, set(pod.seats)) for pod in round_.pods] == [
        (1, {1, 3, 5, 7}),
        (2, {2, 4, 6, 8}),
    ]
    assert sentences(round_.pods[0])[0].endswith(
        "have 9, 9, 8 and 7 points: as close as the rest of the round allows."
    )


def test_past_table_mates_and_groups_are_kept_apart() -> None:
    field = after_meeting(players(6), 1, 2)
    field[4], field[5] = Entrant(5, avoid_group="a"), Entrant(6, avoid_group="a")

    for seed in range(20):
        round_ = seat_pods(field, round_number=2, seed=seed)
        assert not any({1, 2} <= set(pod.seats) or {5, 6} <= set(pod.seats) for pod in round_.pods)
        assert kinds(round_) == []


def test_unavoidable_repeat_is_reported() -> None:
    round_ = seat_pods(after_meeting(players(4), 1, 2), round_number=2, seed=1)

    assert kinds(round_) == ["repeat"]
    assert document_sentence(round_.relaxations[0], {1: "Anna", 2: "Béla"}) in [
        f"{names} share a table again (2 times now): no way to seat the round costs less in "
        "repeated table-mates, unless a rule that weighs more is broken."
        for names in ("Anna and Béla", "Béla and Anna")
    ]


def test_player_after_a_short_table_sits_at_a_full_table() -> None:
    field = players(7)
    for index in (0, 3, 5):
        field[index] = Entrant(index + 1, seats=(PastSeat(1, 3, 4),))
    round_ = seat_pods(field, round_number=2, seed=1)
    (short,) = [pod for pod in round_.pods if len(pod.seats) == 3]

    assert not {1, 4, 6} & set(short.seats)
    assert (
        "sit 3 at a table while others sit 4; shorter tables they had before: 0, 0 and 0."
        in (sentences(short)[1])
    )


def test_second_short_table_is_reported_when_all_players_had_one() -> None:
    field = [Entrant(player, seats=(PastSeat(2, 3, 4),)) for player in range(1, 8)]

    round_ = seat_pods(field, round_number=2, seed=1)

    assert kinds(round_) == ["second_short_pod"] * 3
    assert document_sentence(round_.relaxations[0]).endswith(
        "sits at a shorter table again (2 times now): no way to seat the round costs less in "
        "repeated short tables, unless a rule that weighs more is broken."
    )


def test_repeated_table_mates_weigh_more_than_a_second_short_table() -> None:
    # Seven players sat at tables of four and three; without repeats, a player sits short again.
    history = History(list(range(1, 8)))
    history.play([(1, 2, 3, 4), (5, 6, 7)], random.Random(1))
    round_ = seat_pods(history.entrants(), round_number=2, seed=1)

    assert kinds(round_) == ["repeat"] * 3 + ["second_short_pod"]
    assert list(round_.cost)[:2] == ["repeat", "second_short_pod"]
    assert round_.certificate.engine_version == "3"
    assert document_sentence(round_.relaxations[0]).endswith(
        "share a table again (2 times now): no way to seat the round costs less in repeated "
        "table-mates."
    )


def test_players_of_first_and_last_seats_change() -> None:
    pasts = {1: (1, 4), 2: (4, 4), 3: (1, 4), 4: (4, 4), 5: (2, 4)}
    field = [
        Entrant(player, seats=(PastSeat(*past_seat, 4),)) for player, past_seat in pasts.items()
    ]
    (pod,) = seat_pods(field, round_number=2, seed=1).pods

    assert pod.cost["seat_order"] == 0
    assert (pod.seats[0] in {2, 4, 5}, pod.seats[-1] in {1, 3, 5}) == (True, True)
    assert "sits first (never so far)" in sentences(pod)[-1]


def test_locked_pod_keeps_its_table_and_its_seats() -> None:
    round_ = seat_pods(players(9), round_number=1, seed=1, locked=[LockedPod(2, (7, 1, 4))])

    assert [(pod.number, len(pod.seats), pod.locked) for pod in round_.pods] == [
        (1, 3, False),
        (2, 3, True),
        (3, 3, False),
    ]
    assert round_.pods[1].seats == (7, 1, 4)
    assert sentences(round_.pods[1]) == ["player 7, player 1, player 4 keep their table."]


def test_byes_are_only_those_locked_or_promised() -> None:
    field = [*players(6), Entrant(7, first_round_bye=True)]
    locked = [LockedBye(2)]

    assert [bye.player for bye in seat_pods(field, round_number=1, seed=1, locked=locked).byes] == [
        2,
        7,
    ]
    assert seat_pods(field, round_number=2, seed=1).byes == ()


def test_player_left_alone_by_locks_has_a_reported_bye() -> None:
    round_ = seat_pods(players(5), round_number=1, seed=1, locked=[LockedPod(1, (1, 2, 3, 4))])

    assert ([bye.player for bye in round_.byes], kinds(round_)) == ([5], ["left_alone"])


@pytest.mark.parametrize(
    ("locked", "message"),
    [
        ([LockedPod(1, (1,))], "Table 1 is locked with 1 players; a pod has 2 to 5"),
        ([LockedPod(1, (1, 2, 3, 4, 5, 6))], "locked with 6 players"),
        ([LockedPod(1, (1, 2)), LockedBye(2)], "Player 2 is locked twice"),
        ([LockedPod(1, (1, 2)), LockedPod(1, (3, 4))], "Table 1 is locked twice"),
        ([LockedPod(0, (1, 2))], "numbered from 1"),
        ([LockedPod(1, (1, 9))], "Player 9 is locked but not in the field"),
    ],
)
def test_locks_that_do_not_fit_are_refused(locked: list[LockedPod], message: str) -> None:
    with pytest.raises(LockRefused, match=message):
        seat_pods(players(6), round_number=1, seed=1, locked=locked)


def test_single_player_and_repeated_player_are_refused() -> None:
    with pytest.raises(NotEnoughEntrants):
        seat_pods(players(1), round_number=1, seed=1)
    with pytest.raises(DuplicateEntrants):
        seat_pods([Entrant(1), Entrant(1)], round_number=1, seed=1)


def test_certificate_differs_by_seeds_locks_and_pasts() -> None:
    field = players(6)
    digests = {
        seat_pods(field, round_number=1, seed=1).certificate.digest,
        seat_pods(field, round_number=1, seed=2).certificate.digest,
        seat_pods(field, round_number=1, seed=1, locked=[LockedBye(1)]).certificate.digest,
        seat_pods(after_meeting(field, 1, 2), round_number=1, seed=1).certificate.digest,
    }

    assert len(digests) == 4


def test_lowest_score_chooses_a_faction_first_and_ties_are_drawn() -> None:
    assert draft_order({1: 9, 2: 0, 3: 4}, seed=1) == (2, 3, 1)
    assert {draft_order({1: 3, 2: 3, 3: 0}, seed=seed) for seed in range(20)} == {
        (3, 1, 2),
        (3, 2, 1),
    }


TABLE = """
 2: 2          3: 3          4: 4          5: 5
 6: 3x2        7: 4 3        8: 4x2        9: 3x3
10: 4 3x2     11: 4x2 3     12: 4x3       13: 4 3x3
14: 4x2 3x2   15: 4x3 3     16: 4x4       17: 4x2 3x3
18: 4x3 3x2   19: 4x4 3     20: 4x5       21: 4x3 3x3
22: 4x4 3x2   23: 4x5 3     24: 4x6       25: 4x4 3x3
26: 4x5 3x2   27: 4x6 3     28: 4x7       29: 4x5 3x3
30: 4x6 3x2   31: 4x7 3     32: 4x8       33: 4x6 3x3
34: 4x7 3x2   35: 4x8 3     36: 4x9       37: 4x7 3x3
38: 4x8 3x2   39: 4x9 3     40: 4x10
"""


def table() -> dict[int, tuple[int, ...]]:
    rows: dict[int, tuple[int, ...]] = {}
    players = 0
    for token in TABLE.split():
        if token.endswith(":"):
            players = int(token[:-1])
            rows[players] = ()
        else:
            size, _, times = token.partition("x")
            rows[players] += (int(size),) * int(times or 1)
    return rows


def test_table_of_sizes_is_kept() -> None:
    assert {players: pod_sizes(players) for players in range(2, 41)} == table()


@pytest.mark.parametrize("players", range(2, 200))
def test_all_players_have_a_seat_and_sizes_differ_by_at_most_one(players: int) -> None:
    sizes = pod_sizes(players)

    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    assert set(sizes) <= ({3, 4} if players > 5 else {players})


def test_no_players_need_no_pod_and_a_single_player_is_refused() -> None:
    assert pod_sizes(0) == ()
    with pytest.raises(ValueError, match="1 player cannot make a pod"):
        pod_sizes(1)
