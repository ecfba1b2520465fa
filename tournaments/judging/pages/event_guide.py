"""The infraction guide of an event: each infraction, and what the event does otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.text import slugify

from rulings.guide import OWN_CATEGORY, Guide, GuideChange, Infraction, shipped_guide
from tournaments.event.queries import penalties as queries
from tournaments.models import Tournament


class Otherwise(StrEnum):
    """How an infraction differs from the guide that ships."""

    NOT = ""
    CHANGED = "changed here"
    OWN = "only here"
    OFF = "not used here"


@dataclass(frozen=True)
class GuideLine:
    """An infraction as it holds at the event; one that is off as it would hold."""

    infraction: Infraction
    otherwise: Otherwise

    @property
    def is_off(self) -> bool:
        return self.otherwise is Otherwise.OFF

    @property
    def is_own(self) -> bool:
        """Whether the event has added it, so that no guide knows it without the event."""
        return self.infraction.category == OWN_CATEGORY


@dataclass(frozen=True)
class EventGuide:
    """Lines by the name of their category, and those that are not used here."""

    categories: tuple[tuple[str, tuple[GuideLine, ...]], ...]
    off: tuple[GuideLine, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the event does anything otherwise."""
        lines = [line for _, found in self.categories for line in found]
        return bool(self.off) or any(line.otherwise for line in lines)

    def line(self, code: str) -> GuideLine | None:
        """The line of an infraction, whether it is used or not."""
        lines = [line for _, found in self.categories for line in found]
        return next((line for line in (*lines, *self.off) if line.infraction.code == code), None)


def event_guide(tournament: Tournament) -> EventGuide:
    """The guide with all changes of the event; one query."""
    changes = {row.code: queries.as_change(row) for row in queries.changes_of(tournament)}
    held = shipped_guide().with_changes(changes.values())
    whole = shipped_guide().with_changes(replace(one, is_off=False) for one in changes.values())
    used = tuple(
        (name, tuple(_line(one, changes) for one in found)) for name, found in held.by_category()
    )
    return EventGuide(used, tuple(_off(whole, held)))


def fresh_code(known: EventGuide, name: str) -> str:
    """A lasting code of a new infraction: its name in plain letters, with a number if need be."""
    stem = slugify(name)[:50].strip("-_").replace("_", "-") or "own"
    codes = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 10_000))
    return next(code for code in codes if known.line(code) is None)


def _off(whole: Guide, held: Guide) -> list[GuideLine]:
    return [
        GuideLine(one, Otherwise.OFF)
        for code, one in whole.infractions.items()
        if code not in held.infractions
    ]


def _line(infraction: Infraction, changes: Mapping[str, GuideChange]) -> GuideLine:
    if infraction.code not in changes:
        return GuideLine(infraction, Otherwise.NOT)
    is_shipped = infraction.code in shipped_guide().infractions
    return GuideLine(infraction, Otherwise.CHANGED if is_shipped else Otherwise.OWN)
