"""The cards and formats of a game, cached in the process until the next import."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from django.db.models import Count, Max
from django.utils.functional import cached_property

from decks.catalogue import kinds
from decks.catalogue.stored import stored_cards, stored_formats
from decks.legality import facts
from decks.legality.card_table import CardTable
from decks.legality.formats import FormatTable
from decks.models import Card, CardAlias, Catalogue

Stamp: TypeAlias = tuple[Any, ...]


class GameTables:
    """The cards and formats of a game, each loaded on first use."""

    def __init__(
        self, read_cards: Callable[[], CardTable], read_formats: Callable[[], FormatTable]
    ) -> None:
        self._read_cards = read_cards
        self._read_formats = read_formats

    @cached_property
    def cards(self) -> CardTable:
        return self._read_cards()

    @cached_property
    def formats(self) -> FormatTable:
        return self._read_formats()


_tables: dict[str, tuple[Stamp, GameTables]] = {}


def stored_tables(game: str) -> GameTables:
    """Return the tables in the database; costs one small query if nothing changed.

    The stamp is read from the database, so imports by other processes take effect immediately.
    """
    stamp = _stamp(game)
    known = _tables.get(game)
    if known is None or known[0] != stamp:
        tables = GameTables(partial(_read_cards, game), partial(_read_formats, game))
        known = _tables[game] = (stamp, tables)
    return known[1]


def card_table(game: str) -> CardTable:
    return stored_tables(game).cards


def format_table(game: str) -> FormatTable:
    return stored_tables(game).formats


def _stamp(game: str) -> Stamp:
    stamp = Catalogue.objects.filter(game=game).values_list("stamp", flat=True).first()
    if stamp is not None:
        return (stamp,)
    # Cards that were not imported have no stamp: use counts and timestamps instead.
    marks = {"count": Count("pk"), "newest": Max("pk"), "last": Max("updated_at")}
    cards = Card.objects.filter(game=game).aggregate(**marks)
    aliases = CardAlias.objects.filter(card__game=game).aggregate(**marks)
    return (*cards.values(), *aliases.values())


def _read_cards(game: str) -> CardTable:
    return facts.card_table(stored_cards(game), kinds.CARDS.numbers(game))


def _read_formats(game: str) -> FormatTable:
    return facts.format_table(stored_formats(game))
