"""Legal decks of Android: Netrunner out of real cards, for tests that break one rule."""

from collections.abc import Iterable, Iterator
from functools import cache

from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardFacts, CardSlot
from tests.factories.decks import card, shipped_formats, shipped_table

Entry = tuple[int, str]
"""So many copies of the card of this title."""

Chosen = list[tuple[int, CardFacts]]

PADDING_TYPES = ("operation", "event", "upgrade", "hardware", "resource", "asset", "ice")
SINGLETON = ("Ampère: Cybernetics For Anyone", "Nova Initiumia: Catalyst & Impetus")


def anr_deck(
    identity: str, *entries: Entry, size: int | None = None, points: int | None = None
) -> AnrDeck:
    """A deck with these entries, and with free neutral cards up to `size` and `points`.

    The identity stands on line 1, the first entry on line 2. `size` is the minimum of the
    identity unless it is given, `points` the least that so many cards need. Legal by the basic
    rules, if size, points and entries are.
    """
    identity_card = card(identity, "anr")
    size = identity_card.minimum_deck_size or 0 if size is None else size
    most = 1 if identity_card.title in SINGLETON else 3
    chosen = [(quantity, card(title, "anr")) for quantity, title in entries]
    if identity_card.side == "corp":
        points = 2 * (size // 5) + 2 if points is None else points
        chosen += _agendas_worth(points - points_of(chosen), chosen, most)
    chosen += _padding_of(size - copies_of(chosen), chosen, identity_card.side, most)
    assert copies_of(chosen) == size
    return deck_of(identity_card, chosen)


def deck_of(identity: CardFacts | None, chosen: Iterable[tuple[int, CardFacts]]) -> AnrDeck:
    """The deck of these cards as they are, the identity on line 1; a Corp deck without one."""
    slots = (CardSlot(one, number, line) for line, (number, one) in enumerate(chosen, start=2))
    return AnrDeck(identity.side if identity else "corp", identity, tuple(slots), identity_line=1)


def points_of(chosen: Chosen) -> int:
    return sum(number * one.agenda_points for number, one in chosen)


def copies_of(chosen: Chosen) -> int:
    return sum(number for number, _ in chosen)


def _agendas_worth(points: int, chosen: Chosen, most: int) -> Iterator[tuple[int, CardFacts]]:
    for agenda in _neutral_agendas():
        number = min(points // agenda.agenda_points, most, agenda.deck_limit or most)
        if number > 0 and all(agenda != one for _, one in chosen):
            yield number, agenda
            points -= number * agenda.agenda_points
    assert points <= 0


def _padding_of(
    copies: int, chosen: Chosen, side: str, most: int
) -> Iterator[tuple[int, CardFacts]]:
    for one in _padding(side):
        number = min(copies, most)
        if number > 0 and all(one != other for _, other in chosen):
            yield number, one
            copies -= number


@cache
def _neutral_agendas() -> tuple[CardFacts, ...]:
    """Agendas that cost no influence, the biggest first: the last points are singles."""
    agendas = (one for one in _free_neutral("corp") if one.type == "agenda" and one.agenda_points)
    return tuple(sorted(agendas, key=lambda one: (-one.agenda_points, one.title_key)))


@cache
def _padding(side: str) -> tuple[CardFacts, ...]:
    """Cards no rule asks about, as far as there are such: ice and assets come last."""
    cards = (one for one in _free_neutral(side) if one.type in PADDING_TYPES)
    usual = (card for card in cards if card.deck_limit == 3 and not card.has_subtype("current"))
    return tuple(sorted(usual, key=lambda one: (PADDING_TYPES.index(one.type), one.title_key)))


def _free_neutral(side: str) -> Iterator[CardFacts]:
    """Neutral cards that cost no influence under any list."""
    cards = (card for card in shipped_table("anr").cards if card.faction == f"neutral_{side}")
    free = (card for card in cards if card.influence_cost == 0)
    return (one for one in free if one.card_id not in _charged_by_lists())


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
