"""Import card data from a source into the database, and report the changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from core import database
from decks import catalogue, games
from decks import netrunnerdb as public
from decks.card_data import readers
from decks.card_data.fields import source_damage
from decks.card_data.readers import shipped_card_data, subtype_names
from decks.card_data.records import (
    CardData,
    CardDataDifferences,
    CardRecord,
    PoolRecord,
    RecordDifference,
    RestrictionRecord,
    SnapshotRecord,
    check_references,
    compare_card_data,
    field_changes,
    record_name,
)
from decks.catalogue import KeysToPks, Record, stored_card_data
from decks.models import Card, CardPool, Catalogue, RestrictionEntry, Snapshot
from decks.signals import cards_imported

# Higher than the number of snapshots of any format.
TEMPORARY_POSITION = 10_000


@dataclass(frozen=True)
class ImportReport:
    game: str
    source: str
    differences: CardDataDifferences


@transaction.atomic
def import_cards(
    game: str = games.DEFAULT.id, *, data: CardData | None = None, dry_run: bool = False
) -> ImportReport:
    """Update one game to `data`, by default the tables shipped with the project.

    Idempotent. Records missing from the source are not deleted, because lists and events may
    reference them; the report lists them. Raises DamagedSource without writing anything.
    """
    data = check_references(data) if data else shipped_card_data(game)
    stored: Catalogue | None = None
    if not dry_run:
        defaults = {"imported_at": timezone.now()}
        Catalogue.objects.get_or_create(game=data.game, defaults=defaults)
        # Serialise imports of the same game with a row lock.
        stored = Catalogue.objects.select_for_update().get(game=data.game)
    differences = compare_card_data(stored_card_data(data.game), data)
    _refuse_taken_addresses(differences)
    # Without changes the stamp stays, and with it the tables in memory.
    if stored and not (differences.is_empty and stored.source):
        write_differences(data.game, differences)
        database.update_table_statistics("decks")
        stored.stamp = uuid4()
        stored.source, stored.source_date = data.source, data.source_date
        stored.imported_at = timezone.now()
        stored.save()
        transaction.on_commit(partial(cards_imported.send, sender=Catalogue))
    return ImportReport(data.game, data.source, differences)


def write_differences(game: str, differences: CardDataDifferences) -> None:
    """Create and update records; cards, printings and snapshots are never deleted."""
    catalogue.FACTION_ROWS.write(game, differences.factions)
    catalogue.CYCLE_ROWS.write(game, differences.cycles)
    catalogue.SET_ROWS.write(game, differences.sets, cycle=catalogue.CYCLE_ROWS.primary_keys(game))
    cards, sets = _write_cards(game, differences.cards), catalogue.SET_ROWS.primary_keys(game)
    catalogue.ALIAS_ROWS.write(game, differences.aliases, card=cards)
    catalogue.PRINTING_ROWS.write(game, differences.printings, card=cards, card_set=sets)
    catalogue.FORMAT_ROWS.write(game, differences.formats)
    formats = catalogue.FORMAT_ROWS.primary_keys(game)
    catalogue.POOL_ROWS.write(game, differences.pools, format=formats)
    pools = catalogue.POOL_ROWS.primary_keys(game)
    _fill_pools(differences.pools, pools, sets)
    catalogue.RESTRICTION_ROWS.write(game, differences.restrictions, format=formats)
    restrictions = catalogue.RESTRICTION_ROWS.primary_keys(game)
    _fill_restrictions(differences.restrictions, restrictions, cards)
    _move_snapshots_away(game, differences.snapshots)
    named = {"format": formats, "pool": pools, "restriction": restrictions}
    catalogue.SNAPSHOT_ROWS.write(game, differences.snapshots, **named)


def _write_cards(game: str, differences: RecordDifference[CardRecord]) -> KeysToPks:
    """Write the cards; return primary keys by card id, or by title key for cards without an id."""
    numbers = catalogue.CARD_ROWS.primary_keys(game) if differences.changed else {}
    # Set temporary values for unique fields first: two cards may swap titles.
    for old, new in differences.changed:
        if (old.card_id, old.title_key, old.slug) != (new.card_id, new.title_key, new.slug):
            number = numbers[old.title_key]
            key = f"~{number}~"
            Card.objects.filter(pk=number).update(title_key=key, slug=key, card_id="")
    catalogue.CARD_ROWS.write(game, differences, numbers)
    changed = [numbers[old.title_key] for old, _ in differences.changed]
    Card.objects.filter(pk__in=changed).update(updated_at=timezone.now())
    cards = Card.objects.filter(game=game).order_by().values_list("card_id", "title_key", "pk")
    return {card_id or title_key: number for card_id, title_key, number in cards}


def _new_and_changed(differences: RecordDifference[Record]) -> Iterator[Record]:
    yield from differences.new
    yield from (new for _, new in differences.changed)


def _fill_pools(
    differences: RecordDifference[PoolRecord], pools: KeysToPks, sets: KeysToPks
) -> None:
    memberships = CardPool.sets.through
    changed = [pools[new.id] for _, new in differences.changed]
    memberships.objects.filter(cardpool_id__in=changed).delete()
    memberships.objects.bulk_create(
        memberships(cardpool_id=pools[pool.id], cardset_id=sets[set_id])
        for pool in _new_and_changed(differences)
        for set_id in sorted(pool.sets)
    )


def _fill_restrictions(
    differences: RecordDifference[RestrictionRecord], restrictions: KeysToPks, cards: KeysToPks
) -> None:
    changed = [restrictions[new.id] for _, new in differences.changed]
    RestrictionEntry.objects.filter(restriction_id__in=changed).delete()
    RestrictionEntry.objects.bulk_create(
        RestrictionEntry(
            restriction_id=restrictions[list_.id],
            card_id=cards[entry.card],
            kind=entry.kind,
            value=entry.value,
        )
        for list_ in _new_and_changed(differences)
        for entry in sorted(list_.entries, key=lambda entry: (entry.kind, entry.card))
    )


def _move_snapshots_away(game: str, differences: RecordDifference[SnapshotRecord]) -> None:
    """Move changed and missing snapshots behind all others: positions are unique."""
    if differences.is_empty:
        return
    snapshots = Snapshot.objects.filter(format__game=game)
    last = snapshots.aggregate(last=Max("position"))["last"] or 0
    ids = [record.id for record in (*(old for old, _ in differences.changed), *differences.gone)]
    moving = snapshots.filter(snapshot_id__in=ids, position__lt=TEMPORARY_POSITION).order_by("pk")
    for place, snapshot in enumerate(moving, start=max(last + 1, TEMPORARY_POSITION)):
        Snapshot.objects.filter(pk=snapshot.pk).update(position=place)


def _refuse_taken_addresses(differences: CardDataDifferences) -> None:
    """Raise DamagedSource if a card would take the slug or title of a card that stays."""
    cards = differences.cards
    slugs = {card.slug: card for card in cards.gone}
    titles = {card.title_key: card for card in cards.gone}
    for card in (*cards.new, *(after for _, after in cards.changed)):
        owner = slugs.get(card.slug) or titles.get(card.title_key)
        if owner is not None:
            raise source_damage(card.where, f"{card.title} would have the address of {owner.title}")


def read_source(path: Path, aliases: Path | None = None) -> CardData:
    """Read a folder of `anr` card data or a table of `onr` cards. Raises DamagedSource."""
    if path.is_dir():
        return readers.read_folder(path, subtype_names())
    return readers.read_plain_tables(games.ONR, path, aliases)


def fetch_netrunnerdb_data(pages: readers.ApiPages = public.get_pages) -> CardData:
    """Fetch the current `anr` card data from NetrunnerDB.

    Raises DamagedSource, or another Refusal if the request fails.
    """
    return readers.read_api_v3(pages, timezone.localdate(), subtype_names())


def newer_catalogue(game: str) -> Catalogue | None:
    """Return a catalogue from another source, or None if the shipped tables are newer.

    Loading the shipped tables over it would restore outdated facts and ban lists.
    """
    stored, shipped = Catalogue.objects.filter(game=game).first(), shipped_card_data(game)
    if stored is None or stored.source in ("", shipped.source):
        return None
    day = stored.source_date or timezone.localdate(stored.imported_at)
    return stored if shipped.source_date is None or day >= shipped.source_date else None


# Limit per kind; the rest is only counted.
MAX_NAMES_LISTED = 20


def report_lines(report: ImportReport) -> Iterator[str]:
    """Yield the counts of every kind, then new, changed and missing records."""
    yield f"{games.GAMES[report.game].name}, from {report.source}:"
    for difference in report.differences:
        new, changed, gone = difference.new, difference.changed, difference.gone
        if not (new or changed or gone or difference.unchanged):
            continue
        yield (
            f"{difference.kind.capitalize()}: {len(new)} created, {len(changed)} updated,"
            f" {difference.unchanged} unchanged."
        )
        # On the first import everything is new: listing all names would bury the rest.
        if difference.unchanged or changed or gone:
            yield from _name_lines("new", [record_name(record) for record in new])
        changes = [
            f"{record_name(old)}: {'; '.join(map(str, field_changes(old, record)))}"
            for old, record in changed
        ]
        yield from _name_lines("changed", changes)
        names = [record_name(record) for record in gone]
        yield from _name_lines("no longer in the source, kept", names)


def _name_lines(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"  {what}: {name}" for name in names[:MAX_NAMES_LISTED])
    if len(names) > MAX_NAMES_LISTED:
        yield f"  {what}: {len(names) - MAX_NAMES_LISTED} more"
