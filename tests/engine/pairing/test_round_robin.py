"""Round robin: every pair meets once per cycle; byes and roles are shared evenly."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from engine.pairing.reason_texts import document_sentence
from engine.pairing.records import DuplicateEntrants, NotEnoughEntrants, PairedRound
from engine.pairing.round_robin import (
    NotInTheOrder,
    RoundRobinOver,
    cycles_in,
    round_robin_round,
    rounds_needed,
)
from engine.standings.records import PlayerId
from tests.engine.pairing.rounds import couples, sitting_out

FIELDS = range(2, 41)


def order_of(players: int) -> list[PlayerId]:
    return [f"p{number}" for number in range(1, players + 1)]


def whole_event(players: int, cycles: int = 1) -> list[PairedRound]:
    return [
        round_robin_round(order_of(players), number, cycles=cycles)
        for number in range(1, rounds_needed(players, cycles=cycles) + 1)
    ]


def roles(rounds: list[PairedRound]) -> Iterator[tuple[PlayerId, PlayerId]]:
    return ((table.corp, table.runner) for round_ in rounds for table in round_.pairings)


def test_six_players_meet_by_the_berger_table() -> None:
    rounds = [round_robin_round([1, 2, 3, 4, 5, 6], number) for number in range(1, 6)]

    assert [[(table.corp, table.runner) for table in round_.pairings] for round_ in rounds] == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize(
    ("rounds", "players", "cycles"),
    [(0, 0, 1), (3, 0, 1), (0, 1, 1), (2, 1, 2), (5, 6, 1), (6, 6, 2), (10, 5, 2), (11, 5, 3)],
)
def test_part_of_a_cycle_counts_as_one(rounds: int, players: int, cycles: int) -> None:
    assert cycles_in(rounds, players) == cycles


@pytest.mark.parametrize("players", FIELDS)
def test_odd_field_has_every_meeting_and_one_bye_each(players: int) -> None:
    event, all_players = whole_event(players), order_of(players)
    for round_ in event:
        seated = [player for couple in couples(round_) for player in couple]
        assert sorted([*seated, *sitting_out(round_)]) == sorted(all_players)
        assert [table.number for table in round_.pairings] == list(range(1, players // 2 + 1))

    meetings = Counter(couple for round_ in event for couple in couples(round_))
    assert meetings == Counter(frozenset(couple) for couple in combinations(all_players, 2))
    byes = Counter(player for round_ in event for player in sitting_out(round_))
    assert byes == Counter(all_players if players % 2 else [])


@pytest.mark.parametrize("players", FIELDS)
def test_corp_and_runner_in_game_1_are_balanced(players: int) -> None:
    corp, runner = map(Counter, zip(*roles(whole_event(players)), strict=True))
    differences = {abs(corp[player] - runner[player]) for player in order_of(players)}

    assert differences == ({0} if players % 2 else {1})


@pytest.mark.parametrize("players", [2, 5, 8, 40])
def test_second_cycle_swaps_the_roles(players: int) -> None:
    rounds = whole_event(players, cycles=2)
    half = len(rounds) // 2

    assert list(roles(rounds[half:])) == [(runner, corp) for corp, runner in roles(rounds[:half])]
    assert [sitting_out(round_) for round_ in rounds[half:]] == [
        sitting_out(round_) for round_ in rounds[:half]
    ]


def test_opponent_of_a_dropped_player_has_a_bye_with_the_reason() -> None:
    round_ = round_robin_round([1, 2, 3, 4, 5], 1, active=[1, 2, 3, 5])

    assert (couples(round_), sitting_out(round_)) == ({frozenset({2, 5})}, [1, 3])
    assert [document_sentence(bye.reasons[0]) for bye in round_.byes] == [
        "player 1 has the bye: among an odd number of players everybody sits out once.",
        "player 3 has a bye: player 4 would be the opponent, but no longer plays.",
    ]


def test_table_of_two_dropped_players_is_left_out() -> None:
    round_ = round_robin_round([1, 2, 3, 4, 5, 6], 1, active=[1, 6, 2, 5])

    assert couples(round_) == {frozenset({1, 6}), frozenset({2, 5})}
    assert sitting_out(round_) == []


def test_table_has_a_reason() -> None:
    (table,) = round_robin_round(["a", "b"], 1).pairings

    assert document_sentence(table.reasons[0], {"a": "Anna", "b": "Béla"}) == (
        "Anna and Béla meet in round 1 of the fixed table; Anna begins as Corp."
    )


def test_certificate_differs_by_order_and_round() -> None:
    digests = {
        round_robin_round([1, 2, 3, 4], 1).certificate.digest,
        round_robin_round([2, 1, 3, 4], 1).certificate.digest,
        round_robin_round([1, 2, 3, 4], 2).certificate.digest,
        round_robin_round([1, 2, 3, 4], 1, active=[1, 2, 3]).certificate.digest,
    }

    assert len(digests) == 4
    assert round_robin_round([1, 2, 3, 4], 1) == round_robin_round([1, 2, 3, 4], 1)


def test_round_after_the_last_is_refused() -> None:
    with pytest.raises(RoundRobinOver, match="of 4 players ends with round 3: there is no round 4"):
        round_robin_round([1, 2, 3, 4], 4)


def test_late_entry_is_refused_by_id() -> None:
    with pytest.raises(NotInTheOrder, match="Player 9 has no place in the order"):
        round_robin_round([1, 2, 3], 2, active=[1, 2, 3, 9])


def test_fewer_than_two_players_and_players_named_twice_are_refused() -> None:
    with pytest.raises(NotEnoughEntrants):
        round_robin_round([1], 1)
    with pytest.raises(NotEnoughEntrants):
        round_robin_round([1, 2, 3], 1, active=[2])
    with pytest.raises(DuplicateEntrants):
        round_robin_round([1, 2, 1], 1)
