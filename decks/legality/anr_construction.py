"""Deck construction in Android: Netrunner: sizes, copies, influence and agendas.

Breaches are in arbitrary order; each title is reported once, at its first line. Unless said
otherwise, nothing is reported without an identity of the deck's side.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from decks.legality.check_texts import CheckText, check_text
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

    # The text on the identity that makes the exception.
    source: CheckText | None = None
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

# The draft set: any number of copies, and agendas of every faction.
DRAFT_TERMS = IdentityTerms(any_copies=True, any_agendas=True)

TERMS_BY_CARD_ID: Mapping[str, IdentityTerms] = {
    "ampere_cybernetics_for_anyone": IdentityTerms(
        check_text("ampere_rule"),
        singleton=True,
        guest_agendas=2,
    ),
    "nova_initiumia_catalyst_impetus": IdentityTerms(check_text("nova_rule"), singleton=True),
    "custom_biotics_engineered_for_success": IdentityTerms(
        check_text("custom_biotics_rule"),
        forbidden_faction="jinteki",
    ),
    # Its text: the first copy of each program costs no influence.
    "the_professor_keeper_of_knowledge": IdentityTerms(first_copy_free="program"),
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
    # Code of the text that explains the condition.
    code: str
    least: int = 0
    most: int | None = None

    def holds(self, deck: AnrDeck, card: CardFacts) -> bool:
        count = self.count(deck, card)
        return self.least <= count and (self.most is None or count <= self.most)


SIX_OF_ITS_FACTION = AllianceCondition(_count_of_faction, "free_with_faction_cards", least=6)

ALLIANCE_CONDITIONS: Mapping[str, AllianceCondition] = {
    "consulting_visit": SIX_OF_ITS_FACTION,
    "executive_search_firm": SIX_OF_ITS_FACTION,
    "heritage_committee": SIX_OF_ITS_FACTION,
    "ibrahim_salem": SIX_OF_ITS_FACTION,
    "jeeves_model_bioroids": SIX_OF_ITS_FACTION,
    "product_recall": SIX_OF_ITS_FACTION,
    "raman_rai": SIX_OF_ITS_FACTION,
    "salems_hospitality": SIX_OF_ITS_FACTION,
    "mumba_temple": AllianceCondition(_count_of_type("ice"), "free_with_ice", most=15),
    "mumbad_virtual_tour": AllianceCondition(_count_of_type("asset"), "free_with_assets", least=7),
    "museum_of_history": AllianceCondition(lambda deck, _: deck.size, "free_with_size", least=50),
    "pad_factory": AllianceCondition(
        _count_of_pad_campaign, "free_with_pad_campaigns", least=3, most=3
    ),
}


def alliance_hint(deck: AnrDeck, card: CardFacts) -> CheckText | None:
    """Explain when this card would be free; None if it is already, or is no alliance."""
    condition = ALLIANCE_CONDITIONS.get(card.card_id)
    if condition is None or condition.holds(deck, card):
        return None
    return check_text(
        condition.code,
        card=card.title,
        faction=faction_name(card.faction),
        count=condition.count(deck, card),
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


MAX_TITLES_NAMED = 5


def influence_breaches(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Iterator[Breach]:
    """Yield the breach `influence` if the limit is exceeded; it names the cards to exchange."""
    if influence_excess(deck, restriction) <= 0:
        return
    choice = copies_to_exchange(deck, restriction)
    title_copies = [[card.title, number] for card, number in choice.items()]
    remedy = check_text("exchange_cards", title_copies=title_copies)
    if len(title_copies) > MAX_TITLES_NAMED:
        named, others = title_copies[:MAX_TITLES_NAMED], list(choice.values())[MAX_TITLES_NAMED:]
        remedy = check_text("exchange_cards_and_more", title_copies=named, more=sum(others))
    costs = influence_by_title(deck, restriction)
    hints = filter(None, (alliance_hint(deck, card) for card, cost in costs.items() if cost))
    rule = check_text("influence_rule")
    if restriction and restriction.changes_influence:
        rule = check_text("influence_rule_of_list", restriction=restriction.name)
    yield Breach(
        "influence",
        tuple(_influence_problem(deck, restriction)),
        (remedy, *sorted(hints, key=str)),
        rule,
        concerns=tuple(card.title for card in choice),
    )


def _influence_problem(deck: AnrDeck, restriction: RestrictionFacts | None) -> Iterator[CheckText]:
    spent, limit = influence_spent(deck, restriction), influence_limit(deck, restriction)
    yield check_text("influence_spent", spent=spent, limit=limit)
    if restriction and (universal := universal_influence(deck, restriction)):
        yield check_text("universal_influence", influence=universal, restriction=restriction.name)
    if restriction and (lowered := influence_penalty(deck, restriction)):
        code = "limit_lowered_to_one" if limit == 1 else "limit_lowered"
        yield check_text(code, influence=lowered, restriction=restriction.name)


# Agendas of Corp decks


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
    problem = check_text(
        "agenda_points_band", points=points, size=deck.size, **_fitting_sizes(band)
    )
    if points < band[0]:
        remedy = _more_points(points, band, deck.size, minimum)
    else:
        remedy = _fewer_points(points, band, deck.size, minimum)
    yield Breach(
        "agenda_points", (problem,), (remedy,), check_text("construction_agenda_points_rule")
    )


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
    for copies in guests:
        card = copies.card
        params = {
            "card": card.title,
            "faction": faction_name(card.faction),
            "identity": identity.title,
        }
        problem = check_text("agenda_faction_neutral", **params)
        if not is_neutral(identity):
            own_faction = faction_name(identity.faction)
            problem = check_text("agenda_faction", **params, own_faction=own_faction)
        points = copies.quantity * card.agenda_points
        remedy = check_text("replace_agendas", copies=copies.quantity, points=points)
        rule = check_text("construction_agenda_faction_rule")
        yield Breach("agenda_faction", (problem,), (remedy,), rule, copies.line, card.title)


def _minimum_size(deck: AnrDeck) -> int | None:
    """Return the minimum size of a Corp deck with a Corp identity; None for any other deck."""
    identity = ruling_identity(deck)
    if identity is None or deck.side != "corp":
        return None
    return identity.minimum_deck_size or 0


def _more_points(points: int, band: PointsBand, size: int, minimum: int) -> CheckText:
    """Suggest adding agendas, or shrinking to a size for which the points are enough."""
    code = "swap_points_in" if size >= minimum else "add_points"
    params = {"fewest": band[0] - points, "largest": band[1] - points}
    sizes = _sizes_for(points, minimum)
    if not sizes:
        return check_text(code, **params)
    return check_text(
        f"{code}_or_shrink",
        **params,
        cards=[size - sizes[-1], size - sizes[0]],
        **_fitting_sizes(points_band(sizes[0])),
    )


def _fewer_points(points: int, band: PointsBand, size: int, minimum: int) -> CheckText:
    """Suggest removing agendas, or growing to a size that fits the points."""
    sizes = _sizes_for(points, minimum)
    return check_text(
        "swap_points_out_or_grow",
        fewest=points - band[1],
        largest=points - band[0],
        cards=[sizes[0] - size, sizes[-1] - size],
        **_fitting_sizes(points_band(sizes[0])),
    )


def _sizes_for(points: int, minimum: int) -> range:
    """Return the deck sizes, from the minimum up, with a range that includes `points`."""
    first = 5 * (points // 2 - 1)
    return range(max(first, minimum), first + 5)


def _fitting_sizes(band: PointsBand) -> dict[str, int]:
    """Return the deck sizes with this range of agenda points, as params."""
    first = 5 * (band[0] // 2 - 1)
    return {"first": first, "last": first + 4, "least": band[0], "most": band[1]}


def _too_many_guest_agendas(guests: list[TitleCopies], identity: CardFacts) -> Iterator[Breach]:
    """Yield one breach per faction: the player chooses which agendas to remove."""
    terms = identity_terms(identity)
    titles: dict[str, list[str]] = defaultdict(list)
    for copies in guests:
        titles[copies.card.faction].append(copies.card.title)
    for faction, different in sorted(titles.items()):
        excess = len(different) - terms.guest_agendas
        if excess > 0:
            problem = check_text(
                "guest_agendas",
                number=len(different),
                faction=faction_name(faction),
                titles=sorted(different),
                identity=identity.title,
                limit=terms.guest_agendas,
            )
            remedy = check_text("take_out_guest_agendas", number=excess)
            assert terms.source is not None
            concerns = tuple(sorted(different))
            yield Breach("agenda_faction", (problem,), (remedy,), terms.source, concerns=concerns)


# Size, side and copies


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
        sides = {"side": card.side, "deck_side": deck.side}
        problem = check_text("card_of_other_side", card=card.title, **sides)
        remedy = check_text("take_out", copies=copies.quantity)
        if card.is_identity:
            problem = check_text("identity_of_other_side", card=card.title, **sides)
            remedy = check_text("name_identity_of_side", **sides)
        rule = check_text("construction_side_rule")
        yield Breach("wrong_side", (problem,), (remedy,), rule, copies.line, card.title)


def size_breaches(deck: AnrDeck) -> Iterator[Breach]:
    # Copies of unknown titles do not count.
    identity = ruling_identity(deck)
    minimum = (identity.minimum_deck_size if identity else None) or 0
    if identity is None or deck.size >= minimum:
        return
    problem = [
        check_text("identity_deck_size", size=deck.size, identity=identity.title, minimum=minimum)
    ]
    if deck.unread:
        problem.append(check_text("unread_copies", copies=deck.unread))
    remedies = [check_text("add_cards", cards=minimum - deck.size)]
    if deck.side == "corp":
        least, most = points_band(minimum)
        remedies.append(check_text("size_has_points", minimum=minimum, least=least, most=most))
    rule = check_text("construction_size_rule")
    yield Breach("deck_size", tuple(problem), tuple(remedies), rule)


def copies_breaches(deck: AnrDeck) -> Iterator[Breach]:
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if terms.any_copies:
        return
    for card, copies in deck.copies.items():
        limit = 1 if identity and terms.singleton else card.deck_limit
        if limit is None or copies.quantity <= limit:
            continue
        params = {"copies": copies.quantity, "card": card.title}
        code, rule = "too_many_copies", check_text("construction_copies_rule")
        problem = check_text("too_many_copies", **params, limit=limit)
        if identity and terms.singleton:
            assert terms.source is not None
            code, rule = "singleton", terms.source
            problem = check_text("singleton", **params, identity=identity.title)
        elif limit != USUAL_COPIES:
            rule = check_text("card_copies_rule", card=card.title, limit=limit)
        remedy = check_text("take_out_copies", copies=copies.quantity - limit)
        yield Breach(code, (problem,), (remedy,), rule, copies.line, card.title)


def forbidden_faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    identity = ruling_identity(deck)
    terms = identity_terms(identity)
    if identity is None or not terms.forbidden_faction:
        return
    for card, copies in deck.copies.items():
        if card.faction == terms.forbidden_faction:
            problem = check_text(
                "forbidden_faction",
                card=card.title,
                faction=faction_name(card.faction),
                identity=identity.title,
            )
            remedy = check_text("take_out", copies=copies.quantity)
            assert terms.source is not None
            yield Breach(
                "forbidden_faction", (problem,), (remedy,), terms.source, copies.line, card.title
            )
