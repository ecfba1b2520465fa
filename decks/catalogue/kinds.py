"""Map card data records to database rows and back."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from django.db.models import Model, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from decks import models
from decks.card_data import records
from decks.card_data.comparing import Difference

Record = TypeVar("Record")
# Primary keys by the key of the record.
Numbers: TypeAlias = Mapping[str, int]
CARD = "card__key"
# Database equivalent of CardRecord.key.
CARD_KEY = Coalesce(NullIf("card__card_id", Value("")), "card__title_key")
BATCH = 100


@dataclass(frozen=True)
class Kind(Generic[Record]):
    """Mapping of one kind of record to a model.

    `key` is the field that is unique within a game. `columns` maps fields to columns; a column with
    "__" is the key of a row referenced by foreign key. `derived` columns are computed from the
    fields. `game` is the lookup from a row to its game.
    """

    record: Callable[..., Record]
    model: type[Model]
    key: str
    columns: Mapping[str, str]
    derived: tuple[str, ...] = ()
    game: str = "game"

    def read(self, game: str) -> tuple[Record, ...]:
        """Read all records of the game from the database, ordered by key."""
        columns = (CARD_KEY if column == CARD else column for column in self.columns.values())
        rows = self._rows(game).order_by(self._key).values_list(*columns)
        return tuple(self.record(**self._fields(row)) for row in rows)

    def numbers(self, game: str) -> Numbers:
        """Map the keys of the game's rows to their primary keys."""
        return dict(self._rows(game).order_by().values_list(self._key, "pk"))

    def write(
        self,
        game: str,
        found: Difference[Record],
        known: Numbers | None = None,
        **others: Numbers,
    ) -> None:
        """Create and update rows.

        `known` overrides the current primary keys if the keys of rows have changed. `others` maps
        the keys of rows referenced by foreign key, by the name of the foreign key.
        """
        self.model._default_manager.bulk_create(
            self.model(**self._values(game, record, others)) for record in found.new
        )
        if found.changed:
            self._change(game, found, known or self.numbers(game), others)

    def _change(
        self,
        game: str,
        found: Difference[Record],
        known: Numbers,
        others: Mapping[str, Numbers],
    ) -> None:
        manager = self.model._default_manager
        numbers = [known[getattr(old, self.key)] for old, _ in found.changed]
        rows = manager.in_bulk(numbers)
        values: dict[str, Any] = {}
        for number, (_, record) in zip(numbers, found.changed, strict=True):
            values = self._values(game, record, others)
            for column, value in values.items():
                setattr(rows[number], column, value)
        manager.bulk_update(rows.values(), list(values), batch_size=BATCH)

    @property
    def _key(self) -> str:
        return self.columns.get(self.key, self.key)

    def _rows(self, game: str) -> QuerySet[Model]:
        return self.model._default_manager.filter(**{self.game: game})

    def _fields(self, row: tuple[Any, ...]) -> dict[str, Any]:
        columns = zip(self.columns.items(), row, strict=True)
        return {
            field: value or "" if "__" in column else value for (field, column), value in columns
        }

    def _values(self, game: str, record: Record, others: Mapping[str, Numbers]) -> dict[str, Any]:
        values: dict[str, Any] = {"game": game} if self.game == "game" else {}
        for field, column in self.columns.items():
            value = getattr(record, field)
            foreign, _, is_named = column.partition("__")
            if is_named:
                values[f"{foreign}_id"] = others[foreign][value] if value else None
            else:
                values[column] = sorted(value) if isinstance(value, frozenset) else value
        return values | {column: getattr(record, column) for column in self.derived}


FACTIONS = Kind(
    records.FactionRecord,
    models.CardFaction,
    "id",
    {"id": "faction_id", "name": "name", "side": "side", "is_mini": "is_mini"},
)
CYCLES = Kind(
    records.CycleRecord,
    models.CardCycle,
    "id",
    {"id": "cycle_id", "name": "name", "position": "position"},
)
SETS = Kind(
    records.SetRecord,
    models.CardSet,
    "id",
    {
        "id": "set_id",
        "name": "name",
        "cycle": "cycle__cycle_id",
        "type": "type",
        "released_on": "released_on",
        "size": "size",
    },
)
CARDS = Kind(
    records.CardRecord,
    models.Card,
    "title_key",
    {one.name: one.name for one in dataclasses.fields(records.CardRecord) if one.compare},
    derived=("title_key", "folded_title"),
)
ALIASES = Kind(
    records.AliasRecord,
    models.CardAlias,
    "alias_key",
    {"alias": "alias", "card": CARD},
    derived=("alias_key", "folded_alias"),
    game="card__game",
)
PRINTINGS = Kind(
    records.PrintingRecord,
    models.Printing,
    "code",
    {
        "code": "code",
        "card": CARD,
        "card_set": "card_set__set_id",
        "position": "position",
        "quantity": "quantity",
    },
    game="card__game",
)
FORMATS = Kind(
    records.FormatRecord,
    models.Format,
    "id",
    {"id": "format_id", "name": "name", "position": "position"},
)
POOLS = Kind(
    records.PoolRecord,
    models.CardPool,
    "id",
    {"id": "pool_id", "name": "name", "format": "format__format_id"},
    game="format__game",
)
RESTRICTIONS = Kind(
    records.RestrictionRecord,
    models.Restriction,
    "id",
    {
        "id": "restriction_id",
        "name": "name",
        "format": "format__format_id",
        "effective_from": "effective_from",
        "banned_subtypes": "banned_subtypes",
        "point_limit": "point_limit",
    },
    game="format__game",
)
SNAPSHOTS = Kind(
    records.SnapshotRecord,
    models.Snapshot,
    "id",
    {
        "id": "snapshot_id",
        "format": "format__format_id",
        "position": "position",
        "effective_from": "effective_from",
        "pool": "pool__pool_id",
        "restriction": "restriction__restriction_id",
    },
    game="format__game",
)
