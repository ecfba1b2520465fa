"""Rows for every table of an old database, created with the models of that state.

Current services do not know those tables, so the rows are generated: a few per table, each column
with a value of its type. Values required by constraints are in `WANTED`.
"""

import datetime
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from django.apps.registry import Apps
from django.db import models

ROWS = 3
NOON = datetime.datetime(2026, 5, 2, 12, tzinfo=datetime.UTC)

Make = Callable[[int], Any]
WANTED: dict[str, dict[str, Make]] = {
    # A pairing with a table, not with a bye.
    "tournaments.pairing": {"bye": lambda _: None, "bye_points": lambda _: None},
    "tournaments.stageentry": {"declined": lambda _: False},
    "tournaments.decksubmission": {"locked_at": lambda _: None, "locked_by": lambda _: ""},
    "tournaments.deckcheck": {"checked_at": lambda _: None, "outcome": lambda _: ""},
    "tournaments.penalty": {"game": lambda _: None},
    "tournaments.tournament": {"round_minutes": lambda _: 75, "practice_of": lambda _: None},
    # It refers to an event, which refers to it.
    "tournaments.series": {"target": lambda _: None},
    "tournaments.logentry": {"undoes": lambda _: None},
    "tournaments.staff": {"role": lambda _: "owner"},
    "tournaments.staffinvitation": {"role": lambda _: "judge"},
    "rulings.ruling": {
        "code": lambda place: f"bits-{place + 1}",
        "short_code": lambda place: f"R-{place:04}",
    },
    "rulings.judgecall": {"withdrawn_at": lambda _: None, "appeals": lambda _: None},
}


def fill(apps: Apps, using: str = "default") -> None:
    """Create ROWS rows in each empty table."""
    for model in _in_order(apps):
        manager = model._base_manager.using(using)
        if not manager.exists():
            for index in range(ROWS):
                manager.create(**_values(model, index))


def counted(apps: Apps, using: str = "default") -> dict[str, int]:
    """Number of rows by table name."""
    return {
        model._meta.db_table: model._base_manager.using(using).count()
        for model in apps.get_models(include_auto_created=True)
    }


def _in_order(apps: Apps) -> Iterator[type[models.Model]]:
    """Every model after the models it refers to."""
    remaining = {
        model._meta.label_lower: model for model in apps.get_models(include_auto_created=True)
    }
    while remaining:
        ready = [
            label
            for label, model in remaining.items()
            if not any(target in remaining and target != label for target in _targets(model))
        ]
        assert ready, f"these tables point at each other: {sorted(remaining)}"
        yield from (remaining.pop(label) for label in ready)


def _targets(model: type[models.Model]) -> set[str]:
    explicit = WANTED.get(model._meta.label_lower, {})
    return {
        field.related_model._meta.label_lower
        for field in _columns(model)
        if field.is_relation
        and field.name not in explicit
        and (not field.null or field.related_model is not model)
    }


def _columns(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.local_fields if field.concrete]


def _values(model: type[models.Model], index: int) -> dict[str, Any]:
    explicit = WANTED.get(model._meta.label_lower, {})
    return {
        field.name: explicit[field.name](index) if field.name in explicit else _value(field, index)
        for field in _columns(model)
        if field.name in explicit or not isinstance(field, models.AutoField | models.BigAutoField)
    }


def _value(field: Any, index: int) -> Any:
    if field.is_relation:
        return _row(field, index)
    choices = [value for value, _ in field.flatchoices if value]
    if choices:
        return choices[index % len(choices)]
    return _by_kind(field, index)


def _row(field: Any, index: int) -> models.Model | None:
    """The row with the same index in the other table, so that no two rows share one."""
    if field.related_model is field.model:
        return None
    rows = list(field.related_model._base_manager.order_by("pk")[: index + 1])
    return rows[-1] if len(rows) > index else None


def _by_kind(field: Any, index: int) -> Any:
    match field:
        case models.UUIDField():
            return uuid.UUID(int=index + 1)
        case models.BooleanField():
            return index % 2 == 0
        case models.JSONField():
            return [index] if field.default is list else {"kept": f"Zoë {index}"}
        case models.DateTimeField():
            return NOON + datetime.timedelta(hours=index)
        case models.DateField():
            return NOON.date() + datetime.timedelta(days=index)
        case models.GenericIPAddressField():
            return f"192.0.2.{index}"
        case models.IntegerField():
            return index + 1
        case models.TimeField():
            return datetime.time(12 + index)
        case models.FloatField():
            return 1500.1 + index
        case _:
            return _text(field, index)


def _text(field: Any, index: int) -> str:
    text = f"{field.name} {index} Zoë" if not isinstance(field, models.SlugField) else f"s{index}"
    return text[: field.max_length] if (field.max_length or 99) >= 12 else f"{index}"
