"""What a deck is made of: its cards by type, their costs, its agendas and its influence.

Only what the facts of the cards tell; what a card is good for is not among them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from decks.formats.sections import OTHER_ICE, section_of, section_rank
from decks.formats.writers import pips
from decks.legality.anr.deck import AnrDeck
from decks.legality.anr.influence import influence_of
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts
from decks.legality.verdict import Verdict

HIGHEST_BAR = 9
"""Costs from here on share one bar."""


@dataclass(frozen=True)
class Entry:
    """All copies of one title. `influence` is what they cost together, in points.

    `address` is the page of the card, empty where it is not known. `is_wrong` says that a
    breach is about this card, alone or with others.
    """

    card: CardFacts
    quantity: int
    influence: int = 0
    is_wrong: bool = False
    address: str = ""

    @property
    def pips(self) -> str:
        """The influence as bullets in fives."""
        return pips(self.influence)


@dataclass(frozen=True)
class Group:
    """The titles under one heading, by title."""

    heading: str
    entries: tuple[Entry, ...]

    @property
    def count(self) -> int:
        """Cards, not titles."""
        return sum(entry.quantity for entry in self.entries)

    @property
    def is_ice(self) -> bool:
        return self.entries[0].card.type == "ice"


@dataclass(frozen=True)
class Bar:
    """So many cards of one cost: "0" to "8", "9+" or "X"."""

    cost: str
    count: int


@dataclass(frozen=True)
class AgendaBand:
    """The agenda points against what is required; `maximum` None is no upper bound.

    `scale`, `zone_start` and `zone_width` are in half points, as a drawing wants them: the
    zone reaches half a point beyond the required ones on either side.
    """

    points: int
    minimum: int
    maximum: int | None

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
        """Whether the points are those required."""
        return (
            self.minimum <= self.points <= (self.points if self.maximum is None else self.maximum)
        )

    @property
    def fill(self) -> int:
        """The points themselves, in half points."""
        return 2 * self.points


@dataclass(frozen=True)
class InfluenceUse:
    """Influence spent, of a limit (None: no limit), and on which factions, dearest first."""

    spent: int
    limit: int | None
    by_faction: tuple[tuple[str, int], ...]

    @property
    def within(self) -> int:
        """The part of it that the limit allows."""
        return self.spent if self.limit is None else min(self.spent, self.limit)

    @property
    def over(self) -> int:
        """The part above the limit."""
        return self.spent - self.within

    @property
    def scale(self) -> int:
        """The length of a drawing of both; never 0."""
        return max(self.spent, self.limit or 0, 1)


@dataclass(frozen=True)
class Composition:
    """A deck taken apart; None and empty where the side or the game has no such thing.

    `ice` counts the pieces by their heading. `average_cost` leaves out agendas and costs of X.
    """

    identity: Entry | None
    groups: tuple[Group, ...]
    ice: tuple[tuple[str, int], ...]
    curve: tuple[Bar, ...]
    average_cost: Fraction | None
    agendas: AgendaBand | None
    influence: InfluenceUse | None

    @property
    def tallest(self) -> int:
        """The cards of the highest bar."""
        return max((bar.count for bar in self.curve), default=0)

    @property
    def average_shown(self) -> str:
        """The average cost with one decimal, halves up."""
        if self.average_cost is None:
            return ""
        tenths = int(self.average_cost * 10 + Fraction(1, 2))
        return f"{tenths // 10}.{tenths % 10}"


def composition(
    verdict: Verdict,
    restriction: RestrictionFacts | None = None,
    addresses: Mapping[int, str] | None = None,
) -> Composition:
    """The known cards of a judged list, taken apart.

    `restriction` is the ban list it was judged by, which may charge influence; `addresses`
    are the pages of cards by their number.
    """
    copies = _copies(verdict)
    influence = influence_by_card(verdict, restriction)
    wrong = {title for breach in verdict.breaches for title in breach.titles}
    pages = addresses or {}

    def entry(card: CardFacts, quantity: int) -> Entry:
        cost, page = influence.get(card, 0), pages.get(card.id, "")
        return Entry(card, quantity, cost, card.title in wrong, page)

    entries = [entry(card, quantity) for card, quantity in copies.items()]
    groups = _groups(entries)
    return Composition(
        identity=entry(verdict.identity, 1) if verdict.identity else None,
        groups=groups,
        ice=tuple((group.heading, group.count) for group in groups if group.is_ice),
        curve=_curve(copies),
        average_cost=_average_cost(copies),
        agendas=_agendas(verdict),
        influence=_influence_use(verdict, influence),
    )


def _copies(verdict: Verdict) -> Mapping[CardFacts, int]:
    copies: Counter[CardFacts] = Counter()
    for slot in verdict.slots:
        copies[slot.card] += slot.quantity
    return copies


def _groups(entries: Iterable[Entry]) -> tuple[Group, ...]:
    def heading(entry: Entry) -> str:
        return section_of(entry.card.type, entry.card.subtypes)

    def place(entry: Entry) -> tuple[int, str, str]:
        return section_rank(heading(entry)), heading(entry), entry.card.title_key

    by_heading = groupby(sorted(entries, key=place), key=heading)
    # Beside its kinds, ice of none of them is the other ice.
    return tuple(
        Group("Other ice" if name == OTHER_ICE else name, tuple(of_it))
        for name, of_it in by_heading
    )


def _curve(copies: Mapping[CardFacts, int]) -> tuple[Bar, ...]:
    """A bar for every cost from 0 to the highest, empty ones too, and one for X."""
    heights: Counter[int] = Counter()
    for cost, quantity in _costs(copies):
        heights[min(cost, HIGHEST_BAR)] += quantity
    bars = [Bar(str(cost), heights[cost]) for cost in range(max(heights, default=-1) + 1)]
    if heights[HIGHEST_BAR]:
        bars[HIGHEST_BAR] = Bar(f"{HIGHEST_BAR}+", heights[HIGHEST_BAR])
    variable = sum(quantity for card, quantity in copies.items() if card.cost == "X")
    return (*bars, *([Bar("X", variable)] if variable else []))


def _costs(copies: Mapping[CardFacts, int]) -> Sequence[tuple[int, int]]:
    """(cost, copies) of the titles whose cost is a number."""
    return [(int(card.cost), number) for card, number in copies.items() if card.cost.isdecimal()]


def _average_cost(copies: Mapping[CardFacts, int]) -> Fraction | None:
    costs = _costs(copies)
    cards = sum(quantity for _, quantity in costs)
    return Fraction(sum(cost * quantity for cost, quantity in costs), cards) if cards else None


def _agendas(verdict: Verdict) -> AgendaBand | None:
    if verdict.agenda_minimum is None:
        return None
    return AgendaBand(verdict.agenda_points, verdict.agenda_minimum, verdict.agenda_maximum)


def influence_by_card(
    verdict: Verdict, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """What all copies of each title cost; nothing where the game has no influence."""
    if verdict.influence_spent is None:
        return {}
    return influence_of(AnrDeck(verdict.side, verdict.identity, verdict.slots), restriction)


def _influence_use(verdict: Verdict, influence: Mapping[CardFacts, int]) -> InfluenceUse | None:
    if verdict.influence_spent is None:
        return None
    spent: dict[str, int] = defaultdict(int)
    for card, cost in influence.items():
        spent[card.faction] += cost
    dearest = sorted(spent.items(), key=lambda one: (-one[1], one[0]))
    used = tuple((faction, cost) for faction, cost in dearest if cost)
    return InfluenceUse(verdict.influence_spent, verdict.influence_limit, used)
