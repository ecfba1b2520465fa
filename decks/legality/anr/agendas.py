"""Agendas in Corp decks: required points and allowed factions. DECK_RULES 2 and 3."""

from collections import defaultdict
from collections.abc import Iterator

from decks.legality import wording
from decks.legality.anr import factions, identities
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.records import Breach, CardFacts, agenda_points_of

POINTS_RULE = (
    "Comprehensive rules, deck construction: a Corp deck has 2 agenda points for every"
    " full 5 cards and 2 more, or 1 above that"
)
FACTION_RULE = (
    "Comprehensive rules, deck construction: the agendas of a deck are of the identity's"
    " faction or neutral"
)

Band = tuple[int, int]


def breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Yield agenda breaches with the codes agenda_points and agenda_faction.

    Yields nothing for Runner decks or without an identity of the deck's side.
    """
    yield from points_breaches(deck)
    yield from faction_breaches(deck)


def band_of(size: int) -> Band:
    """Return the minimum and maximum agenda points for a deck size (45 to 49: 20 and 21)."""
    least = 2 * (size // 5) + 2
    return least, least + 1


def agenda_band(deck: AnrDeck) -> Band | None:
    """Return the minimum and maximum agenda points of this deck.

    A deck below the minimum size of its identity is treated as having that size. Returns None for
    Runner decks or without an identity of the deck's side.
    """
    minimum = _minimum_size(deck)
    return None if minimum is None else band_of(max(deck.size, minimum))


def points_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check the total of printed points times copies, over all lines."""
    minimum, band = _minimum_size(deck), agenda_band(deck)
    points = agenda_points_of(deck.slots)
    if minimum is None or band is None or band[0] <= points <= band[1]:
        return
    message = f"{wording.points(points)} in {wording.cards(deck.size)}; {_fitting(band)}."
    if points < band[0]:
        remedy = _more_points(points, band, deck.size, minimum)
    else:
        remedy = _fewer_points(points, band, deck.size, minimum)
    yield Breach("agenda_points", message, remedy, rule=POINTS_RULE)


def faction_breaches(deck: AnrDeck) -> Iterator[Breach]:
    """Check for agendas of factions the identity does not allow; each title is reported once."""
    identity = identities.ruling_identity(deck)
    terms = identities.terms_of(identity)
    if identity is None or deck.side != "corp" or terms.any_agendas:
        return
    at_home = {identity.faction, *factions.NEUTRAL}
    guests = [one for one in deck.of_type("agenda") if one.card.faction not in at_home]
    if terms.guest_agendas:
        yield from _too_many_guests(guests, identity)
    else:
        yield from (_wrong_faction(copies, identity) for copies in guests)


def _minimum_size(deck: AnrDeck) -> int | None:
    """Return the minimum size of a Corp deck with a Corp identity; None for any other deck."""
    identity = identities.ruling_identity(deck)
    if identity is None or deck.side != "corp":
        return None
    return identity.minimum_deck_size or 0


def _more_points(points: int, band: Band, size: int, minimum: int) -> str:
    """Suggest adding agendas, or shrinking to a size for which the points are enough."""
    remedy = f"Add {_points(band[0] - points, band[1] - points)}"
    if size >= minimum:
        remedy += " in place of other cards"
    if sizes := _sizes_for(points, minimum):
        cards = _cards(size - sizes[-1], size - sizes[0])
        remedy += f", or take out {cards} other than agendas: {_fitting(band_of(sizes[0]))}"
    return f"{remedy}."


def _fewer_points(points: int, band: Band, size: int, minimum: int) -> str:
    """Suggest removing agendas, or growing to a size that fits the points."""
    sizes = _sizes_for(points, minimum)
    cards = _cards(sizes[0] - size, sizes[-1] - size)
    return (
        f"Put other cards in place of {_points(points - band[1], points - band[0])},"
        f" or add {cards} other than agendas: {_fitting(band_of(sizes[0]))}."
    )


def _sizes_for(points: int, minimum: int) -> range:
    """Return the deck sizes, from the minimum up, with a range that includes `points`."""
    first = 5 * (points // 2 - 1)
    return range(max(first, minimum), first + 5)


def _fitting(band: Band) -> str:
    first = 5 * (band[0] // 2 - 1)
    return f"decks of {first} to {first + 4} cards have {_either(*band)}"


def _wrong_faction(copies: Copies, identity: CardFacts) -> Breach:
    card, faction = copies.card, factions.name_of(copies.card.faction)
    own = "" if factions.is_neutral(identity) else f"{factions.name_of(identity.faction)} and "
    message = (
        f"{card.title} is an agenda of {faction};"
        f" a deck of {identity.title} has only {own}neutral agendas."
    )
    points = wording.points(copies.quantity * card.agenda_points)
    remedy = f"Put other agendas in place of {wording.all_copies(copies.quantity)} ({points})."
    return Breach("agenda_faction", message, remedy, copies.line, card.title, FACTION_RULE)


def _too_many_guests(guests: list[Copies], identity: CardFacts) -> Iterator[Breach]:
    """Yield one breach per faction: the player chooses which agendas to remove."""
    terms = identities.terms_of(identity)
    titles: dict[str, list[str]] = defaultdict(list)
    for copies in guests:
        titles[copies.card.faction].append(copies.card.title)
    for faction, different in sorted(titles.items()):
        excess = len(different) - terms.guest_agendas
        if excess > 0:
            message = (
                f"{len(different)} different agendas of {factions.name_of(faction)}"
                f" ({wording.listing(sorted(different))}); a deck of {identity.title} has"
                f" at most {terms.guest_agendas} of each faction."
            )
            remedy = f"Take out {excess} of them, or put neutral agendas in their place."
            concerns = tuple(sorted(different))
            yield Breach("agenda_faction", message, remedy, rule=terms.source, concerns=concerns)


def _cards(first: int, last: int) -> str:
    if first == last:
        return wording.cards(first)
    return f"{first} {'or' if last == first + 1 else 'to'} {last} cards"


def _points(least: int, most: int) -> str:
    return f"{_either(least, most)} agenda points"


def _either(least: int, most: int) -> str:
    return f"{least} or {most}"
