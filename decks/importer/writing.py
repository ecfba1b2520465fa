"""Writes the differences between a source and the database, kind after kind."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max
from django.utils import timezone

from core.text import comparison_key
from decks.card_data.comparing import Difference, Differences
from decks.card_data.records import (
    AliasRecord,
    CardRecord,
    CycleRecord,
    FactionRecord,
    FormatRecord,
    PoolRecord,
    PrintingRecord,
    RestrictionRecord,
    SetRecord,
    SnapshotRecord,
)
from decks.catalogue.stored import CARD_FIELDS, numbers_of_cards
from decks.importer.rows import Rows
from decks.models import (
    Card,
    CardAlias,
    CardCycle,
    CardFaction,
    CardPool,
    CardSet,
    Format,
    Printing,
    Restriction,
    RestrictionEntry,
    Snapshot,
)
from decks.titles import folded_title

OUT_OF_THE_WAY = 10_000
"""More positions than a format will ever have snapshots."""
Numbers = Mapping[str, int]
"""Primary keys by the ids of the source."""


def write(game: str, found: Differences) -> None:
    """Make what is new, change what is changed, delete no card, printing or snapshot."""
    _factions(game).write(found.factions)
    cycles = _cycles(game).write(found.cycles)
    sets = _sets(game, cycles).write(found.sets)
    cards = _write_cards(game, found.cards)
    CardAlias.objects.bulk_create(_alias(alias, cards) for alias in found.aliases.new)
    _write_printings(game, found.printings, cards, sets)
    formats = _formats(game).write(found.formats)
    pools = _pools(game, formats).write(found.pools)
    _fill_pools(found.pools, pools, sets)
    restrictions = _restrictions(game, formats).write(found.restrictions)
    _fill_restrictions(found.restrictions, restrictions, cards)
    _write_snapshots(game, found.snapshots, formats, pools, restrictions)


def _factions(game: str) -> Rows[FactionRecord]:
    def values(one: FactionRecord) -> dict[str, Any]:
        named = {"faction_id": one.id, "name": one.name}
        return {"game": game, **named, "side": one.side, "is_mini": one.is_mini}

    return Rows(CardFaction, {"game": game}, "faction_id", lambda one: one.id, values)


def _cycles(game: str) -> Rows[CycleRecord]:
    def values(one: CycleRecord) -> dict[str, Any]:
        return {"game": game, "cycle_id": one.id, "name": one.name, "position": one.position}

    return Rows(CardCycle, {"game": game}, "cycle_id", lambda one: one.id, values)


def _sets(game: str, cycles: Numbers) -> Rows[SetRecord]:
    def values(one: SetRecord) -> dict[str, Any]:
        return {
            "game": game,
            "set_id": one.id,
            "name": one.name,
            "cycle_id": cycles.get(one.cycle),
            "type": one.type,
            "released_on": one.released_on,
            "size": one.size,
        }

    return Rows(CardSet, {"game": game}, "set_id", lambda one: one.id, values)


def _write_cards(game: str, found: Difference[CardRecord]) -> Numbers:
    """Primary keys by the ids of cards, by title keys for those without."""
    now = timezone.now()
    numbers = numbers_of_cards(game) if found.changed else {}

    def values(card: CardRecord) -> dict[str, Any]:
        facts = {name: getattr(card, name) for name in CARD_FIELDS}
        keys = {"title_key": card.title_key, "folded_title": card.folded_title}
        return {"game": game, **facts, **keys, "updated_at": now}

    _step_aside(found, numbers)
    Rows(Card, {"game": game}, "pk", lambda card: numbers[card.title_key], values).write(found)
    cards = Card.objects.filter(game=game).order_by()
    return {
        card_id or title_key: number
        for card_id, title_key, number in cards.values_list("card_id", "title_key", "pk")
    }


def _step_aside(found: Difference[CardRecord], numbers: Numbers) -> None:
    """Free what must be unique before it is given away: two cards may swap titles."""
    for old, new in found.changed:
        if (old.card_id, old.title_key, old.slug) != (new.card_id, new.title_key, new.slug):
            number = numbers[old.title_key]
            aside = f"~{number}~"
            Card.objects.filter(pk=number).update(title_key=aside, slug=aside, card_id="")


def _alias(alias: AliasRecord, cards: Numbers) -> CardAlias:
    key, folded = comparison_key(alias.alias), folded_title(alias.alias)
    return CardAlias(
        card_id=cards[alias.card], alias=alias.alias, alias_key=key, folded_alias=folded
    )


def _write_printings(
    game: str, found: Difference[PrintingRecord], cards: Numbers, sets: Numbers
) -> None:
    def values(one: PrintingRecord) -> dict[str, Any]:
        return {
            "code": one.code,
            "card_id": cards[one.card],
            "card_set_id": sets[one.card_set],
            "position": one.position,
            "quantity": one.quantity,
        }

    Rows(Printing, {"card__game": game}, "code", lambda one: one.code, values).write(found)


def _formats(game: str) -> Rows[FormatRecord]:
    def values(one: FormatRecord) -> dict[str, Any]:
        return {"game": game, "format_id": one.id, "name": one.name, "position": one.position}

    return Rows(Format, {"game": game}, "format_id", lambda one: one.id, values)


def _pools(game: str, formats: Numbers) -> Rows[PoolRecord]:
    def values(one: PoolRecord) -> dict[str, Any]:
        return {"pool_id": one.id, "name": one.name, "format_id": formats[one.format]}

    return Rows(CardPool, {"format__game": game}, "pool_id", lambda one: one.id, values)


def _fill_pools(found: Difference[PoolRecord], pools: Numbers, sets: Numbers) -> None:
    """Give each new or changed pool exactly its sets."""
    written = [*found.new, *(new for _, new in found.changed)]
    held = CardPool.sets.through
    held.objects.filter(cardpool_id__in=[pools[new.id] for _, new in found.changed]).delete()
    held.objects.bulk_create(
        held(cardpool_id=pools[pool.id], cardset_id=sets[one])
        for pool in written
        for one in sorted(pool.sets)
    )


def _restrictions(game: str, formats: Numbers) -> Rows[RestrictionRecord]:
    def values(one: RestrictionRecord) -> dict[str, Any]:
        return {
            "restriction_id": one.id,
            "name": one.name,
            "format_id": formats[one.format],
            "effective_from": one.effective_from,
            "banned_subtypes": sorted(one.banned_subtypes),
            "point_limit": one.point_limit,
        }

    return Rows(Restriction, {"format__game": game}, "restriction_id", lambda one: one.id, values)


def _fill_restrictions(
    found: Difference[RestrictionRecord], restrictions: Numbers, cards: Numbers
) -> None:
    """Give each new or changed list exactly its entries."""
    changed = [restrictions[new.id] for _, new in found.changed]
    RestrictionEntry.objects.filter(restriction_id__in=changed).delete()
    written = [*found.new, *(new for _, new in found.changed)]
    RestrictionEntry.objects.bulk_create(
        RestrictionEntry(
            restriction_id=restrictions[list_.id],
            card_id=cards[entry.card],
            kind=entry.kind,
            value=entry.value,
        )
        for list_ in written
        for entry in sorted(list_.entries, key=lambda entry: (entry.kind, entry.card))
    )


def _write_snapshots(
    game: str,
    found: Difference[SnapshotRecord],
    formats: Numbers,
    pools: Numbers,
    restrictions: Numbers,
) -> None:
    def values(one: SnapshotRecord) -> dict[str, Any]:
        return {
            "snapshot_id": one.id,
            "format_id": formats[one.format],
            "position": one.position,
            "effective_from": one.effective_from,
            "pool_id": pools[one.pool],
            "restriction_id": restrictions[one.restriction] if one.restriction else None,
        }

    _make_room(game, found)
    scope = {"format__game": game}
    Rows(Snapshot, scope, "snapshot_id", lambda one: one.id, values).write(found)


def _make_room(game: str, found: Difference[SnapshotRecord]) -> None:
    """Positions are unique: move what moves, and what stays unnamed, behind all others."""
    if found.is_empty:
        return
    snapshots = Snapshot.objects.filter(format__game=game)
    last = snapshots.aggregate(last=Max("position"))["last"] or 0
    ids = [one.id for one in (*(old for old, _ in found.changed), *found.gone)]
    moving = snapshots.filter(snapshot_id__in=ids, position__lt=OUT_OF_THE_WAY).order_by("pk")
    for place, snapshot in enumerate(moving, start=max(last + 1, OUT_OF_THE_WAY)):
        Snapshot.objects.filter(pk=snapshot.pk).update(position=place)
