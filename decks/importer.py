"""Brings the card tables of the database up to the files."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from core.text import comparison_key
from decks.formats import card_csv
from decks.games import GameSystem
from decks.models import Card, CardAlias
from decks.titles import folded_title

DATA = Path(__file__).parent / "data"
CARDS_FILE = DATA / "cards_onr.csv"
ALIASES_FILE = DATA / "cards_onr_aliases.csv"


@dataclass(frozen=True)
class ImportReport:
    """How many cards and aliases an import wrote, and left as they were."""

    created: int
    updated: int
    unchanged: int
    aliases_created: int
    aliases_unchanged: int


@transaction.atomic
def import_cards(
    cards_file: Path = CARDS_FILE, aliases_file: Path | None = ALIASES_FILE
) -> ImportReport:
    """Load the `onr` cards of the files; run twice, nothing doubles.

    Cards and aliases that the files do not name stay: lists may hold them.
    Raises DamagedFile, and then nothing is written.
    """
    created, updated, unchanged = _write_cards(cards_file)
    new, known = _write_aliases(aliases_file) if aliases_file else (0, 0)
    return ImportReport(created, updated, unchanged, new, known)


def _write_cards(path: Path) -> tuple[int, int, int]:
    """Counts of (created, updated, unchanged)."""
    known = {card.title_key: card for card in Card.objects.filter(game=GameSystem.ONR)}
    rows = card_csv.read_cards(path)
    _refuse_taken_addresses(path, rows, known.values())
    created = [_new_card(row) for row in rows if row.title_key not in known]
    updated = [
        card
        for row in rows
        if (card := known.get(row.title_key)) is not None and _take_values(card, row)
    ]
    Card.objects.bulk_create(created)
    if updated:
        fields = [*rows[0].values, "folded_title", "updated_at"]
        Card.objects.bulk_update(updated, fields, batch_size=50)
    return len(created), len(updated), len(rows) - len(created) - len(updated)


def _refuse_taken_addresses(
    path: Path, rows: Iterable[card_csv.CardRow], cards: Iterable[Card]
) -> None:
    owners = {card.slug: card for card in cards}
    for row in rows:
        owner = owners.get(row.values["slug"])
        if owner is not None and owner.title_key != row.title_key:
            reason = f"{row.values['title']} would have the address of {owner.title}"
            raise card_csv.damage(path, row.line, reason)


def _new_card(row: card_csv.CardRow) -> Card:
    folded = folded_title(row.values["title"])
    return Card(game=GameSystem.ONR, title_key=row.title_key, folded_title=folded, **row.values)


def _take_values(card: Card, row: card_csv.CardRow) -> bool:
    """Give the card the values of the row; whether any of them is new."""
    if all(getattr(card, field) == value for field, value in row.values.items()):
        return False
    for field, value in row.values.items():
        setattr(card, field, value)
    card.folded_title, card.updated_at = folded_title(card.title), timezone.now()
    return True


def _write_aliases(path: Path) -> tuple[int, int]:
    """Counts of (created, unchanged)."""
    cards = {card.title_key: card for card in Card.objects.filter(game=GameSystem.ONR)}
    aliases = CardAlias.objects.filter(card__game=GameSystem.ONR)
    known = set(aliases.values_list("alias_key", "card_id"))
    rows = card_csv.read_aliases(path)
    created = []
    for row in rows:
        card = _card_of(path, row, cards)
        key = comparison_key(row.alias)
        if (key, card.pk) not in known:
            folded = folded_title(row.alias)
            created.append(
                CardAlias(card=card, alias=row.alias, alias_key=key, folded_alias=folded)
            )
    CardAlias.objects.bulk_create(created)
    return len(created), len(rows) - len(created)


def _card_of(path: Path, row: card_csv.AliasRow, cards: dict[str, Card]) -> Card:
    card = cards.get(comparison_key(row.title))
    if card is None:
        raise card_csv.damage(path, row.line, f"no card is called {row.title}")
    namesake = cards.get(comparison_key(row.alias))
    if namesake is not None and namesake != card:
        raise card_csv.damage(path, row.line, f"{row.alias} is a card of its own")
    return card
