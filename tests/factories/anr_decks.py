"""Legal Android: Netrunner decks of real cards, for tests that break a single rule."""

from collections.abc import Iterable, Iterator
from functools import cache

from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardFacts, CardSlot
from tests.factories.decks import card, shipped_formats, shipped_table

Entry = tuple[int, str]
"""Number of copies, and the title of the card."""

Chosen = list[tuple[int, CardFacts]]

PADDING_TYPES = ("operation", "event", "upgrade", "hardware", "resource", "asset", "ice")
SINGLETON = ("Ampère: Cybernetics For Anyone", "Nova Initiumia: Catalyst & Impetus")


def anr_deck(
    identity: str, *entries: Entry, size: int | None = None, points: int | None = None
) -> AnrDeck:
    """A deck with these entries, filled with free neutral cards up to `size` and `points`.

    The identity is on line 1, the first entry on line 2. `size` defaults to the minimum of the
    identity, `points` to the least that a deck of this size needs. The deck is legal by the basic
    rules if size, points and entries are.
    """
    identity_card = card(identity, "anr")
    size = identity_card.minimum_deck_size or 0 if size is None else size
    max_copies = 1 if identity_card.title in SINGLETON else 3
    cards = [(quantity, card(title, "anr")) for quantity, title in entries]
    if identity_card.side == "corp":
        points = 2 * (size // 5) + 2 if points is None else points
        cards += _agendas_worth(points - points_of(cards), cards, max_copies)
    cards += _padding_of(size - copies_of(cards), cards, identity_card.side, max_copies)
    assert copies_of(cards) == size
    return deck_of(identity_card, cards)


def deck_of(identity: CardFacts | None, cards: Iterable[tuple[int, CardFacts]]) -> AnrDeck:
    """A deck of exactly these cards, with the identity, if any, on line 1."""
    slots = (CardSlot(card_, number, line) for line, (number, card_) in enumerate(cards, start=2))
    return AnrDeck(identity.side if identity else "corp", identity, tuple(slots), identity_line=1)


def points_of(cards: Chosen) -> int:
    return sum(number * card_.agenda_points for number, card_ in cards)


def copies_of(cards: Chosen) -> int:
    return sum(number for number, _ in cards)


def _agendas_worth(points: int, cards: Chosen, max_copies: int) -> Iterator[tuple[int, CardFacts]]:
    for agenda in _neutral_agendas():
        number = min(points // agenda.agenda_points, max_copies, agenda.deck_limit or max_copies)
        if number > 0 and all(agenda != other_card for _, other_card in cards):
            yield number, agenda
            points -= number * agenda.agenda_points
    assert points <= 0


def _padding_of(
    copies: int, cards: Chosen, side: str, max_copies: int
) -> Iterator[tuple[int, CardFacts]]:
    for padding_card in _padding(side):
        number = min(copies, max_copies)
        if number > 0 and all(padding_card != chosen_card for _, chosen_card in cards):
            yield number, padding_card
            copies -= number


@cache
def _neutral_agendas() -> tuple[CardFacts, ...]:
    """Agendas that cost no influence, largest first; the last points are single points."""
    agendas = (
        agenda_
        for agenda_ in _free_neutral("corp")
        if agenda_.type == "agenda" and agenda_.agenda_points
    )
    return tuple(sorted(agendas, key=lambda agenda_: (-agenda_.agenda_points, agenda_.title_key)))


@cache
def _padding(side: str) -> tuple[CardFacts, ...]:
    """Cards that no rule concerns, as far as possible; ice and assets come last."""
    cards = (card_ for card_ in _free_neutral(side) if card_.type in PADDING_TYPES)
    usual = (card for card in cards if card.deck_limit == 3 and not card.has_subtype("current"))
    return tuple(
        sorted(usual, key=lambda card_: (PADDING_TYPES.index(card_.type), card_.title_key))
    )


def _free_neutral(side: str) -> Iterator[CardFacts]:
    """Neutral cards that cost no influence under any list."""
    cards = (card for card in shipped_table("anr").cards if card.faction == f"neutral_{side}")
    free = (card for card in cards if card.influence_cost == 0)
    return (card_ for card_ in free if card_.card_id not in _charged_by_lists())


@cache
def _charged_by_lists() -> frozenset[str]:
    lists = (
        snapshot.restriction for format_ in shipped_formats() for snapshot in format_.snapshots
    )
    return frozenset(
        card_id
        for list_ in lists
        if list_ is not None
        for card_id in (*list_.universal_influence, *list_.global_penalty)
    )
