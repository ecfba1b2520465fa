"""The plan of a large field has the lowest cost, compared with all plans and in known traps."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.costs import Edge, LevelCosts, PairCounts
from engine.pairing.integer_program import cheapest_plan

Field = tuple[dict[Edge, LevelCosts], list[int]]
FREE = (0,)


def cost_of(plan: Mapping[Edge, int], costs: Mapping[Edge, LevelCosts]) -> LevelCosts:
    """The sum of each level."""
    levels = zip(*(costs[edge] for edge in costs), strict=True)
    return tuple(
        sum(cost * plan.get(edge, 0) for edge, cost in zip(costs, level, strict=True))
        for level in levels
    )


def every_plan(edges: Sequence[Edge], waiting: Sequence[int]) -> Iterator[PairCounts]:
    """All ways to seat the waiting players, by trying every number of pairs on every edge."""
    if not edges:
        if not any(waiting):
            yield {}
        return
    (first, second), *other_edges = edges
    remaining, pairs = list(waiting), 0
    while min(remaining) >= 0:
        for plan in every_plan(other_edges, remaining):
            yield {**plan, (first, second): pairs}
        remaining[first] -= 1
        remaining[second] -= 1
        pairs += 1


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Up to four nodes with up to four players each, and some of the edges."""
    players = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    edges = combinations_with_replacement(range(len(players)), 2)
    present_edges = draw(st.lists(st.sampled_from(list(edges)), min_size=1, unique=True))
    costs = st.tuples(st.integers(0, 1), st.integers(0, 9))
    return {edge: draw(costs) for edge in present_edges}, players


@given(fields())
def test_no_plan_is_cheaper(field: Field):
    costs, players = field
    totals = [cost_of(plan, costs) for plan in every_plan(list(costs), players)]

    plan = cheapest_plan(costs, players)

    assert (plan and cost_of(plan, costs)) == min(totals, default=None)
    if plan is not None:
        assert {**dict.fromkeys(costs, 0), **plan} in every_plan(list(costs), players)


def within(groups: str) -> dict[Edge, LevelCosts]:
    """Players of the same letter may all meet at no cost."""
    pairs_ = combinations(range(len(groups)), 2)
    return {(first, second): FREE for first, second in pairs_ if groups[first] == groups[second]}


def test_two_separate_odd_groups_have_no_plan():
    # A plan exists only in half pairs.
    assert cheapest_plan(within("ABABAB"), [1] * 6) is None


def test_only_link_between_two_odd_groups_is_found_among_free_pairs():
    groups = "AB" * 19
    costs = {**within(groups), (0, 1): (10,)}

    plan = cheapest_plan(costs, [1] * len(groups))

    assert plan is not None
    assert cost_of(plan, costs) == (10,)


def test_single_expensive_pair_beats_two_cheaper_pairs():
    # Two odd groups meet once for 15, or each meets a third group for 10.
    groups = "ABC" * 12 + "AB"
    by_the_third = {
        (first, second): (10,)
        for first, second in combinations(range(len(groups)), 2)
        if groups[first] != groups[second] and "C" in (groups[first], groups[second])
    }
    costs = {**within(groups), **by_the_third, (0, 1): (15,)}

    plan = cheapest_plan(costs, [1] * len(groups))

    assert plan is not None
    assert cost_of(plan, costs) == (15,)
