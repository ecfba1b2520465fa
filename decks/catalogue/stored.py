"""The card data of a game as the database holds it, in the records of card data."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from decks.card_data.records import (
    AliasRecord,
    CardData,
    CardRecord,
    CycleRecord,
    EntryRecord,
    FactionRecord,
    FormatRecord,
    PoolRecord,
    PrintingRecord,
    RestrictionRecord,
    SetRecord,
    SnapshotRecord,
)
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

CARD_FIELDS = tuple(field.name for field in dataclasses.fields(CardRecord) if field.name != "where")


def stored(game: str) -> CardData:
    """Everything the database holds of the game."""
    cards, formats = stored_cards(game), stored_formats(game)
    return dataclasses.replace(
        cards,
        factions=tuple(_factions(game)),
        cycles=tuple(_cycles(game)),
        formats=formats.formats,
        pools=formats.pools,
        restrictions=formats.restrictions,
        snapshots=formats.snapshots,
    )


def stored_cards(game: str) -> CardData:
    """Cards, other spellings, sets and printings."""
    return CardData(
        game=game,
        sets=tuple(_sets(game)),
        cards=tuple(
            CardRecord(**values)
            for values in Card.objects.filter(game=game).order_by("title_key").values(*CARD_FIELDS)
        ),
        aliases=tuple(_aliases(game)),
        printings=tuple(_printings(game)),
    )


def stored_formats(game: str) -> CardData:
    """Formats, pools, ban lists and snapshots."""
    return CardData(
        game=game,
        formats=tuple(_formats(game)),
        pools=tuple(_pools(game)),
        restrictions=tuple(_restrictions(game)),
        snapshots=tuple(_snapshots(game)),
    )


def numbers_of_cards(game: str) -> Mapping[str, int]:
    """Primary keys of the cards by title key."""
    return dict(Card.objects.filter(game=game).values_list("title_key", "pk"))


def _factions(game: str) -> Iterator[FactionRecord]:
    rows = CardFaction.objects.filter(game=game)
    return (FactionRecord(row.faction_id, row.name, row.side, row.is_mini) for row in rows)


def _cycles(game: str) -> Iterator[CycleRecord]:
    rows = CardCycle.objects.filter(game=game)
    return (CycleRecord(row.cycle_id, row.name, row.position) for row in rows)


def _sets(game: str) -> Iterator[SetRecord]:
    rows = CardSet.objects.filter(game=game).select_related("cycle")
    for row in rows:
        cycle = row.cycle.cycle_id if row.cycle else ""
        yield SetRecord(row.set_id, row.name, cycle, row.type, row.released_on, row.size)


def _aliases(game: str) -> Iterator[AliasRecord]:
    rows = CardAlias.objects.filter(card__game=game).order_by("pk")
    for alias, card_id, title_key in rows.values_list("alias", "card__card_id", "card__title_key"):
        yield AliasRecord(alias, card_id or title_key)


def _printings(game: str) -> Iterator[PrintingRecord]:
    rows = Printing.objects.filter(card__game=game).order_by("code")
    fields = ("code", "card__card_id", "card__title_key", "card_set__set_id")
    for code, card_id, title_key, set_id, position, quantity in rows.values_list(
        *fields, "position", "quantity"
    ):
        yield PrintingRecord(code, card_id or title_key, set_id, position, quantity)


def _formats(game: str) -> Iterator[FormatRecord]:
    rows = Format.objects.filter(game=game)
    return (FormatRecord(row.format_id, row.name, row.position) for row in rows)


def _pools(game: str) -> Iterator[PoolRecord]:
    rows = CardPool.objects.filter(format__game=game)
    sets: dict[str, set[str]] = defaultdict(set)
    for pool_id, set_id in rows.order_by().values_list("pool_id", "sets__set_id"):
        if set_id is not None:
            sets[pool_id].add(set_id)
    for row in rows.select_related("format"):
        yield PoolRecord(row.pool_id, row.name, row.format.format_id, frozenset(sets[row.pool_id]))


def _restrictions(game: str) -> Iterator[RestrictionRecord]:
    entries: dict[str, set[EntryRecord]] = defaultdict(set)
    rows = RestrictionEntry.objects.filter(restriction__format__game=game).order_by()
    named: tuple[Any, ...] = ("card__card_id", "card__title_key", "kind", "value")
    for list_id, card_id, title_key, kind, value in rows.values_list(
        "restriction__restriction_id", *named
    ):
        entries[list_id].add(EntryRecord(card_id or title_key, kind, value))
    for row in Restriction.objects.filter(format__game=game).select_related("format"):
        yield RestrictionRecord(
            id=row.restriction_id,
            name=row.name,
            format=row.format.format_id,
            effective_from=row.effective_from,
            banned_subtypes=frozenset(row.banned_subtypes),
            point_limit=row.point_limit,
            entries=frozenset(entries[row.restriction_id]),
        )


def _snapshots(game: str) -> Iterator[SnapshotRecord]:
    rows = Snapshot.objects.filter(format__game=game)
    for row in rows.select_related("format", "pool", "restriction"):
        yield SnapshotRecord(
            id=row.snapshot_id,
            format=row.format.format_id,
            position=row.position,
            effective_from=row.effective_from,
            pool=row.pool.pool_id,
            restriction=row.restriction.restriction_id if row.restriction else "",
        )
