"""Decks as the rules of Android: Netrunner see them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from core.text import with_full_stop
from decks.legality import wording
from decks.legality.records import Breach, CardFacts, CardSlot, RestrictionFacts, agenda_points_of


@dataclass(frozen=True)
class TitleCopies:
    """All copies of one title over all its lines; `line` is the first of them."""

    card: CardFacts
    quantity: int
    line: int | None


@dataclass(frozen=True)
class AnrDeck:
    """An identity and the cards of known titles; the slots do not include the identity.

    `side` is empty if unknown; `identity` is None if the list names none. `unread` is the number of
    copies on lines without a known card; these do not count.
    """

    side: str
    identity: CardFacts | None
    slots: tuple[CardSlot, ...]
    identity_line: int | None = None
    unread: int = 0

    @cached_property
    def copies(self) -> Mapping[CardFacts, TitleCopies]:
        """Copies by card, in the order of first mention in the list."""
        quantities: dict[CardFacts, int] = defaultdict(int)
        lines: dict[CardFacts, int | None] = {}
        for slot in self.slots:
            quantities[slot.card] += slot.quantity
            lines.setdefault(slot.card, slot.line)
        return {
            card: TitleCopies(card, quantity, lines[card]) for card, quantity in quantities.items()
        }

    @cached_property
    def size(self) -> int:
        """Number of cards of known titles, without the identity."""
        return sum(slot.quantity for slot in self.slots)

    def titles(self) -> Iterator[TitleCopies]:
        """Yield every title of the deck; the identity comes first, as one copy."""
        if self.identity:
            yield TitleCopies(self.identity, 1, self.identity_line)
        yield from self.copies.values()

    def of_type(self, type_: str) -> Iterator[TitleCopies]:
        return (copies for copies in self.copies.values() if copies.card.type == type_)


# Display names of the factions of Android: Netrunner.


NEUTRAL_FACTIONS = frozenset({"neutral_corp", "neutral_runner"})

FACTION_NAMES = {
    "adam": "Adam",
    "anarch": "Anarch",
    "apex": "Apex",
    "criminal": "Criminal",
    "haas_bioroid": "Haas-Bioroid",
    "jinteki": "Jinteki",
    "nbn": "NBN",
    "neutral_corp": "Neutral",
    "neutral_runner": "Neutral",
    "shaper": "Shaper",
    "sunny_lebeau": "Sunny Lebeau",
    "weyland_consortium": "Weyland Consortium",
}


def is_neutral(card: CardFacts) -> bool:
    """True if the card has no faction. Neutral cards are never in faction."""
    return card.faction in NEUTRAL_FACTIONS


def faction_name(faction: str) -> str:
    """Return the name of a faction; for an unknown faction, its id as words."""
    return FACTION_NAMES.get(faction) or faction.replace("_", " ").title()


# Exceptions of single identities to the rules of deck construction, as data.


DRAFT_SET = "draft"


@dataclass(frozen=True)
class IdentityTerms:
    """Exceptions of one identity to the common rules; `source` is their origin.

    `singleton`: at most one copy of each card. `any_copies`: no copy limit. `any_agendas`: agendas
    of every faction. `guest_agendas`: maximum number of different agendas of each other faction.
    `forbidden_faction`: no card of this faction. `first_copy_free`: the card type whose first copy
    of each title costs no influence.
    """

    source: str = ""
    singleton: bool = False
    any_copies: bool = False
    any_agendas: bool = False
    guest_agendas: int = 0
    forbidden_faction: str = ""
    first_copy_free: str = ""


COMMON_TERMS = IdentityTerms()

DRAFT_TERMS = IdentityTerms(
    "Draft set: any number of copies, and agendas of every faction",
    any_copies=True,
    any_agendas=True,
)

TERMS_BY_CARD_ID: Mapping[str, IdentityTerms] = {
    "ampere_cybernetics_for_anyone": IdentityTerms(
        "Text of Ampère: Cybernetics For Anyone:"
        " 1 copy of a card at most, and up to 2 different agendas of each faction",
        singleton=True,
        guest_agendas=2,
    ),
    "nova_initiumia_catalyst_impetus": IdentityTerms(
        "Text of Nova Initiumia: Catalyst & Impetus: 1 copy of a card at most",
        singleton=True,
    ),
    "custom_biotics_engineered_for_success": IdentityTerms(
        "Text of Custom Biotics: Engineered for Success: no Jinteki cards",
        forbidden_faction="jinteki",
    ),
    "the_professor_keeper_of_knowledge": IdentityTerms(
        "Text of The Professor: Keeper of Knowledge:"
        " the first copy of each program costs no influence",
        first_copy_free="program",
    ),
}


def identity_terms(identity: CardFacts | None) -> IdentityTerms:
    """Return the terms of an identity, or the common rules without an identity."""
    if identity is None:
        return COMMON_TERMS
    if any(printing.set_id == DRAFT_SET for printing in identity.printings):
        return DRAFT_TERMS
    return TERMS_BY_CARD_ID.get(identity.card_id, COMMON_TERMS)


def ruling_identity(deck: AnrDeck) -> CardFacts | None:
    """Return the identity that governs the deck, or None if it is missing or of the wrong side.

    An identity of the wrong side is a breach of its own; its figures do not apply to this deck.
    """
    identity = deck.identity
    return identity if identity is not None and identity.side == deck.side else None


# Conditions under which alliance cards cost no influence, as data.


CountFunction = Callable[[AnrDeck, CardFacts], int]


def _count_of_faction(deck: AnrDeck, card: CardFacts) -> int:
    return sum(
        copies.quantity
        for other, copies in deck.copies.items()
        if other.faction == card.faction and not other.has_subtype("alliance")
    )


def _count_of_type(type_: str) -> CountFunction:
    return lambda deck, _: sum(copies.quantity for copies in deck.of_type(type_))


def _count_of_card(card_id: str) -> CountFunction:
    return lambda deck, _: sum(
        copies.quantity for card, copies in deck.copies.items() if card.card_id == card_id
    )


def _count_of_deck(deck: AnrDeck, _: CardFacts) -> int:
    return deck.size


@dataclass(frozen=True)
class AllianceCondition:
    """An alliance card is free if `count` is from `least` to `most` (None: no upper bound).

    `words` describe the condition: "6 or more {faction} cards other than alliances".
    """

    count: CountFunction
    words: str
    least: int = 0
    most: int | None = None

    def holds(self, deck: AnrDeck, card: CardFacts) -> bool:
        count = self.count(deck, card)
        return self.least <= count and (self.most is None or count <= self.most)


SIX_OF_ITS_FACTION = AllianceCondition(
    _count_of_faction, "6 or more {faction} cards other than alliances", least=6
)

ALLIANCE_CONDITIONS: Mapping[str, AllianceCondition] = {
    "consulting_visit": SIX_OF_ITS_FACTION,
    "executive_search_firm": SIX_OF_ITS_FACTION,
    "heritage_committee": SIX_OF_ITS_FACTION,
    "ibrahim_salem": SIX_OF_ITS_FACTION,
    "jeeves_model_bioroids": SIX_OF_ITS_FACTION,
    "product_recall": SIX_OF_ITS_FACTION,
    "raman_rai": SIX_OF_ITS_FACTION,
    "salems_hospitality": SIX_OF_ITS_FACTION,
    "mumba_temple": AllianceCondition(_count_of_type("ice"), "15 or fewer ice", most=15),
    "mumbad_virtual_tour": AllianceCondition(_count_of_type("asset"), "7 or more assets", least=7),
    "museum_of_history": AllianceCondition(_count_of_deck, "50 or more cards", least=50),
    "pad_factory": AllianceCondition(
        _count_of_card("pad_campaign"), "exactly 3 copies of PAD Campaign", least=3, most=3
    ),
}


def is_free_alliance(deck: AnrDeck, card: CardFacts) -> bool:
    """True if the card is an alliance whose condition the deck meets."""
    condition = ALLIANCE_CONDITIONS.get(card.card_id)
    return condition is not None and condition.holds(deck, card)


def alliance_hint(deck: AnrDeck, card: CardFacts) -> str:
    """Explain when this alliance card would be free, and the current count of the deck.

    Returns an empty string for cards that are already free or not alliances.
    """
    condition = ALLIANCE_CONDITIONS.get(card.card_id)
    if condition is None or condition.holds(deck, card):
        return ""
    words = condition.words.format(faction=faction_name(card.faction))
    return (
        f"{card.title} costs no influence in a deck with {words};"
        f" this one has {condition.count(deck, card)}."
    )


# Influence costs and limits of a deck.


@dataclass(frozen=True)
class InfluenceCharge:
    """Copies of a card that cost `each` influence per copy; `each` may be 0."""

    card: CardFacts
    each: int
    quantity: int


def influence_charges(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Iterator[InfluenceCharge]:
    """Yield the cost per copy after discounts; a title appears twice if its copies differ.

    Without an identity of the deck's side, all costs are 0. Cards of the other side cost nothing
    here; they are reported as a breach of their own.
    """
    identity = ruling_identity(deck)
    free = identity_terms(identity).first_copy_free
    for copies in deck.copies.values():
        if identity is None or copies.card.side != deck.side:
            yield InfluenceCharge(copies.card, 0, copies.quantity)
        else:
            universal, printed = _influence_costs(deck, identity, copies.card, restriction)
            yield from _charges_of(copies, universal, printed, free)


def influence_by_title(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """Return the total cost of each title after discounts, including titles that cost nothing."""
    costs = dict.fromkeys(deck.copies, 0)
    for charge in influence_charges(deck, restriction):
        costs[charge.card] += charge.each * charge.quantity
    return costs


def influence_spent(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    return sum(charge.each * charge.quantity for charge in influence_charges(deck, restriction))


def influence_limit(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int | None:
    """Return the influence limit of the identity after penalties, at least 1.

    None means no limit, or no identity of the deck's side.
    """
    identity = ruling_identity(deck)
    if identity is None or identity.influence_limit is None:
        return None
    lowered = max(1, identity.influence_limit - influence_penalty(deck, restriction))
    return min(identity.influence_limit, lowered)


def influence_excess(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    """Return the influence above the limit; 0 or less is legal."""
    limit = influence_limit(deck, restriction)
    return 0 if limit is None else influence_spent(deck, restriction) - limit


def influence_penalty(deck: AnrDeck, restriction: RestrictionFacts | None) -> int:
    """Return the total reduction of the limit, before the minimum of 1 applies."""
    return _list_figure(deck, restriction.global_penalty) if restriction else 0


def universal_influence(deck: AnrDeck, restriction: RestrictionFacts) -> int:
    return _list_figure(deck, restriction.universal_influence)


def _influence_costs(
    deck: AnrDeck, identity: CardFacts, card: CardFacts, restriction: RestrictionFacts | None
) -> tuple[int, int]:
    """Return (universal, printed) influence per copy."""
    universal = restriction.universal_influence.get(card.card_id, 0) if restriction else 0
    return universal, _printed_cost(deck, identity, card)


def _charges_of(
    copies: TitleCopies, universal: int, printed: int, free: str
) -> Iterator[InfluenceCharge]:
    """Charge the copies; the first copy of a card of type `free` costs only universal influence."""
    card, quantity = copies.card, copies.quantity
    if card.type == free:
        yield InfluenceCharge(card, universal, 1)
        quantity -= 1
    if quantity:
        yield InfluenceCharge(card, universal + printed, quantity)


def _printed_cost(deck: AnrDeck, identity: CardFacts, card: CardFacts) -> int:
    if not card.influence_cost or is_free_alliance(deck, card):
        return 0
    in_faction = card.faction == identity.faction and not is_neutral(card)
    return 0 if in_faction else card.influence_cost


def _list_figure(deck: AnrDeck, figures: Mapping[str, int]) -> int:
    """Sum a ban list figure over all copies of the deck's side."""
    return sum(
        copies.quantity * figures.get(card.card_id, 0)
        for card, copies in deck.copies.items()
        if card.side == deck.side
    )


