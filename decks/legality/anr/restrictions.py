"""Bans, restrictions and points of a ban list. Influence charges are in `charges`."""

from collections.abc import Iterator, Mapping

from decks.legality import wording
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.formats import RestrictionFacts
from decks.legality.records import Breach, CardFacts

MOST_RESTRICTED_TITLES = 1


def breaches(deck: AnrDeck, restriction: RestrictionFacts | None) -> Iterator[Breach]:
    """Yield banned titles and subtypes, multiple restricted titles, and excess points.

    The identity counts like every title. Source: "How lists work" of DECK_RULES.
    """
    if restriction is None:
        return
    for copies in deck.titles():
        yield from _ban(copies, restriction)
    yield from _restricted(deck, restriction)
    yield from _points(deck, restriction)


def banned_subtype(card: CardFacts, restriction: RestrictionFacts) -> str | None:
    """Return the first subtype of the card, in alphabetical order, that the list bans entirely."""
    if not restriction.banned_subtypes:
        return None
    banned = (one for one in sorted(restriction.banned_subtypes) if card.has_subtype(one))
    return next(banned, None)


def is_banned(card: CardFacts, restriction: RestrictionFacts | None) -> bool:
    """True if the card is banned by its title or by a subtype."""
    if restriction is None:
        return False
    return card.card_id in restriction.banned or banned_subtype(card, restriction) is not None


def pointed(deck: AnrDeck, restriction: RestrictionFacts) -> Mapping[CardFacts, int]:
    """Return the points of each title, independent of the number of copies."""
    return {
        copies.card: restriction.points[copies.card.card_id]
        for copies in deck.titles()
        if copies.card.card_id in restriction.points
    }


def list_rule(restriction: RestrictionFacts) -> str:
    return f"{restriction.name}, in force from {wording.day(restriction.effective_from)}"


def _ban(copies: Copies, restriction: RestrictionFacts) -> Iterator[Breach]:
    card = copies.card
    code, message = "banned_card", f"{card.title} is banned by {restriction.name}."
    # Report one ban per title: a ban by name takes precedence over a banned subtype.
    if card.card_id not in restriction.banned:
        subtype = banned_subtype(card, restriction)
        if subtype is None:
            return
        code = "banned_subtype"
        message = f'{card.title} is a card of the subtype "{subtype}", which is banned as a whole.'
    remedy = f"Take out {wording.all_copies(copies.quantity)}."
    if card.is_identity:
        remedy = "Choose another identity."
    yield Breach(code, message, remedy, copies.line, card.title, list_rule(restriction))


def _restricted(deck: AnrDeck, restriction: RestrictionFacts) -> Iterator[Breach]:
    titles = [one for one in deck.titles() if one.card.card_id in restriction.restricted]
    if len(titles) <= MOST_RESTRICTED_TITLES:
        return
    titles.sort(key=lambda one: one.card.title_key)
    names = [_with_line(one) for one in titles]
    yield Breach(
        "restricted",
        f"{len(titles)} restricted titles: {wording.listing(names)}; a deck may hold cards of 1.",
        "Keep the copies of one of these titles and take out the others.",
        rule=list_rule(restriction),
        concerns=tuple(one.card.title for one in titles),
    )


def _points(deck: AnrDeck, restriction: RestrictionFacts) -> Iterator[Breach]:
    costs = pointed(deck, restriction)
    total, limit = sum(costs.values()), restriction.point_limit
    if limit is None or total <= limit:
        return
    dearest_first = sorted(costs.items(), key=lambda item: (-item[1], item[0].title_key))
    names = [f"{card.title} ({points})" for card, points in dearest_first]
    yield Breach(
        "points",
        f"{total} points: {wording.listing(names)}; at most {limit} are allowed.",
        f"Take out whole titles worth {total - limit} or more of these points.",
        rule=list_rule(restriction),
        concerns=tuple(card.title for card, _ in dearest_first),
    )


def _with_line(copies: Copies) -> str:
    return f"{copies.card.title} (line {copies.line})" if copies.line else copies.card.title
