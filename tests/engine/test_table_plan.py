"""Assignment of table numbers: kept, fixed, feature tables, then the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.table_plan import FixedTableClash, RangesError, TableWish, assign_tables, parse_ranges

numbers = st.integers(1, 12)
wishes = st.lists(
    st.builds(
        TableWish,
        fixed=st.lists(numbers, max_size=2).map(tuple),
        avoids_stream=st.booleans(),
        kept=st.none(),
    ),
    max_size=10,
)
ranges = st.lists(numbers, max_size=8, unique=True)


@given(wishes, ranges, ranges)
def test_table_numbers_are_distinct(tables, room, feature):
    given_numbers, _clashes = assign_tables(tables, room, feature)

    assert len(given_numbers) == len(tables)
    assert len(set(given_numbers)) == len(tables)


@given(wishes, ranges, ranges)
def test_stream_avoiders_get_feature_tables_only_if_fixed(tables, room, feature):
    given_numbers, _clashes = assign_tables(tables, room, feature)

    for table, number in zip(tables, given_numbers, strict=True):
        assert not (table.avoids_stream and number in feature and number not in table.fixed)


@given(wishes, ranges, ranges)
def test_fixed_table_is_assigned_or_reported(tables, room, feature):
    given_numbers, clashes = assign_tables(tables, room, feature)

    missed = {
        (index, wish)
        for index, table in enumerate(tables)
        for wish in table.fixed
        if given_numbers[index] != wish
    }
    assert missed == {(clash.place, clash.number) for clash in clashes}


@given(st.integers(0, 10), ranges)
def test_ranges_are_filled_from_the_front_without_preferences(count, room):
    given_numbers, _clashes = assign_tables([TableWish()] * count, room)

    assert given_numbers[: len(room)] == tuple(room[:count])


SHY = TableWish(avoids_stream=True)


@pytest.mark.parametrize(
    ("tables", "room", "feature", "numbers", "clashes"),
    [
        pytest.param([TableWish()] * 3, (), (), (1, 2, 3), (), id="from one without ranges"),
        pytest.param([TableWish()] * 4, (5, 6), (), (5, 6, 7, 8), (), id="on behind the ranges"),
        pytest.param(
            [SHY, *[TableWish()] * 3], (), (1, 2), (3, 1, 2, 4), (), id="the best are shown"
        ),
        pytest.param([SHY] * 2, (), (1,), (2, 3), (), id="nobody may be shown"),
        pytest.param(
            [TableWish(fixed=(4,)), TableWish(kept=4)],
            (),
            (),
            (1, 4),
            (FixedTableClash(0, 4),),
            id="one that stays",
        ),
        pytest.param(
            [TableWish(fixed=(7, 3))],
            (),
            (),
            (7,),
            (FixedTableClash(0, 3),),
            id="two fixed ones meet",
        ),
    ],
)
def test_tables_are_numbered(tables, room, feature, numbers, clashes):
    assert assign_tables(tables, room, feature) == (numbers, clashes)


@pytest.mark.parametrize(
    ("tables", "room", "feature", "reserved", "numbers"),
    [
        pytest.param(2, (), (), {1}, (2, 3), id="kept free"),
        pytest.param(2, (4, 5, 6), (), {5}, (4, 6), id="kept free in a room"),
        pytest.param(3, (4, 5, 6), (), {5}, (4, 6, 5), id="before a table the room has not"),
        pytest.param(2, (), (1, 2), {1}, (2, 3), id="also where the stream is"),
        pytest.param(2, (4,), (), {5}, (4, 6), id="also behind the room"),
    ],
)
def test_fixed_table_stays_free_for_its_player(tables, room, feature, reserved, numbers):
    assert assign_tables([TableWish()] * tables, room, feature, reserved) == (numbers, ())


def test_reserved_table_goes_to_its_player():
    assert assign_tables([TableWish(), TableWish(fixed=(1,))], reserved={1}) == ((2, 1), ())


def test_ranges_keep_their_typed_order():
    assert parse_ranges("11-13, 2,2 , 40") == (11, 12, 13, 2, 40)
    assert parse_ranges(" ") == ()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("1-", "not a range"),
        ("a", "not a range"),
        ("1-2-3", "not a range"),
        ("\u0663", "not a range"),
        ("9-3", "runs backwards"),
        ("0", "from 1 to 9999"),
        ("10000", "from 1 to 9999"),
        ("1-" + "9" * 5000, "from 1 to 9999"),
    ],
)
def test_unreadable_ranges_are_refused_with_a_message(typed: str, message: str):
    with pytest.raises(RangesError, match=message):
        parse_ranges(typed)
