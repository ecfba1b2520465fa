"""Write the differences between a source and the database, kind by kind."""

from collections.abc import Iterator

from django.db.models import Max
from django.utils import timezone

from decks.card_data.comparing import Difference, Differences
from decks.card_data.records import CardRecord, PoolRecord, RestrictionRecord, SnapshotRecord
from decks.catalogue import kinds
from decks.catalogue.kinds import Numbers, Record
from decks.models import Card, CardPool, RestrictionEntry, Snapshot

# Higher than the number of snapshots of any format.
OUT_OF_THE_WAY = 10_000


def write(game: str, found: Differences) -> None:
    """Create and update records; cards, printings and snapshots are never deleted."""
    kinds.FACTIONS.write(game, found.factions)
    kinds.CYCLES.write(game, found.cycles)
    kinds.SETS.write(game, found.sets, cycle=kinds.CYCLES.numbers(game))
    cards, sets = _write_cards(game, found.cards), kinds.SETS.numbers(game)
    kinds.ALIASES.write(game, found.aliases, card=cards)
    kinds.PRINTINGS.write(game, found.printings, card=cards, card_set=sets)
    kinds.FORMATS.write(game, found.formats)
    formats = kinds.FORMATS.numbers(game)
    kinds.POOLS.write(game, found.pools, format=formats)
    pools = kinds.POOLS.numbers(game)
    _fill_pools(found.pools, pools, sets)
    kinds.RESTRICTIONS.write(game, found.restrictions, format=formats)
    restrictions = kinds.RESTRICTIONS.numbers(game)
    _fill_restrictions(found.restrictions, restrictions, cards)
    _make_room(game, found.snapshots)
    named = {"format": formats, "pool": pools, "restriction": restrictions}
    kinds.SNAPSHOTS.write(game, found.snapshots, **named)


def _write_cards(game: str, found: Difference[CardRecord]) -> Numbers:
    """Write the cards; return primary keys by card id, or by title key for cards without an id."""
    numbers = kinds.CARDS.numbers(game) if found.changed else {}
    _step_aside(found, numbers)
    kinds.CARDS.write(game, found, numbers)
    changed = [numbers[old.title_key] for old, _ in found.changed]
    Card.objects.filter(pk__in=changed).update(updated_at=timezone.now())
    cards = Card.objects.filter(game=game).order_by().values_list("card_id", "title_key", "pk")
    return {card_id or title_key: number for card_id, title_key, number in cards}


def _step_aside(found: Difference[CardRecord], numbers: Numbers) -> None:
    """Set temporary values for unique fields first: two cards may swap titles."""
    for old, new in found.changed:
        if (old.card_id, old.title_key, old.slug) != (new.card_id, new.title_key, new.slug):
            number = numbers[old.title_key]
            aside = f"~{number}~"
            Card.objects.filter(pk=number).update(title_key=aside, slug=aside, card_id="")


def _written(found: Difference[Record]) -> Iterator[Record]:
    yield from found.new
    yield from (new for _, new in found.changed)


def _fill_pools(found: Difference[PoolRecord], pools: Numbers, sets: Numbers) -> None:
    held = CardPool.sets.through
    held.objects.filter(cardpool_id__in=[pools[new.id] for _, new in found.changed]).delete()
    held.objects.bulk_create(
        held(cardpool_id=pools[pool.id], cardset_id=sets[one])
        for pool in _written(found)
        for one in sorted(pool.sets)
    )


def _fill_restrictions(
    found: Difference[RestrictionRecord], restrictions: Numbers, cards: Numbers
) -> None:
    changed = [restrictions[new.id] for _, new in found.changed]
    RestrictionEntry.objects.filter(restriction_id__in=changed).delete()
    RestrictionEntry.objects.bulk_create(
        RestrictionEntry(
            restriction_id=restrictions[list_.id],
            card_id=cards[entry.card],
            kind=entry.kind,
            value=entry.value,
        )
        for list_ in _written(found)
        for entry in sorted(list_.entries, key=lambda entry: (entry.kind, entry.card))
    )


def _make_room(game: str, found: Difference[SnapshotRecord]) -> None:
    """Move changed and missing snapshots behind all others: positions are unique."""
    if found.is_empty:
        return
    snapshots = Snapshot.objects.filter(format__game=game)
    last = snapshots.aggregate(last=Max("position"))["last"] or 0
    ids = [one.id for one in (*(old for old, _ in found.changed), *found.gone)]
    moving = snapshots.filter(snapshot_id__in=ids, position__lt=OUT_OF_THE_WAY).order_by("pk")
    for place, snapshot in enumerate(moving, start=max(last + 1, OUT_OF_THE_WAY)):
        Snapshot.objects.filter(pk=snapshot.pk).update(position=place)
