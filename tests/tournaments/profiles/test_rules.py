"""Rules of a player's page, compared with a manual count."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.profiles.rules import event_place, record_of

POINTS = st.fractions(0, 20, max_denominator=4)


@given(st.lists(st.tuples(POINTS, POINTS)), st.integers(0, 5))
def test_record_counts_each_table_once_from_the_players_seat(
    tables: list[tuple[Fraction, Fraction]], byes: int
):
    record = record_of(tables, byes)
    opponents_record = record_of([(opponent_points, own) for own, opponent_points in tables])

    assert record.won + record.drawn + record.lost == len(tables)
    assert record.won == len([1 for own, opponent_points in tables if own - opponent_points > 0])
    assert (record.won, record.drawn, record.lost) == (
        opponents_record.lost,
        opponents_record.drawn,
        opponents_record.won,
    )
    assert record.byes == byes


def test_record_is_written_as_wins_draws_and_losses():
    assert str(record_of([(6, 0), (3, 3)], 1)) == "1-1-0, 1 bye"
    assert str(record_of([(0, 6)])) == "0-0-1"
    assert record_of([]).is_empty


@pytest.mark.parametrize(
    ("rank", "in_cut", "is_finished", "words"),
    [
        (1, None, True, "Winner of 24"),
        (1, None, False, "Place 1 of 24"),
        (5, None, True, "Place 5 of 24"),
        (5, 1, True, "Winner of 24"),
        (1, 3, True, "Place 3 of 24, in the cut"),
        (2, 0, False, "Place 2 of 24, now in the cut"),
        (None, 0, False, "Now in the cut"),
        (None, None, False, ""),
    ],
)
def test_place_is_described_in_words(
    rank: int | None, in_cut: int | None, is_finished: bool, words
):
    place = event_place(rank, 24, in_cut=in_cut, is_finished=is_finished)

    assert str(place.words or "") == words
    assert place.has_won == words.startswith("Winner")
