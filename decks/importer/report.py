"""Report of an import for the command line."""

from collections.abc import Iterator
from typing import Any

from decks import games
from decks.card_data.comparing import Difference, field_changes, name_of
from decks.importer import ImportReport

# Limit per kind; the rest is only counted.
MOST_NAMES = 20


def lines(report: ImportReport) -> Iterator[str]:
    """Yield the counts of every kind, then new, changed and missing records."""
    yield f"{games.GAMES[report.game].name}, from {report.source}:"
    for found in report.differences:
        if found.new or found.changed or found.gone or found.unchanged:
            yield from _kind(found)


def _kind(found: Difference[Any]) -> Iterator[str]:
    new, changed = len(found.new), len(found.changed)
    yield (
        f"{found.kind.capitalize()}: {new} created, {changed} updated, {found.unchanged} unchanged."
    )
    # On the first import everything is new: listing all names would bury the rest.
    if found.unchanged or changed or found.gone:
        yield from _listed("new", [name_of(record) for record in found.new])
    yield from _listed("changed", [_change(old, new) for old, new in found.changed])
    gone = [name_of(record) for record in found.gone]
    yield from _listed("no longer in the source, kept", gone)


def _change(old: Any, new: Any) -> str:
    return f"{name_of(old)}: {'; '.join(map(str, field_changes(old, new)))}"


def _listed(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"  {what}: {name}" for name in names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        yield f"  {what}: {len(names) - MOST_NAMES} more"
