"""Small fields are seated at the lowest cost; in large fields, no exchange lowers the cost."""

import random
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.pods import (
    MAX_EXHAUSTIVE_PLAYERS,
    PackedCosts,
    PodSearch,
    cheapest_pods,
    good_pods,
    pod_sizes,
    seat_pods,
)
from engine.pairing.records import Entrant
from engine.standings.records import PlayerId
from tests.engine.pairing.pods.fields import (
    History,
    cost_of,
    entrants_of,
    fields,
    least_cost,
    levels_of,
    seats_of,
)


@settings(max_examples=70)
@given(fields(max_players=8), st.integers(2, 6), st.integers(0, 99))
def test_no_seating_of_a_small_field_is_cheaper(
    field: list[Entrant], round_number: int, seed: int
) -> None:
    round_ = seat_pods(field, round_number=round_number, seed=seed)

    assert round_.certificate.search is PodSearch.EXHAUSTIVE
    assert levels_of(round_) == cost_of(entrants_of(round_, field))
    assert levels_of(round_) == least_cost(field, pod_sizes(len(field)))


@settings(max_examples=8)
@given(fields(min_players=9, max_players=9), st.integers(0, 99))
def test_no_seating_of_nine_is_cheaper(field: list[Entrant], seed: int) -> None:
    round_ = seat_pods(field, round_number=2, seed=seed)

    assert levels_of(round_) == least_cost(field, (3, 3, 3))


@pytest.mark.slow
@settings(max_examples=60)
@given(fields(min_players=9, max_players=11), st.integers(0, 99))
def test_no_seating_of_up_to_eleven_is_cheaper(field: list[Entrant], seed: int) -> None:
    round_ = seat_pods(field, round_number=2, seed=seed)

    assert levels_of(round_) == least_cost(field, pod_sizes(len(field)))


@settings(max_examples=12)
@given(fields(min_players=MAX_EXHAUSTIVE_PLAYERS + 1, max_players=40), st.integers(0, 99))
def test_no_exchange_in_a_large_field_is_cheaper(field: list[Entrant], seed: int) -> None:
    round_ = seat_pods(field, round_number=3, seed=seed)
    pods = entrants_of(round_, field)
    cost = cost_of(pods)[:4]

    assert round_.certificate.search is PodSearch.LOCAL
    assert levels_of(round_)[:4] == cost
    for first, second in combinations(range(len(pods)), 2):
        for seat in range(len(pods[first])):
            for opposite in range(len(pods[second])):
                tried = [list(pod) for pod in pods]
                tried[first][seat], tried[second][opposite] = (
                    pods[second][opposite],
                    pods[first][seat],
                )
                assert cost_of(tried)[:4] >= cost


def both_searches(field: list[Entrant], seed: int) -> tuple[int, int]:
    """The packed costs of the exchanges and of the full search."""
    costs, sizes = PackedCosts(field), pod_sizes(len(field))
    by_score = sorted(range(len(field)), key=lambda index: -field[index].match_points)
    seatings = (
        good_pods(costs, by_score, sizes, largest=max(sizes), chance=random.Random(seed)),
        cheapest_pods(costs, sizes, largest=max(sizes)),
    )
    local, exact = (
        sum(costs.of_pod(pod, short=len(pod) < max(sizes)) for pod in pods) for pods in seatings
    )
    return local, exact


@settings(max_examples=30)
@given(fields(min_players=6, max_players=13), st.integers(0, 99))
def test_exchanges_never_beat_the_full_search(field: list[Entrant], seed: int) -> None:
    local, exact = both_searches(field, seed)

    assert local >= exact


def test_exchanges_nearly_always_find_a_known_optimum() -> None:
    is_optimal = []
    for size in (8, 10, 12, 13):
        history, chance = History(list(range(size))), random.Random(size)
        for number in range(1, 6):
            field = history.entrants()
            local, exact = both_searches(field, number)
            is_optimal.append(local == exact)
            history.play(seats_of(seat_pods(field, round_number=number, seed=1)), chance)

    assert sum(is_optimal) >= 18
    assert len(is_optimal) == 20


def test_ten_players_repeat_one_pair_in_round_2() -> None:
    # Tables of 4, 3 and 3 cannot be mixed without a repeat, and a single repeat is enough.
    players: list[PlayerId] = list(range(10))
    for seed in range(10):
        history = History(players)
        for number in (1, 2):
            round_ = seat_pods(history.entrants(), round_number=number, seed=seed)
            history.play(seats_of(round_), random.Random(seed))

        assert round_.cost["repeat"] == 1


@pytest.mark.parametrize("size", [6, 7, 11, 14, 22])
def test_no_swap_avoids_a_second_short_table(size: int) -> None:
    # No exchange with a player of a full table lowers the cost.
    players: list[PlayerId] = list(range(1, size + 1))
    history, chance = History(players), random.Random(size)
    for number in range(1, 7):
        field = history.entrants()
        round_ = seat_pods(field, round_number=number, seed=number)
        pods, largest = entrants_of(round_, field), max(len(pod.seats) for pod in round_.pods)
        for short, full in product(pods, pods):
            if len(short) == largest or len(full) < largest:
                continue
            for seat_index, opposite in product(range(len(short)), range(len(full))):
                tried = [list(pod) for pod in pods]
                first, second = pods.index(short), pods.index(full)
                tried[first][seat_index], tried[second][opposite] = (
                    full[opposite],
                    short[seat_index],
                )
                assert cost_of(tried)[:2] >= cost_of(pods)[:2]
        history.play(seats_of(round_), chance)


def test_sixteen_players_play_three_rounds_without_a_repeat() -> None:
    history, chance = History(list(range(16))), random.Random(3)
    repeats: list[int] = []
    for number in range(1, 4):
        round_ = seat_pods(history.entrants(), round_number=number, seed=number)
        repeats.append(round_.cost["repeat"])
        history.play(seats_of(round_), chance)

    assert repeats == [0, 0, 0]


def test_nine_players_meet_all_opponents_once_in_four_rounds() -> None:
    history, chance = History(list(range(9))), random.Random(3)
    for number in range(1, 5):
        round_ = seat_pods(history.entrants(), round_number=number, seed=number)
        history.play(seats_of(round_), chance)

    for entrant in history.entrants():
        assert len({meeting.opponent for meeting in entrant.opponents}) == 8


def test_first_and_last_seats_are_shared_out() -> None:
    history, chance = History(list(range(12))), random.Random(5)
    for number in range(1, 9):
        history.play(
            seats_of(seat_pods(history.entrants(), round_number=number, seed=number)), chance
        )
    firsts = [sum(past_seat.seat == 1 for past_seat in seats) for seats in history.seats.values()]
    lasts = [
        sum(past_seat.seat == past_seat.size for past_seat in seats)
        for seats in history.seats.values()
    ]

    assert sum(firsts) == sum(lasts) == 24
    assert max(firsts) <= 3
    assert max(lasts) <= 3
