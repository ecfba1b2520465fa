"""Deck construction in Android: Netrunner: sizes, copies, influence and agendas.

Breaches are in arbitrary order; each title is reported once, at its first line. Unless said
otherwise, nothing is reported without an identity of the deck's side.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from core.text import with_full_stop
from decks.legality import wording
from decks.legality.records import Breach, CardFacts, CardSlot, RestrictionFacts, agenda_points_of


@dataclass(frozen=True)
class TitleCopies:
    """All copies of one title over all its lines."""

    card: CardFacts
    quantity: int
    # The first of its lines.
    line: int | None


@dataclass(frozen=True)
class AnrDeck:
    """An identity and the cards of known titles."""

    # Empty if unknown.
    side: str
    identity: CardFacts | None
    # Without the identity.
    slots: tuple[CardSlot, ...]
    identity_line: int | None = None
    # Copies on lines without a known card, which do not count.
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
        return sum(slot.quantity for slot in self.slots)

    def titles(self) -> Iterator[TitleCopies]:
        """Yield every title of the deck; the identity comes first, as one copy."""
        if self.identity:
            yield TitleCopies(self.identity, 1, self.identity_line)
        yield from self.copies.values()

    def of_type(self, type_: str) -> Iterator[TitleCopies]:
        return (copies for copies in self.copies.values() if copies.card.type == type_)


# Factions


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
    """Neutral cards are never in faction."""
    return card.faction in NEUTRAL_FACTIONS


def faction_name(faction: str) -> str:
    """Return the name of a faction; for an unknown faction, its id as words."""
    return FACTION_NAMES.get(faction) or faction.replace("_", " ").title()


# Exceptions of single identities


DRAFT_SET = "draft"


@dataclass(frozen=True)
class IdentityTerms:
    """Exceptions of one identity to the common rules."""

    source: str = ""
    # At most one copy of each card.
    singleton: bool = False
    # No copy limit.
    any_copies: bool = False
    # Agendas of every faction.
    any_agendas: bool = False
    # Maximum number of different agendas of each other faction.
    guest_agendas: int = 0
    # No card of this faction.
    forbidden_faction: str = ""
    # Card type whose first copy of each title costs no influence.
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


# Alliances


CountFunction = Callable[[AnrDeck, CardFacts], int]


def _count_of_faction(deck: AnrDeck, card: CardFacts) -> int:
    return sum(
        copies.quantity
        for counted, copies in deck.copies.items()
        if counted.faction == card.faction and not counted.has_subtype("alliance")
    )


def _count_of_type(type_: str) -> CountFunction:
    return lambda deck, _: sum(copies.quantity for copies in deck.of_type(type_))


def _count_of_pad_campaign(deck: AnrDeck, _: CardFacts) -> int:
    cards = deck.copies.items()
    return sum(copies.quantity for card, copies in cards if card.card_id == "pad_campaign")


@dataclass(frozen=True)
class AllianceCondition:
    """An alliance card is free if `count` is from `least` to `most` (None: no upper bound)."""

    count: CountFunction
    # Description such as "6 or more {faction} cards other than alliances".
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
    "museum_of_history": AllianceCondition(lambda deck, _: deck.size, "50 or more cards", least=50),
    "pad_factory": AllianceCondition(
        _count_of_pad_campaign, "exactly 3 copies of PAD Campaign", least=3, most=3
    ),
}


def alliance_hint(deck: AnrDeck, card: CardFacts) -> str:
    """Explain when this card would be free; empty if it is already, or is no alliance."""
    condition = ALLIANCE_CONDITIONS.get(card.card_id)
    if condition is None or condition.holds(deck, card):
        return ""
    words = condition.words.format(faction=faction_name(card.faction))
    return (
        f"{card.title} costs no influence in a deck with {words};"
        f" this one has {condition.count(deck, card)}."
    )


# Influence


@dataclass(frozen=True)
class InfluenceCharge:
    card: CardFacts
    # Influence per copy; may be 0.
    each: int
    quantity: int


def influence_charges(
    deck: AnrDeck, restriction: RestrictionFacts | None
) -> Iterator[InfluenceCharge]:
    """Yield the cost per copy after discounts; a title appears twice if its copies differ.

    Without an identity of the deck's side, all costs are 0. Cards of the other side cost nothing
    here; they are reported as a breach of their own.
    """
    identity = ruling_identity(deck)
    free = identity_terms(identity).first_copy_free
    universal_costs = restriction.universal_influence if restriction else {}
    for card, copies in deck.copies.items():
        quantity = copies.quantity
        if identity is None or card.side != deck.side:
            yield InfluenceCharge(card, 0, quantity)
            continue
        universal = universal_costs.get(card.card_id, 0)
        in_faction = card.faction == identity.faction and not is_neutral(card)
        printed = card.influence_cost or 0
        alliance = ALLIANCE_CONDITIONS.get(card.card_id)
        if in_faction or (printed and alliance and alliance.holds(deck, card)):
            printed = 0
        # The first copy of a card of type `free` costs only universal influence.
        if card.type == free:
            yield InfluenceCharge(card, universal, 1)
            quantity -= 1
        if quantity:
            yield InfluenceCharge(card, universal + printed, quantity)


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
    """Return the limit after penalties, at least 1; None without a limit or an identity."""
    identity = ruling_identity(deck)
    if identity is None or identity.influence_limit is None:
        return None
    lowered = max(1, identity.influence_limit - influence_penalty(deck, restriction))
    return min(identity.influence_limit, lowered)


def influence_excess(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    """0 or less is legal."""
    limit = influence_limit(deck, restriction)
    return 0 if limit is None else influence_spent(deck, restriction) - limit


def influence_penalty(deck: AnrDeck, restriction: RestrictionFacts | None) -> int:
    """Return the total reduction of the limit, before the minimum of 1 applies."""
    return _list_figure(deck, restriction.global_penalty) if restriction else 0


def universal_influence(deck: AnrDeck, restriction: RestrictionFacts) -> int:
    return _list_figure(deck, restriction.universal_influence)


def _list_figure(deck: AnrDeck, figures: Mapping[str, int]) -> int:
    """Sum a ban list figure over all copies of the deck's side."""
    return sum(
        copies.quantity * figures.get(card.card_id, 0)
        for card, copies in deck.copies.items()
        if card.side == deck.side
    )


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
        slots = [
            CardSlot(card, left, copies.line)
            for card, copies in deck.copies.items()
            if (left := copies.quantity - choice[card])
        ]
        deck = replace(deck, slots=(*slots, CardSlot(ANY_OTHER_CARD, choice.total())))
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


