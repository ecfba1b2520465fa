"""The cards and formats of a game, kept in the process until an import changes them."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from django.db.models import Count, Max

from decks.catalogue import kinds
from decks.catalogue.stored import stored_cards, stored_formats
from decks.legality import facts
from decks.legality.card_table import CardTable
from decks.legality.formats import FormatTable
from decks.models import Card, CardAlias, Catalogue

Stamp: TypeAlias = tuple[Any, ...]
Table = TypeVar("Table")
_cards: dict[str, tuple[Stamp, CardTable]] = {}
_formats: dict[str, tuple[Stamp, FormatTable]] = {}


def card_table(game: str) -> CardTable:
    """All cards of the game, read once; costs one small query when nothing changed.

    The stamp asks the database, so what another process imports is seen by this one at its
    next list.
    """
    return _kept(_cards, game, _read_cards)


def format_table(game: str) -> FormatTable:
    """All formats of the game, read once; costs one small query when nothing changed."""
    return _kept(_formats, game, _read_formats)


def _kept(tables: dict[str, tuple[Stamp, Table]], game: str, read: Callable[[str], Table]) -> Table:
    stamp = _stamp(game)
    known = tables.get(game)
    if known is None or known[0] != stamp:
        known = tables[game] = (stamp, read(game))
    return known[1]


def _stamp(game: str) -> Stamp:
    stamp = Catalogue.objects.filter(game=game).values_list("stamp", flat=True).first()
    if stamp is not None:
        return (stamp,)
    # Cards that no import brought have no stamp: what they can tell of themselves must do.
    marks = {"count": Count("pk"), "newest": Max("pk"), "last": Max("updated_at")}
    cards = Card.objects.filter(game=game).aggregate(**marks)
    aliases = CardAlias.objects.filter(card__game=game).aggregate(**marks)
    return (*cards.values(), *aliases.values())


def _read_cards(game: str) -> CardTable:
    return facts.card_table(stored_cards(game), kinds.CARDS.numbers(game))


def _read_formats(game: str) -> FormatTable:
    return facts.format_table(stored_formats(game))
