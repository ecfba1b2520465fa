"""Size, side and copies of a deck. DECK_RULES 1, 4, 5 and 9."""

from collections.abc import Iterator

from decks.legality import wording
from decks.legality.anr import agendas, factions, identities
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.records import Breach, CardFacts

RULES = "Comprehensive rules, deck construction"
ONE_SIDE = f"{RULES}: the identity and the cards of a deck are of one side"
MINIMUM = f"{RULES}: a deck has at least as many cards as its identity says, itself not counted"
COPIES = f"{RULES}: a deck has at most 3 copies of a card, unless the card says otherwise"
USUAL_COPIES = 3


def breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Breaches with the codes deck_size, wrong_side, too_many_copies, singleton, forbidden_faction.

    Each title is reported once, at its first line. Without an identity of the deck's side, only
    sides and the copy limits of cards are checked.
    """
    yield from side_breaches(deck)
    yield from size_breaches(deck)
    yield from copies_breaches(deck)
    yield from faction_breaches(deck)


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
        yield Breach("wrong_side", message, remedy, copies.line, card.title, ONE_SIDE)


def size_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the minimum size of the identity; copies of unknown titles do not count."""
    identity = identities.ruling_identity(deck)
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
        least, most = agendas.band_of(minimum)
        remedy += f" A deck of {minimum} has {least} or {most} agenda points."
    yield Breach("deck_size", message, remedy, rule=MINIMUM)


def copies_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the copy limit of each card or of the identity, over all lines."""
    identity = identities.ruling_identity(deck)
    terms = identities.terms_of(identity)
    if terms.any_copies:
        return
    for copies in deck.copies.values():
        if identity is not None and terms.singleton:
            if copies.quantity > 1:
                yield _second_copy(copies, identity)
        elif copies.card.deck_limit is not None and copies.quantity > copies.card.deck_limit:
            yield _too_many(copies, copies.card.deck_limit)


def faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check for cards of the faction that the identity forbids."""
    identity = identities.ruling_identity(deck)
    terms = identities.terms_of(identity)
    if identity is None or not terms.forbidden_faction:
        return
    for card, copies in deck.copies.items():
        if card.faction == terms.forbidden_faction:
            faction = factions.name_of(card.faction)
            message = (
                f"{card.title} belongs to {faction};"
                f" a deck of {identity.title} has no {faction} cards."
            )
            remedy = f"Take out {wording.all_copies(copies.quantity)}."
            yield Breach(
                "forbidden_faction", message, remedy, copies.line, card.title, terms.source
            )


def _second_copy(copies: Copies, identity: CardFacts) -> Breach:
    message = (
        f"{wording.copies(copies.quantity)} of {copies.card.title};"
        f" a deck of {identity.title} has at most 1 of each card."
    )
    remedy = f"Take out {wording.copies(copies.quantity - 1)}."
    rule = identities.terms_of(identity).source
    return Breach("singleton", message, remedy, copies.line, copies.card.title, rule)


def _too_many(copies: Copies, limit: int) -> Breach:
    title = copies.card.title
    message = f"{wording.copies(copies.quantity)} of {title}; a deck has at most {limit}."
    remedy = f"Take out {wording.copies(copies.quantity - limit)}."
    rule = COPIES
    if limit != USUAL_COPIES:
        rule = f"Text of {title}: a deck has at most {wording.copies(limit)} of it"
    return Breach("too_many_copies", message, remedy, copies.line, title, rule)
