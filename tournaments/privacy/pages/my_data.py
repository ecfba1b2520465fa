"""Everything this site keeps about one person, for them to read and to take away."""

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
    """What is kept of one kind: `rows` have a value for each of `columns`.

    `words` has, by column, what a short key that is kept is called on the pages.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    words: Mapping[str, Mapping[str, str]]

    def headings(self) -> list[str]:
        """The columns as people call them."""
        return [
            column.removesuffix("_at").replace("_", " ").capitalize() for column in self.columns
        ]

    def lines(self) -> Iterator[list[tuple[str, str]]]:
        """The rows in words: (heading, text) for each value there is."""
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
    """All of it, in one query for each kind, besides one for the log of each event."""
    return [_section(table, actor) for table in TABLES]


def as_document(sections: list[Section]) -> dict[str, list[dict[str, Any]]]:
    """The same as one JSON object: by key, a list with an object for each row."""
    return {
        section.key: [
            dict(zip(section.columns, map(_plain, row), strict=True)) for row in section.rows
        ]
        for section in sections
    }


def in_words(value: Any) -> str:
    """One value as a person reads it; moments in the zone of the site."""
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
    """What each key at the end of this path is called; nothing for a free text."""
    first, _, rest = path.partition("__")
    try:
        field = model._meta.get_field(first)
    except FieldDoesNotExist:
        # It is computed by the query.
        return {}
    if rest and field.related_model:
        return _choices(field.related_model, rest)
    return {str(key): str(label) for key, label in getattr(field, "flatchoices", None) or []}
