from hypothesis import given
from hypothesis import strategies as st

from engine.table_plan import CheckableTable, draw_tables

counts = st.tuples(st.integers(0, 3), st.integers(0, 3))
fields = st.dictionaries(st.integers(1, 40), counts, max_size=12).map(
    lambda checks: [CheckableTable(number, counts) for number, counts in checks.items()]
)


@given(fields, st.integers(0, 15), st.integers(0, 2**31))
def test_requested_number_of_tables_is_drawn(tables, count, seed):
    drawn = draw_tables(tables, count, seed)

    assert len(set(drawn)) == len(drawn) == min(count, len(tables))
    assert set(drawn) <= {table.number for table in tables}


@given(fields, st.integers(0, 15), st.integers(0, 2**31), st.randoms())
def test_order_of_tables_does_not_matter(tables, count, seed, chance):
    mixed = list(tables)
    chance.shuffle(mixed)

    assert draw_tables(mixed, count, seed) == draw_tables(tables, count, seed)


@given(fields, st.integers(0, 15), st.integers(0, 2**31))
def test_least_checked_tables_come_first(tables, count, seed):
    drawn = set(draw_tables(tables, count, seed))
    drawn_turns = [table.turn for table in tables if table.number in drawn]
    other_turns = [table.turn for table in tables if table.number not in drawn]

    assert not drawn_turns or not other_turns or max(drawn_turns) <= min(other_turns)


def test_tables_with_more_unchecked_players_come_first():
    tables = [
        CheckableTable(1, (1, 1)),
        CheckableTable(2, (0, 5)),
        CheckableTable(3, (0, 0)),
        CheckableTable(4, (1, 2)),
    ]

    assert [draw_tables(tables, count, 7) for count in (1, 2, 3)] == [(3,), (2, 3), (1, 2, 3)]


def test_different_seed_draws_different_tables():
    tables = [CheckableTable(number, (0, 0)) for number in range(1, 21)]

    assert len({draw_tables(tables, 3, seed) for seed in range(20)}) > 15
