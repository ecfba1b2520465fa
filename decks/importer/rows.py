"""Rows of one table, made and changed in bulk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model

from decks.card_data.comparing import Difference

Record = TypeVar("Record")
Values = Mapping[str, Any]
BATCH = 100


@dataclass(frozen=True)
class Rows(Generic[Record]):
    """How records of one kind become rows.

    `scope` finds the rows of the game, `key` is the field that tells them apart there, with
    its value in a record from `key_of`; `values` are all fields of the row.
    """

    model: type[Model]
    scope: Values
    key: str
    key_of: Callable[[Record], str | int]
    values: Callable[[Record], Values]

    def write(self, found: Difference[Record]) -> dict[str, int]:
        """Create and change rows. Answers the primary key of every row by its key."""
        manager = self.model._default_manager
        manager.bulk_create([self.model(**self.values(record)) for record in found.new])
        if found.changed:
            self._change(found)
        return self.numbers()

    def numbers(self) -> dict[str, int]:
        """Primary keys by key."""
        rows = self.model._default_manager.filter(**self.scope).order_by()
        return dict(rows.values_list(self.key, "pk"))

    def _change(self, found: Difference[Record]) -> None:
        manager = self.model._default_manager
        keys = [self.key_of(old) for old, _ in found.changed]
        scope = {**self.scope, f"{self.key}__in": keys}
        rows = {getattr(row, self.key): row for row in manager.filter(**scope)}
        changed = [self._take(rows[self.key_of(old)], new) for old, new in found.changed]
        fields = list(self.values(found.changed[0][1]))
        manager.bulk_update(changed, fields, batch_size=BATCH)

    def _take(self, row: Model, record: Record) -> Model:
        for field, value in self.values(record).items():
            setattr(row, field, value)
        return row
