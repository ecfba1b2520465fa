"""Which number a table gets: kept ones, fixed ones, feature tables, the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.table_plan import Clash, RangesError, Wish, numbers_of, seated

numbers = st.integers(1, 12)
wishes = st.lists(
    st.builds(
        Wish,
        fixed=st.lists(numbers, max_size=2).map(tuple),
        avoids_stream=st.booleans(),
        kept=st.none(),
    ),
    max_size=10,
)
ranges = st.lists(numbers, max_size=8, unique=True)


@given(wishes, ranges, ranges)
def test_every_table_has_a_number_of_its_own(tables, room, feature):
    given_numbers, _clashes = seated(tables, room, feature)

    assert len(given_numbers) == len(tables)
    assert len(set(given_numbers)) == len(tables)


@given(wishes, ranges, ranges)
def test_who_avoids_the_stream_is_at_a_feature_table_only_by_a_fixed_table(tables, room, feature):
    given_numbers, _clashes = seated(tables, room, feature)

    for table, number in zip(tables, given_numbers, strict=True):
        assert not (table.avoids_stream and number in feature and number not in table.fixed)


@given(wishes, ranges, ranges)
def test_a_fixed_table_is_had_or_told(tables, room, feature):
    given_numbers, clashes = seated(tables, room, feature)

    missed = {
        (place, wish)
        for place, table in enumerate(tables)
        for wish in table.fixed
        if given_numbers[place] != wish
    }
    assert missed == {(clash.place, clash.number) for clash in clashes}


@given(st.integers(0, 10), ranges)
def test_without_wishes_the_ranges_are_filled_from_the_front(count, room):
    given_numbers, _clashes = seated([Wish()] * count, room)

    assert given_numbers[: len(room)] == tuple(room[:count])


def test_without_ranges_tables_count_from_one():
    assert seated([Wish()] * 3) == ((1, 2, 3), ())


def test_the_numbers_behind_the_ranges_follow_when_they_run_out():
    assert seated([Wish()] * 4, room=(5, 6))[0] == (5, 6, 7, 8)


def test_the_best_tables_that_may_be_shown_get_the_feature_tables():
    tables = [Wish(avoids_stream=True), Wish(), Wish(), Wish()]

    assert seated(tables, feature=(1, 2))[0] == (3, 1, 2, 4)


def test_a_feature_table_stays_empty_when_nobody_may_be_shown():
    assert seated([Wish(avoids_stream=True)] * 2, feature=(1,))[0] == (2, 3)


def test_a_table_that_stays_comes_before_a_fixed_one():
    tables = [Wish(fixed=(4,)), Wish(kept=4)]

    assert seated(tables) == ((1, 4), (Clash(0, 4),))


def test_of_two_fixed_tables_that_meet_one_is_had():
    assert seated([Wish(fixed=(7, 3))]) == ((7,), (Clash(0, 3),))


def test_ranges_are_read_in_the_order_they_are_typed():
    assert numbers_of("11-13, 2,2 , 40") == (11, 12, 13, 2, 40)
    assert numbers_of(" ") == ()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1-", "no range"),
        ("a", "no range"),
        ("1-2-3", "no range"),
        ("\u0663", "no range"),
        ("9-3", "runs backwards"),
        ("0", "from 1 to 9999"),
        ("10000", "from 1 to 9999"),
        ("1-" + "9" * 5000, "from 1 to 9999"),
    ],
)
def test_other_ranges_are_refused_in_words(typed: str, said: str):
    with pytest.raises(RangesError, match=said):
        numbers_of(typed)
