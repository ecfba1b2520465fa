"""Card data in the database: rows as records, and cached tables of cards and formats."""

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import connection
from django.db.models import Count, Max, Model, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.functional import cached_property

from decks import models
from decks.card_data.readers import shipped_card_data
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
    RecordDifference,
    RestrictionRecord,
    SetRecord,
    SnapshotRecord,
)
from decks.legality import card_tables
from decks.legality.card_tables import CardTable
from decks.legality.records import FormatTable
from decks.models import Card, CardAlias, CardPool, Catalogue, RestrictionEntry, Snapshot

Record = TypeVar("Record")
# Primary keys by the key of the record.
KeysToPks: TypeAlias = Mapping[str, int]
CARD_COLUMN = "card__key"
# Database equivalent of CardRecord.key.
CARD_KEY = Coalesce(NullIf("card__card_id", Value("")), "card__title_key")
UPDATE_BATCH = 100


@dataclass(frozen=True)
class RowMapping(Generic[Record]):
    record: Callable[..., Record]
    model: type[Model]
    # Field that is unique within a game.
    key: str = "id"
    # Columns that differ from their field. A column with "__" is the key of a row referenced by
    # foreign key.
    renamed: Mapping[str, str] = field(default_factory=dict)
    # Field stored in a table of its own.
    omitted: str = ""
    # Columns computed from the fields.
    derived: tuple[str, ...] = ()
    # Lookup from a row to its game.
    game: str = "game"

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """Column of each field."""
        record: Any = self.record
        names = [item.name for item in dataclasses.fields(record) if item.compare]
        return {name: self.renamed.get(name, name) for name in names if name != self.omitted}

    def read(self, game: str) -> tuple[Record, ...]:
        columns = (
            CARD_KEY if column == CARD_COLUMN else column for column in self.columns.values()
        )
        rows = self._rows(game).order_by(self._key).values_list(*columns)
        return tuple(
            self.record(
                **{
                    name: value or "" if "__" in column else value
                    for (name, column), value in zip(self.columns.items(), row, strict=True)
                }
            )
            for row in rows
        )

    def primary_keys(self, game: str) -> KeysToPks:
        return dict(self._rows(game).order_by().values_list(self._key, "pk"))

    def write(
        self,
        game: str,
        difference: RecordDifference[Record],
        known: KeysToPks | None = None,
        **foreign_keys: KeysToPks,
    ) -> None:
        """Create and update rows; `foreign_keys` are the primary keys that rows may reference.

        `known` overrides the current primary keys, if the keys of rows have changed.
        """
        manager = self.model._default_manager
        manager.bulk_create(
            self.model(**self._values(game, record, foreign_keys)) for record in difference.new
        )
        if not difference.changed:
            return
        known = known or self.primary_keys(game)
        numbers = [known[getattr(old, self.key)] for old, _ in difference.changed]
        rows = manager.in_bulk(numbers)
        values: dict[str, Any] = {}
        for number, (_, record) in zip(numbers, difference.changed, strict=True):
            values = self._values(game, record, foreign_keys)
            for column, value in values.items():
                setattr(rows[number], column, value)
        manager.bulk_update(rows.values(), list(values), batch_size=UPDATE_BATCH)

    @property
    def _key(self) -> str:
        return self.columns.get(self.key, self.key)

    def _rows(self, game: str) -> QuerySet[Model]:
        return self.model._default_manager.filter(**{self.game: game})

    def _values(
        self, game: str, record: Record, foreign_keys: Mapping[str, KeysToPks]
    ) -> dict[str, Any]:
        values: dict[str, Any] = {"game": game} if self.game == "game" else {}
        for name, column in self.columns.items():
            value = getattr(record, name)
            foreign, _, is_named = column.partition("__")
            if is_named:
                values[f"{foreign}_id"] = foreign_keys[foreign][value] if value else None
            else:
                values[column] = sorted(value) if isinstance(value, frozenset) else value
        return values | {column: getattr(record, column) for column in self.derived}


FACTION_ROWS = RowMapping(FactionRecord, models.CardFaction, renamed={"id": "faction_id"})
CYCLE_ROWS = RowMapping(CycleRecord, models.CardCycle, renamed={"id": "cycle_id"})
SET_ROWS = RowMapping(
    SetRecord, models.CardSet, renamed={"id": "set_id", "cycle": "cycle__cycle_id"}
)
CARD_ROWS = RowMapping(CardRecord, Card, key="title_key", derived=("title_key", "folded_title"))
ALIAS_ROWS = RowMapping(
    AliasRecord,
    CardAlias,
    key="alias_key",
    renamed={"card": CARD_COLUMN},
    derived=("alias_key", "folded_alias"),
    game="card__game",
)
PRINTING_ROWS = RowMapping(
    PrintingRecord,
    models.Printing,
    key="code",
    renamed={"card": CARD_COLUMN, "card_set": "card_set__set_id"},
    game="card__game",
)
FORMAT_ROWS = RowMapping(FormatRecord, models.Format, renamed={"id": "format_id"})
POOL_ROWS = RowMapping(
    PoolRecord,
    CardPool,
    renamed={"id": "pool_id", "format": "format__format_id"},
    omitted="sets",
    game="format__game",
)
RESTRICTION_ROWS = RowMapping(
    RestrictionRecord,
    models.Restriction,
    renamed={"id": "restriction_id", "format": "format__format_id"},
    omitted="entries",
    game="format__game",
)
SNAPSHOT_ROWS = RowMapping(
    SnapshotRecord,
    Snapshot,
    renamed={
        "id": "snapshot_id",
        "format": "format__format_id",
        "pool": "pool__pool_id",
        "restriction": "restriction__restriction_id",
    },
    game="format__game",
)


