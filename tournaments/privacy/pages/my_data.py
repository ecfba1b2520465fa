"""All stored data about a person, to view and download."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils import timezone
from django.utils.formats import date_format

from tournaments.event.actors import Actor
from tournaments.privacy.pages.tables import TABLES, Table


@dataclass(frozen=True)
class Section:
    """One kind of data; each of `rows` has a value per column.

    `words` has labels for stored codes, by column.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    words: Mapping[str, Mapping[str, str]]

    def headings(self) -> list[str]:
        return [
            column.removesuffix("_at").replace("_", " ").capitalize() for column in self.columns
        ]

    def lines(self) -> Iterator[list[tuple[str, str]]]:
        """Yield each row as (heading, text) pairs, without empty values."""
        columns = list(zip(self.columns, self.headings(), strict=True))
        for row in self.rows:
            yield [
                (heading, self._called(column, value))
                for (column, heading), value in zip(columns, row, strict=True)
                if value not in (None, "", [], {})
            ]

    def _called(self, column: str, value: Any) -> str:
        if isinstance(value, str):
            return self.words[column].get(value, value)
        return in_words(value)


def sections_of(actor: Actor) -> list[Section]:
    """Return all sections, with one query each, plus one per event for its log."""
    return [_section(table, actor) for table in TABLES]


def as_document(sections: list[Section]) -> dict[str, list[dict[str, Any]]]:
    """Convert the sections to a JSON object: a list of row objects by section key."""
    return {
        section.key: [
            dict(zip(section.columns, map(_plain, row), strict=True)) for row in section.rows
        ]
        for section in sections
    }


def in_words(value: Any) -> str:
    """Format a value for display; times are in the site's time zone."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "j M Y, H:i")
    if isinstance(value, date):
        return date_format(value, "j M Y")
    if isinstance(value, Mapping):
        parts = (f"{key}: {in_words(one)}" for key, one in value.items() if one not in (None, ""))
        return "; ".join(parts)
    if isinstance(value, list):
        return ", ".join(in_words(one) for one in value)
    return str(value)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def _section(table: Table, actor: Actor) -> Section:
    found = table.rows(actor)
    rows = list(found.values_list(*table.columns.values()))
    words = {
        column: {**_choices(found.model, path), **table.words.get(column, {})}
        for column, path in table.columns.items()
    }
    return Section(table.key, table.title, tuple(table.columns), rows, words)


def _choices(model: type[Model], path: str) -> dict[str, str]:
    """Labels of the choices of the field at the end of this path; empty for free text."""
    first, _, rest = path.partition("__")
    try:
        field = model._meta.get_field(first)
    except FieldDoesNotExist:
        # A computed column.
        return {}
    if rest and field.related_model:
        return _choices(field.related_model, rest)
    return {str(key): str(label) for key, label in getattr(field, "flatchoices", None) or []}
