"""Never into a wall: in a small field the planned rounds stay free of rematches (DESIGN 4.4).

Of the matchings that break no weightier rule more than needed, the cheapest is taken after which
the rounds left can still be paired, each two players meeting as often as the profile allows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from engine.pairing.costs import Level
from engine.pairing.matching import Edge, Matching, Prices, prices_of, ranked
from engine.pairing.plans import Plan, cheaper_round, drawn_rounds
from engine.pairing.schedules import EXACT, Budget, OutOfSteps

STEPS = 40_000_000
"""Of the search in one pairing, times the square of the players, for then they take longer.

A number of steps, not a time: every machine answers the same.
"""

CANDIDATES = 10_000
"""How many matchings are looked at by cost, times the square of the players, where not all are.

The larger the field, the longer it takes to find the next one."""

MOST_DRAWN = 20


class Outlook(StrEnum):
    """What is known of the rounds left."""

    CLEAR = "clear"
    """The cheapest matching keeps them free of rematches."""
    KEPT = "kept"
    """A dearer matching does, and no cheaper one."""
    KEPT_SOMEHOW = "kept_somehow"
    """A dearer matching does, and there may be a cheaper one."""
    LOST = "lost"
    """No matching does."""
    UNKNOWN = "unknown"
    """None was found within the budget."""


@dataclass(frozen=True)
class Kept:
    """The matching that is taken, what is known of the rounds left, and the cheapest of all."""

    matching: Matching
    outlook: Outlook
    cheapest: Matching


def keep(plan: Plan, cheapest: Matching, levels: Sequence[Level]) -> Kept:
    """The cheapest matching that keeps the plan; the `cheapest` of all where none is found."""
    looking = _Looking(plan, _budget(plan))
    if looking.leads_on(cheapest):
        return Kept(cheapest, Outlook.CLEAR, cheapest)
    if plan.is_lost(cheapest):
        return Kept(cheapest, Outlook.LOST, cheapest)
    prices = prices_of(plan.free, levels)
    # The first is the cheapest itself.
    candidates = islice(_candidates(plan, prices), 1, None)
    size = len(plan.field)
    for edges in islice(candidates, None if size <= EXACT else CANDIDATES // size**2):
        matching = prices.matching(edges)
        if looking.leads_on(matching):
            outlook = Outlook.KEPT if looking.is_sure else Outlook.KEPT_SOMEHOW
            return Kept(matching, outlook, cheapest)
    if looking.is_sure and next(candidates, None) is None:
        return Kept(cheapest, Outlook.LOST, cheapest)
    constructed = _constructed(plan, prices)
    outlook = Outlook.KEPT_SOMEHOW if constructed else Outlook.UNKNOWN
    return Kept(constructed or cheapest, outlook, cheapest)


def _budget(plan: Plan) -> Budget:
    return Budget(STEPS // max(EXACT, len(plan.field)) ** 2)


class _Looking:
    """Asks whether the plan is kept, and remembers whether every answer was certain."""

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.plan, self.budget, self.is_sure = plan, budget, True

    def leads_on(self, matching: Matching) -> bool:
        """Whether the rounds left are known to be free of rematches after this one."""
        try:
            return self.plan.is_kept(matching, self.budget)
        except OutOfSteps:
            self.is_sure = False
            return False


def _candidates(plan: Plan, prices: Prices) -> Iterator[tuple[Edge, ...]]:
    """The matchings by cost, as long as they break weightier rules no more than the cheapest."""
    least = None
    for edges in ranked(prices):
        parts = [prices.costs[edge][: plan.weighty] for edge in edges]
        breaks = tuple(map(sum, zip(*parts, strict=True)))
        least = breaks if least is None else least
        if breaks > least:
            return
        yield edges


def _constructed(plan: Plan, prices: Prices) -> Matching | None:
    """A matching that breaks no weightier rule and keeps the plan, made as cheap as exchanges can.

    Rounds are drawn until one keeps the plan; then its tables are exchanged with those of the
    rounds after it.
    """
    budget = _budget(plan)
    for edges in drawn_rounds(list(_harmless(plan, prices)), prices.nodes, MOST_DRAWN):
        matching = prices.matching(edges)
        try:
            rounds = plan.rounds_after(matching, budget)
        except OutOfSteps:
            continue
        if rounds is not None:
            later = [plan.partners(pairs) for pairs in rounds]
            this = plan.partners(plan.pairs_of(matching))
            return plan.matching_of(cheaper_round(this, later, plan.costs(prices)), prices)
    return None


def _harmless(plan: Plan, prices: Prices) -> Iterator[Edge]:
    """The tables that break no weighty rule, and the byes that break it least."""
    bye = len(prices.field)
    least = min((parts[0] for edge, parts in prices.costs.items() if edge[1] == bye), default=0)
    for edge, parts in prices.costs.items():
        if parts[: plan.weighty] == ((least if edge[1] == bye else 0), *(0,) * (plan.weighty - 1)):
            yield edge
