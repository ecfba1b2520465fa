"""Rows for every table of an old database, made through the models as they were then.

No service of now knows those tables, so the rows are made up: some for each table, each column
with a value of its kind, and what constraints ask for besides said in `WANTED`.
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
    # A table, not a bye.
    "tournaments.pairing": {"bye": lambda _: None, "bye_points": lambda _: None},
    "tournaments.stageentry": {"declined": lambda _: False},
    "tournaments.decksubmission": {"locked_at": lambda _: None, "locked_by": lambda _: ""},
    "tournaments.deckcheck": {"checked_at": lambda _: None, "outcome": lambda _: ""},
    "tournaments.penalty": {"game": lambda _: None},
    "tournaments.tournament": {"round_minutes": lambda _: 75, "practice_of": lambda _: None},
    # It points at an event, which points at it.
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
    """So many rows for each table that has none yet."""
    for model in _in_order(apps):
        manager = model._base_manager.using(using)
        if not manager.exists():
            for place in range(ROWS):
                manager.create(**_values(model, place))


def counted(apps: Apps, using: str = "default") -> dict[str, int]:
    """How many rows each table has, by its name."""
    return {
        model._meta.db_table: model._base_manager.using(using).count()
        for model in apps.get_models(include_auto_created=True)
    }


def _in_order(apps: Apps) -> Iterator[type[models.Model]]:
    """Every table after those it points at."""
    left = {model._meta.label_lower: model for model in apps.get_models(include_auto_created=True)}
    while left:
        ready = [
            label
            for label, model in left.items()
            if not any(target in left and target != label for target in _targets(model))
        ]
        assert ready, f"these tables point at each other: {sorted(left)}"
        yield from (left.pop(label) for label in ready)


def _targets(model: type[models.Model]) -> set[str]:
    said = WANTED.get(model._meta.label_lower, {})
    return {
        field.related_model._meta.label_lower
        for field in _columns(model)
        if field.is_relation
        and field.name not in said
        and (not field.null or field.related_model is not model)
    }


def _columns(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.local_fields if field.concrete]


def _values(model: type[models.Model], place: int) -> dict[str, Any]:
    said = WANTED.get(model._meta.label_lower, {})
    return {
        field.name: said[field.name](place) if field.name in said else _value(field, place)
        for field in _columns(model)
        if field.name in said or not isinstance(field, models.AutoField | models.BigAutoField)
    }


def _value(field: Any, place: int) -> Any:
    if field.is_relation:
        return _row(field, place)
    choices = [value for value, _ in field.flatchoices if value]
    if choices:
        return choices[place % len(choices)]
    return _by_kind(field, place)


def _row(field: Any, place: int) -> models.Model | None:
    """The row of the same place in the other table, so that no two share one."""
    if field.related_model is field.model:
        return None
    rows = list(field.related_model._base_manager.order_by("pk")[: place + 1])
    return rows[-1] if len(rows) > place else None


def _by_kind(field: Any, place: int) -> Any:
    match field:
        case models.UUIDField():
            return uuid.UUID(int=place + 1)
        case models.BooleanField():
            return place % 2 == 0
        case models.JSONField():
            return [place] if field.default is list else {"kept": f"Zoë {place}"}
        case models.DateTimeField():
            return NOON + datetime.timedelta(hours=place)
        case models.DateField():
            return NOON.date() + datetime.timedelta(days=place)
        case models.GenericIPAddressField():
            return f"192.0.2.{place}"
        case models.IntegerField():
            return place + 1
        case models.TimeField():
            return datetime.time(12 + place)
        case models.FloatField():
            return 1500.1 + place
        case _:
            return _text(field, place)


def _text(field: Any, place: int) -> str:
    text = f"{field.name} {place} Zoë" if not isinstance(field, models.SlugField) else f"s{place}"
    return text[: field.max_length] if (field.max_length or 99) >= 12 else f"{place}"
