"""Deck composition: cards by type, costs, agendas and influence.

Only facts from the card data are used; the strategic use of a card is out of scope.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from decks.formats.writers import OTHER_ICE, influence_pips, section_of, section_rank
from decks.legality.records import CardFacts
from decks.legality.verdicts import DeckVerdict

# Costs from this value on share one bar.
HIGHEST_COST_BAR = 9


@dataclass(frozen=True)
class DeckEntry:
    card: CardFacts
    quantity: int
    # Total in points.
    influence: int = 0
    # Any breach involves this card.
    is_wrong: bool = False
    # URL of the card's page, or empty.
    address: str = ""

    @property
    def pips(self) -> str:
        return influence_pips(self.influence)


@dataclass(frozen=True)
class CardGroup:
    heading: str
    entries: tuple[DeckEntry, ...]

    @property
    def count(self) -> int:
        """Number of cards, not titles."""
        return sum(entry.quantity for entry in self.entries)

    @property
    def is_ice(self) -> bool:
        return self.entries[0].card.type == "ice"


@dataclass(frozen=True)
class CostBar:
    # "0" to "8", "9+" or "X".
    cost: str
    count: int


@dataclass(frozen=True)
class AgendaBand:
    points: int
    minimum: int
    # None if there is no upper bound.
    maximum: int | None

    # Scale, zone and fill are in half points, for drawing. The zone extends half a point beyond
    # the required range on both sides.
    @property
    def scale(self) -> int:
        return 2 * max(self.points, (self.maximum or self.minimum) + 2) + 2

    @property
    def zone_start(self) -> int:
        return max(2 * self.minimum - 1, 0)

    @property
    def zone_width(self) -> int:
        end = self.scale if self.maximum is None else 2 * self.maximum + 1
        return end - self.zone_start

    @property
    def is_met(self) -> bool:
        return (
            self.minimum <= self.points <= (self.points if self.maximum is None else self.maximum)
        )

    @property
    def fill(self) -> int:
        return 2 * self.points


@dataclass(frozen=True)
class InfluenceUse:
    """Influence spent, its limit (None: no limit), and the factions, most expensive first."""

    spent: int
    limit: int | None
    by_faction: tuple[tuple[str, int], ...]

    @property
    def within(self) -> int:
        return self.spent if self.limit is None else min(self.spent, self.limit)

    @property
    def over(self) -> int:
        return self.spent - self.within

    @property
    def scale(self) -> int:
        # The length of the drawn bar is at least 1.
        return max(self.spent, self.limit or 0, 1)


@dataclass(frozen=True)
class Composition:
    """Parts that do not apply to the side or game are None or empty."""

    identity: DeckEntry | None
    groups: tuple[CardGroup, ...]
    # (heading, count)
    ice: tuple[tuple[str, int], ...]
    curve: tuple[CostBar, ...]
    # Excludes agendas and costs of X.
    average_cost: Fraction | None
    agendas: AgendaBand | None
    influence: InfluenceUse | None

    @property
    def tallest(self) -> int:
        return max((bar.count for bar in self.curve), default=0)

    @property
    def average_shown(self) -> str:
        """Average cost with one decimal, rounded half up."""
        if self.average_cost is None:
            return ""
        tenths = int(self.average_cost * 10 + Fraction(1, 2))
        return f"{tenths // 10}.{tenths % 10}"


def deck_composition(
    verdict: DeckVerdict, addresses: Mapping[int, str] | None = None
) -> Composition:
    """`addresses` are page URLs by card."""
    copies: Counter[CardFacts] = Counter()
    for slot in verdict.slots:
        copies[slot.card] += slot.quantity
    wrong = {title for breach in verdict.breaches for title in breach.titles}
    pages = addresses or {}

    def entry(card: CardFacts, quantity: int) -> DeckEntry:
        influence, page = verdict.influence_by_card.get(card, 0), pages.get(card.id, "")
        return DeckEntry(card, quantity, influence, card.title in wrong, page)

    entries = [entry(card, quantity) for card, quantity in copies.items()]
    groups = _card_groups(entries)
    costs = _numeric_costs(copies)
    cards = sum(number for _, number in costs)
    agendas = None
    if verdict.required_points is not None:
        agendas = AgendaBand(verdict.agenda_points, verdict.required_points, verdict.agenda_maximum)
    return Composition(
        identity=entry(verdict.identity, 1) if verdict.identity else None,
        groups=groups,
        ice=tuple((group.heading, group.count) for group in groups if group.is_ice),
        curve=_cost_curve(copies),
        average_cost=(
            Fraction(sum(cost * number for cost, number in costs), cards) if cards else None
        ),
        agendas=agendas,
        influence=_influence_use(verdict),
    )


def _card_groups(entries: Iterable[DeckEntry]) -> tuple[CardGroup, ...]:
    def heading(entry: DeckEntry) -> str:
        return section_of(entry.card.type, entry.card.subtypes)

    def place(entry: DeckEntry) -> tuple[int, str, str]:
        return section_rank(heading(entry)), heading(entry), entry.card.title_key

    by_heading = groupby(sorted(entries, key=place), key=heading)
    # Ice without one of the known subtypes has the heading "Other ice".
    return tuple(
        CardGroup("Other ice" if name == OTHER_ICE else name, tuple(group))
        for name, group in by_heading
    )


def _cost_curve(copies: Mapping[CardFacts, int]) -> tuple[CostBar, ...]:
    """Return a bar for every cost from 0 to the highest, including empty bars, and one for X."""
    heights: Counter[int] = Counter()
    for cost, quantity in _numeric_costs(copies):
        heights[min(cost, HIGHEST_COST_BAR)] += quantity
    bars = [CostBar(str(cost), heights[cost]) for cost in range(max(heights, default=-1) + 1)]
    if heights[HIGHEST_COST_BAR]:
        bars[HIGHEST_COST_BAR] = CostBar(f"{HIGHEST_COST_BAR}+", heights[HIGHEST_COST_BAR])
    variable = sum(quantity for card, quantity in copies.items() if card.cost == "X")
    return (*bars, *([CostBar("X", variable)] if variable else []))


def _numeric_costs(copies: Mapping[CardFacts, int]) -> Sequence[tuple[int, int]]:
    """Return (cost, copies) for the titles with a numeric cost."""
    return [(int(card.cost), number) for card, number in copies.items() if card.cost.isdecimal()]


def _influence_use(verdict: DeckVerdict) -> InfluenceUse | None:
    if verdict.influence_spent is None:
        return None
    spent: dict[str, int] = defaultdict(int)
    for card, cost in verdict.influence_by_card.items():
        spent[card.faction] += cost
    dearest = sorted(spent.items(), key=lambda item: (-item[1], item[0]))
    used = tuple((faction, cost) for faction, cost in dearest if cost)
    return InfluenceUse(verdict.influence_spent, verdict.influence_limit, used)