INFLUENCE_RULE = (
    "Comprehensive rules, deck construction: cards that are not of the identity's faction"
    " cost influence, up to the limit of the identity"
)
MAX_TITLES_NAMED = 5


def influence_breaches(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Iterator[Breach]:
    """Yield the breach `influence` if the limit is exceeded; it names the cards to exchange."""
    if influence_excess(deck, restriction) <= 0:
        return
    choice = copies_to_exchange(deck, restriction)
    exchanged = [f"{wording.copies(number)} of {card.title}" for card, number in choice.items()]
    if len(exchanged) > MAX_TITLES_NAMED:
        more = sum(list(choice.values())[MAX_TITLES_NAMED:])
        exchanged = [*exchanged[:MAX_TITLES_NAMED], f"{more} more of the dearest cards"]
    remedy = with_full_stop(
        f"Put cards that cost no influence in place of {wording.listing(exchanged)}"
    )
    costs = influence_by_title(deck, restriction)
    hints = (alliance_hint(deck, card) for card, cost in costs.items() if cost)
    rule = INFLUENCE_RULE
    if restriction and restriction.changes_influence:
        rule = f"{INFLUENCE_RULE}; {restriction.name}"
    yield Breach(
        "influence",
        _influence_message(deck, restriction),
        " ".join([remedy, *sorted(filter(None, hints))]),
        rule=rule,
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


# Agendas of Corp decks


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
    """Yield breaches with the codes agenda_points and agenda_faction."""
    yield from agenda_points_breaches(deck)
    yield from agenda_faction_breaches(deck)


def points_band(size: int) -> PointsBand:
    """Return the range of agenda points for a deck size (45 to 49: 20 and 21)."""
    least = 2 * (size // 5) + 2
    return least, least + 1


def deck_points_band(deck: AnrDeck) -> PointsBand | None:
    """Return the range of agenda points of this deck, None if there is none.

    A deck below the minimum size of its identity is treated as having that size.
    """
    minimum = _minimum_size(deck)
    return None if minimum is None else points_band(max(deck.size, minimum))


def agenda_points_breaches(deck: AnrDeck) -> Iterator[Breach]:
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
    """Each title is reported once."""
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if identity is None or deck.side != "corp" or terms.any_agendas:
        return
    at_home = {identity.faction, *NEUTRAL_FACTIONS}
    guests = [item for item in deck.of_type("agenda") if item.card.faction not in at_home]
    if terms.guest_agendas:
        yield from _too_many_guest_agendas(guests, identity)
        return
    own = "" if is_neutral(identity) else f"{faction_name(identity.faction)} and "
    for copies in guests:
        card = copies.card
        message = (
            f"{card.title} is an agenda of {faction_name(card.faction)};"
            f" a deck of {identity.title} has only {own}neutral agendas."
        )
        points = wording.points(copies.quantity * card.agenda_points)
        remedy = f"Put other agendas in place of {wording.all_copies(copies.quantity)} ({points})."
        yield Breach(
            "agenda_faction", message, remedy, copies.line, card.title, AGENDA_FACTION_RULE
        )


def _minimum_size(deck: AnrDeck) -> int | None:
    """Return the minimum size of a Corp deck with a Corp identity; None for any other deck."""
    identity = ruling_identity(deck)
    if identity is None or deck.side != "corp":
        return None
    return identity.minimum_deck_size or 0


def _more_points(points: int, band: PointsBand, size: int, minimum: int) -> str:
    """Suggest adding agendas, or shrinking to a size for which the points are enough."""
    remedy = f"Add {band[0] - points} or {band[1] - points} agenda points"
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
        f"Put other cards in place of {points - band[1]} or {points - band[0]} agenda points,"
        f" or add {cards} other than agendas: {_fitting_sizes(points_band(sizes[0]))}."
    )


def _sizes_for(points: int, minimum: int) -> range:
    """Return the deck sizes, from the minimum up, with a range that includes `points`."""
    first = 5 * (points // 2 - 1)
    return range(max(first, minimum), first + 5)


def _fitting_sizes(band: PointsBand) -> str:
    first = 5 * (band[0] // 2 - 1)
    return f"decks of {first} to {first + 4} cards have {band[0]} or {band[1]}"


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


# Size, side and copies


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
    """Yield deck_size, wrong_side, too_many_copies, singleton and forbidden_faction.

    Without an identity of the deck's side, only sides and the copy limits of cards are checked.
    """
    yield from side_breaches(deck)
    yield from size_breaches(deck)
    yield from copies_breaches(deck)
    yield from forbidden_faction_breaches(deck)


def side_breaches(deck: AnrDeck) -> Iterator[Breach]:
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
    # Copies of unknown titles do not count.
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
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if terms.any_copies:
        return
    for card, copies in deck.copies.items():
        limit = 1 if identity and terms.singleton else card.deck_limit
        if limit is None or copies.quantity <= limit:
            continue
        code, rule = "too_many_copies", COPIES_RULE
        message = f"{wording.copies(copies.quantity)} of {card.title}; a deck has at most {limit}."
        if identity and terms.singleton:
            code, rule = "singleton", terms.source
            message = (
                f"{wording.copies(copies.quantity)} of {card.title};"
                f" a deck of {identity.title} has at most 1 of each card."
            )
        elif limit != USUAL_COPIES:
            rule = f"Text of {card.title}: a deck has at most {wording.copies(limit)} of it"
        remedy = f"Take out {wording.copies(copies.quantity - limit)}."
        yield Breach(code, message, remedy, copies.line, card.title, rule)


def forbidden_faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
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