# Suggest which copies to exchange to bring a deck within its influence limit.


# A charge whose `each` is the influence saved by exchanging a copy.
ExchangeOffer = InfluenceCharge

# Placeholder for a card that costs nothing and meets no condition.
ANY_OTHER_CARD = CardFacts(0, "", "", "", "", faction="neutral_corp")


def copies_to_exchange(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """Choose a small number of copies to replace by free cards to get within the limit.

    The most expensive copies go first; the last is the cheapest that is enough. Influence is
    recalculated after each choice, because removing a card may end an alliance discount.
    """
    chosen: Counter[CardFacts] = Counter()
    while (too_much := influence_excess(deck, restriction)) > 0:
        choice = _choose_copies(_exchange_offers(deck, restriction), too_much)
        chosen.update(choice)
        deck = replace(deck, slots=tuple(_slots_after(deck, choice)))
    return chosen


def _exchange_offers(deck: AnrDeck, restriction: RestrictionFacts | None) -> list[ExchangeOffer]:
    """Return the influence saved per copy, highest first."""
    penalties = restriction.global_penalty if restriction else {}
    offers = (
        replace(charge, each=charge.each + penalties.get(charge.card.card_id, 0))
        for charge in influence_charges(deck, restriction)
        if charge.card.side == deck.side
    )
    worthwhile = (offer for offer in offers if offer.each)
    return sorted(worthwhile, key=lambda offer: (-offer.each, *_exchange_order(offer)))


def _exchange_order(offer: ExchangeOffer) -> tuple[bool, str]:
    """Tie-breaker: keep agendas for their points, then sort by title, not by line."""
    return offer.card.type == "agenda", offer.card.title_key


def _choose_copies(offers: list[ExchangeOffer], too_much: int) -> Counter[CardFacts]:
    chosen: Counter[CardFacts] = Counter()
    while too_much > 0:
        dearest, *others = offers
        if too_much < dearest.each:
            enough = (offer for offer in offers if offer.each >= too_much)
            last = min(enough, key=lambda offer: (offer.each, *_exchange_order(offer)))
            chosen[last.card] += 1
            return chosen
        whole = min(dearest.quantity, too_much // dearest.each)
        chosen[dearest.card] += whole
        too_much -= whole * dearest.each
        if whole == dearest.quantity:
            offers = others
    return chosen


def _slots_after(deck: AnrDeck, choice: Mapping[CardFacts, int]) -> Iterator[CardSlot]:
    for card, copies in deck.copies.items():
        if left := copies.quantity - choice.get(card, 0):
            yield CardSlot(card, left, copies.line)
    yield CardSlot(ANY_OTHER_CARD, sum(choice.values()))


# Check the influence limit of a deck.


INFLUENCE_RULE = (
    "Comprehensive rules, deck construction: cards that are not of the identity's faction"
    " cost influence, up to the limit of the identity"
)
MOST_TITLES_NAMED = 5


def influence_breaches(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Iterator[Breach]:
    """Yield the breach `influence` if the limit is exceeded; it names the cards to exchange.

    Yields nothing without an identity of the deck's side, or if the identity has no limit.
    """
    if influence_excess(deck, restriction) <= 0:
        return
    choice = copies_to_exchange(deck, restriction)
    yield Breach(
        "influence",
        _influence_message(deck, restriction),
        " ".join([_influence_remedy(choice), *_alliance_hints(deck, restriction)]),
        rule=_influence_rule(restriction),
        concerns=tuple(card.title for card in choice),
    )


def _influence_message(deck: AnrDeck, restriction: RestrictionFacts | None) -> str:
    spent, limit = influence_spent(deck, restriction), influence_limit(deck, restriction)
    message = f"{spent} influence spent of {limit}."
    if restriction and (universal := universal_influence(deck, restriction)):
        message += f" {universal} of it is universal influence of {restriction.name}."
    if restriction and (lowered := influence_penalty(deck, restriction)):
        message += f" {restriction.name} takes {lowered} off the limit"
        message += ", which is never below 1." if limit == 1 else "."
    return message


def _influence_remedy(choice: Mapping[CardFacts, int]) -> str:
    named = [f"{wording.copies(number)} of {card.title}" for card, number in choice.items()]
    if len(named) > MOST_TITLES_NAMED:
        others = sum(list(choice.values())[MOST_TITLES_NAMED:])
        named = [*named[:MOST_TITLES_NAMED], f"{others} more of the dearest cards"]
    return with_full_stop(f"Put cards that cost no influence in place of {wording.listing(named)}")


def _alliance_hints(deck: AnrDeck, restriction: RestrictionFacts | None) -> list[str]:
    """Return hints for alliances that currently cost influence, sorted by title."""
    costs = influence_by_title(deck, restriction)
    hints = (alliance_hint(deck, card) for card, cost in costs.items() if cost)
    return sorted(filter(None, hints))


def _influence_rule(restriction: RestrictionFacts | None) -> str:
    if restriction and restriction.changes_influence:
        return f"{INFLUENCE_RULE}; {restriction.name}"
    return INFLUENCE_RULE


# Agendas in Corp decks: required points and allowed factions.


AGENDA_POINTS_RULE = (
    "Comprehensive rules, deck construction: a Corp deck has 2 agenda points for every"
    " full 5 cards and 2 more, or 1 above that"
)
AGENDA_FACTION_RULE = (
    "Comprehensive rules, deck construction: the agendas of a deck are of the identity's"
    " faction or neutral"
)

PointsBand = tuple[int, int]


def agenda_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Yield agenda breaches with the codes agenda_points and agenda_faction.

    Yields nothing for Runner decks or without an identity of the deck's side.
    """
    yield from agenda_points_breaches(deck)
    yield from agenda_faction_breaches(deck)


def points_band(size: int) -> PointsBand:
    """Return the minimum and maximum agenda points for a deck size (45 to 49: 20 and 21)."""
    least = 2 * (size // 5) + 2
    return least, least + 1


def deck_points_band(deck: AnrDeck) -> PointsBand | None:
    """Return the minimum and maximum agenda points of this deck.

    A deck below the minimum size of its identity is treated as having that size. Returns None for
    Runner decks or without an identity of the deck's side.
    """
    minimum = _minimum_size(deck)
    return None if minimum is None else points_band(max(deck.size, minimum))


def agenda_points_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the total of printed points times copies, over all lines."""
    minimum, band = _minimum_size(deck), deck_points_band(deck)
    points = agenda_points_of(deck.slots)
    if minimum is None or band is None or band[0] <= points <= band[1]:
        return
    message = f"{wording.points(points)} in {wording.cards(deck.size)}; {_fitting_sizes(band)}."
    if points < band[0]:
        remedy = _more_points(points, band, deck.size, minimum)
    else:
        remedy = _fewer_points(points, band, deck.size, minimum)
    yield Breach("agenda_points", message, remedy, rule=AGENDA_POINTS_RULE)


def agenda_faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check for agendas of factions the identity does not allow; each title is reported once."""
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if identity is None or deck.side != "corp" or terms.any_agendas:
        return
    at_home = {identity.faction, *NEUTRAL_FACTIONS}
    guests = [one for one in deck.of_type("agenda") if one.card.faction not in at_home]
    if terms.guest_agendas:
        yield from _too_many_guest_agendas(guests, identity)
    else:
        yield from (_wrong_agenda_faction(copies, identity) for copies in guests)


def _minimum_size(deck: AnrDeck) -> int | None:
    """Return the minimum size of a Corp deck with a Corp identity; None for any other deck."""
    identity = ruling_identity(deck)
    if identity is None or deck.side != "corp":
        return None
    return identity.minimum_deck_size or 0


def _more_points(points: int, band: PointsBand, size: int, minimum: int) -> str:
    """Suggest adding agendas, or shrinking to a size for which the points are enough."""
    remedy = f"Add {_points_between(band[0] - points, band[1] - points)}"
    if size >= minimum:
        remedy += " in place of other cards"
    if sizes := _sizes_for(points, minimum):
        cards = _cards_between(size - sizes[-1], size - sizes[0])
        remedy += (
            f", or take out {cards} other than agendas: {_fitting_sizes(points_band(sizes[0]))}"
        )
    return f"{remedy}."


def _fewer_points(points: int, band: PointsBand, size: int, minimum: int) -> str:
    """Suggest removing agendas, or growing to a size that fits the points."""
    sizes = _sizes_for(points, minimum)
    cards = _cards_between(sizes[0] - size, sizes[-1] - size)
    return (
        f"Put other cards in place of {_points_between(points - band[1], points - band[0])},"
        f" or add {cards} other than agendas: {_fitting_sizes(points_band(sizes[0]))}."
    )


def _sizes_for(points: int, minimum: int) -> range:
    """Return the deck sizes, from the minimum up, with a range that includes `points`."""
    first = 5 * (points // 2 - 1)
    return range(max(first, minimum), first + 5)


def _fitting_sizes(band: PointsBand) -> str:
    first = 5 * (band[0] // 2 - 1)
    return f"decks of {first} to {first + 4} cards have {_number_or_next(*band)}"


def _wrong_agenda_faction(copies: TitleCopies, identity: CardFacts) -> Breach:
    card, faction = copies.card, faction_name(copies.card.faction)
    own = "" if is_neutral(identity) else f"{faction_name(identity.faction)} and "
    message = (
        f"{card.title} is an agenda of {faction};"
        f" a deck of {identity.title} has only {own}neutral agendas."
    )
    points = wording.points(copies.quantity * card.agenda_points)
    remedy = f"Put other agendas in place of {wording.all_copies(copies.quantity)} ({points})."
    return Breach("agenda_faction", message, remedy, copies.line, card.title, AGENDA_FACTION_RULE)


def _too_many_guest_agendas(guests: list[TitleCopies], identity: CardFacts) -> Iterator[Breach]:
    """Yield one breach per faction: the player chooses which agendas to remove."""
    terms = identity_terms(identity)
    titles: dict[str, list[str]] = defaultdict(list)
    for copies in guests:
        titles[copies.card.faction].append(copies.card.title)
    for faction, different in sorted(titles.items()):
        excess = len(different) - terms.guest_agendas
        if excess > 0:
            message = (
                f"{len(different)} different agendas of {faction_name(faction)}"
                f" ({wording.listing(sorted(different))}); a deck of {identity.title} has"
                f" at most {terms.guest_agendas} of each faction."
            )
            remedy = f"Take out {excess} of them, or put neutral agendas in their place."
            concerns = tuple(sorted(different))
            yield Breach("agenda_faction", message, remedy, rule=terms.source, concerns=concerns)


def _cards_between(first: int, last: int) -> str:
    if first == last:
        return wording.cards(first)
    return f"{first} {'or' if last == first + 1 else 'to'} {last} cards"


def _points_between(least: int, most: int) -> str:
    return f"{_number_or_next(least, most)} agenda points"


def _number_or_next(least: int, most: int) -> str:
    return f"{least} or {most}"


# Size, side and copies of a deck.


CONSTRUCTION_RULES = "Comprehensive rules, deck construction"
ONE_SIDE_RULE = f"{CONSTRUCTION_RULES}: the identity and the cards of a deck are of one side"
MINIMUM_SIZE_RULE = (
    f"{CONSTRUCTION_RULES}: a deck has at least as many cards as its identity says, itself not "
    "counted"
)
COPIES_RULE = (
    f"{CONSTRUCTION_RULES}: a deck has at most 3 copies of a card, unless the card says otherwise"
)
USUAL_COPIES = 3


def construction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Breaches with the codes deck_size, wrong_side, too_many_copies, singleton, forbidden_faction.

    Each title is reported once, at its first line. Without an identity of the deck's side, only
    sides and the copy limits of cards are checked.
    """
    yield from side_breaches(deck)
    yield from size_breaches(deck)
    yield from copies_breaches(deck)
    yield from forbidden_faction_breaches(deck)


def side_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check that the identity and each card belong to the deck's side."""
    for copies in deck.titles():
        card = copies.card
        if card.side == deck.side:
            continue
        right, wrong = wording.SIDE_NAMES[deck.side], wording.SIDE_NAMES[card.side]
        kind = "identity" if card.is_identity else "card"
        message = f"{card.title} is a {wrong} {kind}; this is a {right} deck."
        remedy = f"Take out {wording.all_copies(copies.quantity)}."
        if card.is_identity:
            remedy = f"Name a {right} identity, or hand the list in as the {wrong} deck."
        yield Breach("wrong_side", message, remedy, copies.line, card.title, ONE_SIDE_RULE)


def size_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the minimum size of the identity; copies of unknown titles do not count."""
    identity = ruling_identity(deck)
    minimum = (identity.minimum_deck_size if identity else None) or 0
    if identity is None or deck.size >= minimum:
        return
    message = (
        f"{wording.cards(deck.size)}; a deck of {identity.title} has at least {minimum},"
        " the identity not counted."
    )
    if deck.unread:
        message += f" {deck.unread} more on lines that name no known card do not count."
    remedy = f"Add {wording.cards(minimum - deck.size)}."
    if deck.side == "corp":
        least, most = points_band(minimum)
        remedy += f" A deck of {minimum} has {least} or {most} agenda points."
    yield Breach("deck_size", message, remedy, rule=MINIMUM_SIZE_RULE)


def copies_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the copy limit of each card or of the identity, over all lines."""
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if terms.any_copies:
        return
    for copies in deck.copies.values():
        if identity is not None and terms.singleton:
            if copies.quantity > 1:
                yield _second_copy(copies, identity)
        elif copies.card.deck_limit is not None and copies.quantity > copies.card.deck_limit:
            yield _too_many_copies(copies, copies.card.deck_limit)


def forbidden_faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check for cards of the faction that the identity forbids."""
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if identity is None or not terms.forbidden_faction:
        return
    for card, copies in deck.copies.items():
        if card.faction == terms.forbidden_faction:
            faction = faction_name(card.faction)
            message = (
                f"{card.title} belongs to {faction};"
                f" a deck of {identity.title} has no {faction} cards."
            )
            remedy = f"Take out {wording.all_copies(copies.quantity)}."
            yield Breach(
                "forbidden_faction", message, remedy, copies.line, card.title, terms.source
            )


def _second_copy(copies: TitleCopies, identity: CardFacts) -> Breach:
    message = (
        f"{wording.copies(copies.quantity)} of {copies.card.title};"
        f" a deck of {identity.title} has at most 1 of each card."
    )
    remedy = f"Take out {wording.copies(copies.quantity - 1)}."
    rule = identity_terms(identity).source
    return Breach("singleton", message, remedy, copies.line, copies.card.title, rule)


def _too_many_copies(copies: TitleCopies, limit: int) -> Breach:
    title = copies.card.title
    message = f"{wording.copies(copies.quantity)} of {title}; a deck has at most {limit}."
    remedy = f"Take out {wording.copies(copies.quantity - limit)}."
    rule = COPIES_RULE
    if limit != USUAL_COPIES:
        rule = f"Text of {title}: a deck has at most {wording.copies(limit)} of it"
    return Breach("too_many_copies", message, remedy, copies.line, title, rule)
