"""One row made like another."""

from typing import Any, TypeVar

from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def copied(row: Row, **changes: Any) -> Row:
    """A new row, not saved, with the values of this one but for its key and the `changes`."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {
        field.attname: getattr(row, field.attname)
        for field in fields
        if field.name not in changes and field.attname not in changes
    }
    return type(row)(**values, **changes)
