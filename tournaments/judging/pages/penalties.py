"""The infraction guide of an event, and a player's history with the judges."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.text import slugify

from rulings.guide import OWN_CATEGORY, Guide, GuideChange, Infraction, shipped_guide
from rulings.models import JudgeNote, NoteKind
from rulings.queries import with_citations
from tournaments.decklists import queries as deck_queries
from tournaments.event.queries import penalties as penalty_queries
from tournaments.judging import queries
from tournaments.judging.penalty_effects import Expectation, in_order, tables_of
from tournaments.judging.queries import TableCall
from tournaments.models import DeckCheck, Pairing, Penalty, Registration, Tournament


class Otherwise(StrEnum):
    """Difference of an infraction from the shipped guide."""

    NOT = ""
    CHANGED = "changed here"
    OWN = "only here"
    OFF = "not used here"


@dataclass(frozen=True)
class GuideLine:
    """An infraction as the event uses it, or would use it if enabled."""

    infraction: Infraction
    otherwise: Otherwise

    @property
    def is_off(self) -> bool:
        return self.otherwise is Otherwise.OFF

    @property
    def is_own(self) -> bool:
        """Return True if the event defined the infraction itself."""
        return self.infraction.category == OWN_CATEGORY


@dataclass(frozen=True)
class EventGuide:
    """Infractions in use by category, and disabled infractions."""

    categories: tuple[tuple[str, tuple[GuideLine, ...]], ...]
    off: tuple[GuideLine, ...]

    @property
    def is_changed(self) -> bool:
        """Return True if the event differs from the shipped guide."""
        lines = [line for _, found in self.categories for line in found]
        return bool(self.off) or any(line.otherwise for line in lines)

    def line(self, code: str) -> GuideLine | None:
        """Find the line of an infraction, disabled or not."""
        lines = [line for _, found in self.categories for line in found]
        return next((line for line in (*lines, *self.off) if line.infraction.code == code), None)


def event_guide(tournament: Tournament) -> EventGuide:
    """The guide with all changes of the event; one query."""
    changes = {
        row.code: penalty_queries.as_change(row) for row in penalty_queries.changes_of(tournament)
    }
    held = shipped_guide().with_changes(changes.values())
    whole = shipped_guide().with_changes(replace(one, is_off=False) for one in changes.values())
    used = tuple(
        (name, tuple(_line(one, changes) for one in found)) for name, found in held.by_category()
    )
    return EventGuide(used, tuple(_off(whole, held)))


def fresh_code(known: EventGuide, name: str) -> str:
    """A permanent code for a new infraction: its slugified name, numbered if taken."""
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


@dataclass(frozen=True)
class TableNote:
    note: JudgeNote
    pairing: Pairing


@dataclass(frozen=True)
class Conduct:
    """A player's history at an event.

    `next_times` are the guide's penalties for repeating earlier infractions.
    """

    place: Registration
    penalties: list[Penalty]
    next_times: list[Expectation]
    calls: list[TableCall]
    notes: list[TableNote]
    checks: list[DeckCheck]


def conduct(place: Registration) -> Conduct:
    """Load the history of a player in a fixed number of queries."""
    tournament = place.tournament
    penalties = list(penalty_queries.of_player(place))
    checks = deck_queries.deck_checks(tournament).filter(submission__registration=place)
    return Conduct(
        place=place,
        penalties=in_order(penalties),
        next_times=_next_times(tournament, penalties),
        calls=[
            line
            for line in queries.all_calls(tournament)
            if place.player_id in line.pairing.players
        ],
        notes=_notes(place),
        checks=list(checks),
    )


def _next_times(tournament: Tournament, penalties: Iterable[Penalty]) -> list[Expectation]:
    guide = penalty_queries.guide_of(tournament).infractions
    done = Counter(one.infraction for one in penalties if one.stands)
    return [
        Expectation(guide[code], earlier, guide[code].penalty(earlier))
        for code, earlier in done.items()
        if code in guide
    ]


def _notes(place: Registration) -> list[TableNote]:
    """Notes on the player's tables. Answers are left out: they are listed with their calls."""
    by_match = {table.match_id: table for table in tables_of(place).values()}
    notes = JudgeNote.objects.filter(match__in=by_match, kind__in=(NoteKind.NOTE, NoteKind.RESULT))
    return [
        TableNote(note, by_match[note.match_id]) for note in with_citations(notes.order_by("pk"))
    ]