def stored_card_data(game: str) -> CardData:
    cards, formats = stored_cards(game), stored_formats(game)
    return replace(
        cards,
        factions=FACTION_ROWS.read(game),
        cycles=CYCLE_ROWS.read(game),
        formats=formats.formats,
        pools=formats.pools,
        restrictions=formats.restrictions,
        snapshots=formats.snapshots,
    )


def stored_cards(game: str) -> CardData:
    return CardData(
        game=game,
        sets=SET_ROWS.read(game),
        cards=CARD_ROWS.read(game),
        aliases=ALIAS_ROWS.read(game),
        printings=PRINTING_ROWS.read(game),
    )


def stored_formats(game: str) -> CardData:
    loaded = Catalogue.objects.filter(game=game).first()
    return CardData(
        game=game,
        source_date=loaded.source_date if loaded else None,
        formats=FORMAT_ROWS.read(game),
        pools=_stored_pools(game),
        restrictions=_stored_restrictions(game),
        snapshots=SNAPSHOT_ROWS.read(game),
    )


def _stored_pools(game: str) -> tuple[PoolRecord, ...]:
    sets: dict[str, set[str]] = defaultdict(set)
    rows = CardPool.sets.through.objects.filter(cardpool__format__game=game)
    for pool_id, set_id in rows.values_list("cardpool__pool_id", "cardset__set_id"):
        sets[pool_id].add(set_id)
    return tuple(replace(pool, sets=frozenset(sets[pool.id])) for pool in POOL_ROWS.read(game))


def _stored_restrictions(game: str) -> tuple[RestrictionRecord, ...]:
    entries: dict[str, set[EntryRecord]] = defaultdict(set)
    rows = RestrictionEntry.objects.filter(restriction__format__game=game).order_by()
    columns = ("restriction__restriction_id", CARD_KEY, "kind", "value")
    for list_id, *entry in rows.values_list(*columns):
        entries[list_id].add(EntryRecord(*entry))
    return tuple(
        replace(
            restriction,
            banned_subtypes=frozenset(restriction.banned_subtypes),
            entries=frozenset(entries[restriction.id]),
        )
        for restriction in RESTRICTION_ROWS.read(game)
    )


# Tables cached in the process until the next import


CatalogueStamp: TypeAlias = tuple[Any, ...]


class GameTables:
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


_tables: dict[str, tuple[CatalogueStamp, GameTables]] = {}


def stored_tables(game: str) -> GameTables:
    """Costs one small query if nothing changed."""
    # Read from the database, so that imports by other processes take effect immediately.
    stamp = _current_stamp(game)
    known = _tables.get(game)
    if known is None or known[0] != stamp:
        tables = GameTables(
            lambda: card_tables.build_card_table(stored_cards(game), CARD_ROWS.primary_keys(game)),
            lambda: card_tables.build_format_table(stored_formats(game)),
        )
        known = _tables[game] = (stamp, tables)
    return known[1]


def card_table(game: str) -> CardTable:
    return stored_tables(game).cards


def format_table(game: str) -> FormatTable:
    return stored_tables(game).formats


def _current_stamp(game: str) -> CatalogueStamp:
    stamp = Catalogue.objects.filter(game=game).values_list("stamp", flat=True).first()
    if stamp is not None:
        return (stamp,)
    # Cards that were not imported have no stamp: use counts and timestamps instead.
    marks = {"count": Count("pk"), "newest": Max("pk"), "last": Max("updated_at")}
    cards = Card.objects.filter(game=game).aggregate(**marks)
    aliases = CardAlias.objects.filter(card__game=game).aggregate(**marks)
    return (*cards.values(), *aliases.values())


@cache
def shipped_tables(game: str) -> GameTables:
    """Return the tables of the files that ship with Datafort, without a database."""

    def read_cards() -> CardTable:
        data = shipped_card_data(game)
        ids = {card.title_key: number for number, card in enumerate(data.cards, start=1)}
        return card_tables.build_card_table(data, ids)

    return GameTables(read_cards, lambda: card_tables.build_format_table(shipped_card_data(game)))


def available_tables(game: str) -> GameTables:
    """Allow deck checks before anything is migrated or imported."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return shipped_tables(game)
    required = {model._meta.db_table for model in (Card, CardAlias, Catalogue, Snapshot)}
    existing = set(connection.introspection.table_names())
    if required <= existing and Card.objects.filter(game=game).exists():
        return stored_tables(game)
    return shipped_tables(game)
