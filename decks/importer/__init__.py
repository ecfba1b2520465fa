"""Import card data from a source into the database."""

from dataclasses import dataclass
from functools import partial
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from core import table_statistics
from decks import games
from decks.card_data.comparing import Differences, differences
from decks.card_data.fields import damage
from decks.card_data.records import CardData
from decks.card_data.references import checked
from decks.card_data.shipped import shipped
from decks.catalogue.stored import stored
from decks.importer import writing
from decks.models import Catalogue
from decks.signals import cards_imported


@dataclass(frozen=True)
class ImportReport:
    """Changes of an import for one game, or of a dry run."""

    game: str
    source: str
    differences: Differences


@transaction.atomic
def import_cards(
    game: str = games.DEFAULT.id, *, data: CardData | None = None, dry_run: bool = False
) -> ImportReport:
    """Update one game to `data`, by default the tables shipped with the project.

    Idempotent. Records missing from the source are not deleted, because lists and events may
    reference them; the report lists them. Raises DamagedSource without writing anything.
    """
    data = checked(data) if data else shipped(game)
    if not dry_run:
        _wait_for_others(data.game)
    old = stored(data.game)
    found = differences(old, data)
    _refuse_taken_addresses(found)
    if not dry_run:
        _write(data, found)
    return ImportReport(data.game, data.source, found)


def _wait_for_others(game: str) -> None:
    """Serialise imports of the same game with a row lock."""
    fields = {"imported_at": timezone.now()}
    Catalogue.objects.get_or_create(game=game, defaults=fields)
    Catalogue.objects.select_for_update().get(game=game)


def _write(data: CardData, found: Differences) -> None:
    catalogue = Catalogue.objects.get(game=data.game)
    if found.is_empty and catalogue.source:
        return
    writing.write(data.game, found)
    table_statistics.renew("decks")
    catalogue.stamp = uuid4()
    catalogue.source, catalogue.source_date = data.source, data.source_date
    catalogue.imported_at = timezone.now()
    catalogue.save()
    transaction.on_commit(partial(cards_imported.send, sender=Catalogue))


def _refuse_taken_addresses(found: Differences) -> None:
    """Raise DamagedSource if a card would take the slug or title of a card that stays."""
    cards = found.cards
    slugs = {card.slug: card for card in cards.gone}
    titles = {card.title_key: card for card in cards.gone}
    for card in (*cards.new, *(after for _, after in cards.changed)):
        owner = slugs.get(card.slug) or titles.get(card.title_key)
        if owner is not None:
            raise damage(card.where, f"{card.title} would have the address of {owner.title}")
