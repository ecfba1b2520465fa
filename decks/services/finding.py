"""Autocomplete, similar titles and legality of cards."""

import datetime
from collections import defaultdict
from dataclasses import dataclass

from decks import queries
from decks.catalogue import card_table, format_table
from decks.legality.anr import standing
from decks.legality.anr.standing import Period, Standing
from decks.legality.card_table import CardTable
from decks.legality.completion import Completer, Completion
from decks.models import Card, CardAlias
from decks.titles import folded_title

_completers: dict[str, tuple[CardTable, Completer]] = {}


@dataclass(frozen=True)
class CardStandings:
    """Status of one card in the formats of its game: today, and over time."""

    now: tuple[Standing, ...]
    history: tuple[Period, ...]


def completions(game: str, typed: str, *, side: str = "") -> list[Completion]:
    """Return up to ten cards that match the typed text; one query while the cards are unchanged."""
    table = card_table(game)
    known = _completers.get(game)
    # The catalogue returns the same table object until the cards of the game change.
    if known is None or known[0] is not table:
        known = _completers[game] = (table, _completer(game))
    return known[1].matching(typed, side=side)


def nearest_cards(game: str, typed: str) -> list[Card]:
    """Return up to three cards with titles similar to the typed text."""
    if not folded_title(typed):
        return []
    titles = card_table(game).nearest(typed)
    cards = {card.title: card for card in Card.objects.filter(game=game, title__in=titles)}
    return [cards[title] for title in titles if title in cards]


def legal_cards(game: str, format_id: str, date: datetime.date) -> frozenset[int] | None:
    """Primary keys of the cards that are legal in a format on a day; None for an unknown format."""
    format_ = format_table(game).find(format_id)
    if format_ is None:
        return None
    cards = card_table(game).cards
    return frozenset(card.id for card in cards if standing.is_legal(card, format_, date))


def standings(card: Card, date: datetime.date) -> CardStandings | None:
    """Return the status of the card in each format; None for games without formats."""
    formats, facts = tuple(format_table(card.game)), card_table(card.game).find(card.title)
    if not formats or facts is None:
        return None
    days = [one.card_set.released_on for one in card.printings.all()]
    released = min((day for day in days if day), default=None)
    return CardStandings(
        standing.standings(facts, formats, date, released),
        tuple(one for format_ in formats for one in standing.periods(facts, format_, released)),
    )


def _completer(game: str) -> Completer:
    factions = queries.faction_names(game)
    aliases: dict[int, list[str]] = defaultdict(list)
    for card_id, alias in CardAlias.objects.filter(card__game=game).values_list("card_id", "alias"):
        aliases[card_id].append(alias)
    cards = Card.objects.filter(game=game).order_by("folded_title", "pk")
    return Completer(
        (_completion(card, factions.get(card.faction, "")), (card.title, *aliases[card.pk]))
        for card in cards
    )


def _completion(card: Card, faction: str) -> Completion:
    return Completion(card.title, card.side, card.type, faction, card.get_absolute_url())
