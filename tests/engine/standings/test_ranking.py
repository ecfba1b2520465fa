"""Order of the players, and the figures behind it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standings.ranking import StandingsRow, standings
from engine.standings.records import (
    Bye,
    DuplicatePlayer,
    PlayedTable,
    PlayerId,
    StandingsRecord,
    UnknownOpponent,
)
from tests.checker import standings as checker
from tests.checker.standings import Round
from tests.engine.standings.documents import WITH_GAMES_WON, bye, events, records_of, table

TWO_ROUNDS: list[Round] = [
    [table(1, 20, 2, 4), bye(3)],
    [table(1, 14, 3, 13), bye(2)],
]


def order(table_: list[StandingsRow]) -> list[PlayerId]:
    return [standing.id for standing in table_]


def by_id(table_: list[StandingsRow]) -> dict[PlayerId, StandingsRow]:
    return {standing.id: standing for standing in table_}


def test_match_points_come_first() -> None:
    table_ = standings(records_of(TWO_ROUNDS, [1, 2, 3]), seed=1)

    assert [(row.rank, row.id, row.match_points) for row in table_] == [
        (1, 1, 34),
        (2, 3, 33),
        (3, 2, 24),
    ]


def test_without_an_opponent_the_strength_is_zero() -> None:
    rows = by_id(standings([StandingsRecord(1, (Bye(20),)), StandingsRecord(2)], seed=1))

    assert rows[1].strength_of_schedule == rows[1].extended_strength_of_schedule == 0
    assert rows[2].played == rows[2].match_points == 0


def test_manual_seed_orders_players_tied_on_match_points() -> None:
    records = [
        StandingsRecord(1, (Bye(10),)),
        StandingsRecord(2, (Bye(10),), manual_seed=2),
        StandingsRecord(3, (Bye(10),), manual_seed=1),
        StandingsRecord(4, (Bye(11),), manual_seed=9),
    ]

    assert order(standings(records, seed=1)) == [4, 3, 2, 1]


def test_games_won_come_after_match_points_when_chosen() -> None:
    records = [
        StandingsRecord(1, (PlayedTable((2,), 10, games_won=1),)),
        StandingsRecord(2, (PlayedTable((1,), 10, games_won=0),)),
    ]
    table_ = standings(records, WITH_GAMES_WON, seed=1)

    assert order(table_) == [1, 2]
    assert list(table_[0].values) == list(WITH_GAMES_WON)


def test_completely_tied_players_are_drawn_from_the_seed() -> None:
    records = [StandingsRecord(player) for player in range(1, 9)]
    draws = {tuple(order(standings(records, seed=seed))) for seed in range(20)}

    assert len(draws) == 20
    assert order(standings(records, seed=5)) == order(standings(records[::-1], seed=5))


def test_late_entry_does_not_change_the_draw_order() -> None:
    records = [StandingsRecord(player) for player in range(1, 20)]
    before = order(standings(records[:-1], seed=3))
    after = order(standings(records, seed=3))

    assert [player for player in after if player != 19] == before


def test_tied_players_share_a_rank_without_the_draw() -> None:
    records = [
        StandingsRecord("b"),
        StandingsRecord("a"),
        StandingsRecord("c", (Bye(3),)),
        StandingsRecord("d", (Bye(-1),)),
    ]
    table_ = standings(records, ("match_points",), seed=1)

    assert [(row.rank, row.id) for row in table_] == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_records_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(DuplicatePlayer, match="Player 1 has two records"):
        standings([StandingsRecord(1), StandingsRecord(1)], seed=1)
    with pytest.raises(UnknownOpponent, match="Player 1 met 2"):
        standings([StandingsRecord(1, (PlayedTable((2,), 3),))], seed=1)
    records_ = [
        StandingsRecord(1, (PlayedTable((2,), 3),)),
        StandingsRecord(2, (PlayedTable((1,), 0), PlayedTable((3,), 3))),
    ]
    with pytest.raises(UnknownOpponent, match="Player 2 met 3"):
        standings(records_, seed=1)


def test_unknown_tie_breaker_raises() -> None:
    with pytest.raises(KeyError):
        standings([StandingsRecord(1)], ("luck",), seed=1)


@given(events())
def test_every_figure_agrees_with_the_checker(event: tuple[list[PlayerId], list[Round]]) -> None:
    players, rounds = event
    for row in standings(records_of(rounds, players), seed=1):
        assert row.match_points == checker.match_points(rounds, row.id)
        assert row.strength_of_schedule == checker.strength_of_schedule(rounds, row.id)
        assert row.extended_strength_of_schedule == checker.extended_strength_of_schedule(
            rounds, row.id
        )


@given(events(), st.randoms(use_true_random=False), st.integers())
def test_order_of_records_does_not_matter(
    event: tuple[list[PlayerId], list[Round]], chance: random.Random, seed: int
) -> None:
    players, rounds = event
    records = records_of(rounds, players)
    shuffled = sorted(records, key=lambda _: chance.random())

    assert standings(shuffled, seed=seed) == standings(records, seed=seed)


@given(events())
def test_ranks_are_unique_and_follow_the_figures(
    event: tuple[list[PlayerId], list[Round]],
) -> None:
    players, rounds = event
    table_ = standings(records_of(rounds, players), seed=1)
    figures = [
        (row.match_points, row.strength_of_schedule, row.extended_strength_of_schedule)
        for row in table_
    ]

    assert [row.rank for row in table_] == list(range(1, len(players) + 1))
    assert figures == sorted(figures, reverse=True)
