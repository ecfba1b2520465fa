"""Rows that were read in a way of our own, put where Django keeps what it has prefetched."""

from collections.abc import Iterable
from typing import Any

from django.db import models


def lay(one: models.Model, relation: str, rows: Iterable[models.Model]) -> None:
    """From now on `one.relation.all()` are these rows, and each of them knows `one` as theirs.

    `relation` is the name of a foreign key's other side. As after `prefetch_related`.
    """
    field: Any = one._meta.get_field(relation)
    query = getattr(one, relation).get_queryset()
    query._result_cache, query._prefetch_done = list(rows), True
    for row in rows:
        setattr(row, field.remote_field.name, one)
    kept = one.__dict__.setdefault("_prefetched_objects_cache", {})
    kept[relation] = query


def is_laid(one: models.Model, relation: str) -> bool:
    """Whether `one.relation.all()` is known without a question."""
    return relation in one.__dict__.get("_prefetched_objects_cache", {})
