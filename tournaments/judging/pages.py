"""Contents of the judges' pages: calls and their statistics, the guide, a player's conduct.

Callers check tournaments.event.permissions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from statistics import median
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from rulings import queries as rulings_queries
from rulings.guide import OWN_CATEGORY, GuideChange, Infraction, shipped_guide
from rulings.models import JudgeCall, JudgeNote, NoteKind
from rulings.queries import with_citations
from tournaments.decklists import queries as deck_queries
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.judging import queries
from tournaments.judging.penalties import Expectation, sorted_penalties, tables_of_player
from tournaments.judging.queries import TableCall
from tournaments.models import DeckCheck, Pairing, Penalty, Registration, Tournament
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages

# Minutes after which an open call counts as late.
LATE_AFTER_MINUTES = 5
# Limit of the lists of busiest tables and most cited rulings.
MAX_LISTED = 10


@dataclass(frozen=True)
class QueueLine:
    """An open call, its age in whole minutes, and the judge's options."""

    call: JudgeCall
    pairing: Pairing
    minutes: int
    is_mine: bool
    can_answer: bool
    can_give_back: bool
    can_escalate: bool

    @property
    def is_late(self) -> bool:
        return self.minutes > LATE_AFTER_MINUTES

    @property
    def waited(self) -> int | None:
        return self.minutes if self.call.is_open else None

    @property
    def players(self) -> list[str]:
        return [seat.player.name for seat in self.pairing.seats]


def call_queue(
    tournament: Tournament, actor: Actor, now: datetime, known_tables: Iterable[Pairing] = ()
) -> list[QueueLine]:
    """List open calls, oldest first; for a head judge, calls for them come first.

    `known_tables` are not loaded again.
    """
    is_head = event_permissions.can_head_judge(actor, tournament)
    can_judge = event_permissions.can_judge(actor, tournament)
    lines = [
        _build_queue_line(line, actor, now, can_judge=can_judge, is_head=is_head)
        for line in queries.open_calls(tournament, known_tables)
    ]
    if is_head:
        lines.sort(key=lambda line: not line.call.for_head_judge)
    return lines


def call_queue_line(
    tournament: Tournament, line: TableCall, actor: Actor, now: datetime
) -> QueueLine:
    """Return a call with the judge's options; none if it is over."""
    if not line.call.is_open:
        return QueueLine(line.call, line.pairing, 0, *[False] * 4)
    return _build_queue_line(
        line,
        actor,
        now,
        can_judge=event_permissions.can_judge(actor, tournament),
        is_head=event_permissions.can_head_judge(actor, tournament),
    )


def _build_queue_line(
    line: TableCall, actor: Actor, now: datetime, *, can_judge: bool, is_head: bool
) -> QueueLine:
    call = line.call
    is_mine = call.taken_by_id is not None and call.taken_by == actor.user
    may_move = is_mine or is_head
    return QueueLine(
        call=call,
        pairing=line.pairing,
        minutes=max(0, int((now - call.raised_at).total_seconds()) // 60),
        is_mine=is_mine,
        can_answer=can_judge and (is_head or not call.for_head_judge),
        can_give_back=call.taken_by_id is not None and may_move,
        can_escalate=not call.for_head_judge and (call.taken_by_id is None or may_move),
    )


@dataclass(frozen=True)
class CallPage:
    """A call, its table, and earlier calls from the table or its players.

    `before` leaves out the appealed call. `notes` leaves out the answers to both. `can_appeal` is
    True while the answer can be appealed.
    """

    line: QueueLine
    table: rounds_pages.TableLine
    clock: timing_pages.ClockFace | None
    before: list[TableCall]
    notes: list[Any]
    can_appeal: bool


def call_page(
    tournament: Tournament, table_call: TableCall, actor: Actor, now: datetime
) -> CallPage:
    call, pairing = table_call.call, table_call.pairing
    line = _build_queue_line(
        table_call,
        actor,
        now,
        can_judge=event_permissions.can_judge(actor, tournament),
        is_head=event_permissions.can_head_judge(actor, tournament),
    )
    registrations = tournament.registrations.filter(player__in=pairing.players)
    numbers = dict(registrations.values_list("player_id", "number"))
    answers = [each.note_id for each in (call, call.appeals) if each and each.note_id]
    return CallPage(
        line=line,
        table=rounds_pages.table_line(pairing, numbers),
        clock=timing_pages.get_clock_face(
            pairing.round, pairing.table_number, pairing.extra_minutes
        ),
        before=[
            earlier
            for earlier in queries.previous_calls(tournament, call)
            if earlier.call != call.appeals
        ],
        notes=list(rulings_queries.notes_of(call.match).exclude(pk__in=answers)),
        can_appeal=not tournament.is_finished and can_be_appealed(call, pairing),
    )


def calls_of_table(pairing: Pairing) -> dict[str, Any]:
    """Return the calls shown to a table's players: `open`, the latest `answered`, `can_appeal`."""
    assert pairing.match is not None
    # Check for a call first: most tables have none, and loading citations is costly.
    calls = list(queries.calls_of_match(pairing.match)) if queries.has_calls(pairing.match) else []
    answered = next((call for call in calls if call.answered_at), None)
    return {
        "open": next((call for call in calls if call.is_open), None),
        "answered": answered,
        "can_appeal": answered is not None and can_be_appealed(answered, pairing),
    }


def can_be_appealed(call: JudgeCall, pairing: Pairing) -> bool:
    """Return True while the answer can be appealed: once, before the table has a result."""
    assert pairing.match is not None
    return (
        call.answered_at is not None
        and not call.for_head_judge
        and getattr(call, "appeal", None) is None
        and not pairing.match.is_settled
        and not pairing.round.is_closed
    )


@dataclass(frozen=True)
class CallRecord:
    """A call for the statistics.

    `judge` answered it, "" if unanswered. `cited` are (code, name) of rulings. `overturned` is set
    on answered appeals.
    """

    round_number: int
    table: int
    raised_at: datetime
    taken_at: datetime | None = None
    answered_at: datetime | None = None
    is_withdrawn: bool = False
    judge: str = ""
    is_appeal: bool = False
    was_escalated: bool = False
    overturned: bool | None = None
    minutes: int = 0
    cited: tuple[tuple[str, str], ...] = ()

    @property
    def until_taken(self) -> timedelta | None:
        return None if self.taken_at is None else self.taken_at - self.raised_at

    @property
    def until_answered(self) -> timedelta | None:
        return None if self.answered_at is None else self.answered_at - self.raised_at


@dataclass(frozen=True)
class WaitingTimes:
    median: timedelta
    longest: timedelta

    @property
    def in_words(self) -> tuple[str, str]:
        return _in_minutes(self.median), _in_minutes(self.longest)


def _in_minutes(span: timedelta) -> str:
    minutes, seconds = divmod(round(span.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


@dataclass(frozen=True)
class JudgeFigures:
    judge: str
    answered: int
    until_taken: WaitingTimes | None
    until_answered: WaitingTimes | None


@dataclass(frozen=True)
class AppealFigures:
    raised: int
    upheld: int
    overturned: int

    @property
    def waiting(self) -> int:
        """Appeals that are unanswered or were withdrawn."""
        return self.raised - self.upheld - self.overturned


@dataclass(frozen=True)
class CallFigures:
    """Statistics of the calls of an event; lists are in display order.

    `by_round` are (round, calls), `tables` (round, table, calls), `cited` (code, name, times).
    """

    calls: int
    answered: int
    withdrawn: int
    escalated: int
    minutes: int
    appeals: AppealFigures
    until_taken: WaitingTimes | None
    until_answered: WaitingTimes | None
    by_round: list[tuple[int, int]]
    judges: list[JudgeFigures]
    tables: list[tuple[int, int, int]]
    cited: list[tuple[str, str, int]]

    @property
    def open(self) -> int:
        return self.calls - self.answered - self.withdrawn


def call_figures(calls: Sequence[CallRecord]) -> CallFigures:
    """Compute the statistics. Withdrawn calls count as raised, but not in waits for an answer."""
    answered = [call for call in calls if call.answered_at is not None]
    appeals = [call for call in calls if call.is_appeal]
    return CallFigures(
        calls=len(calls),
        answered=len(answered),
        withdrawn=sum(call.is_withdrawn for call in calls),
        escalated=sum(call.was_escalated for call in calls),
        minutes=sum(call.minutes for call in answered),
        appeals=AppealFigures(
            raised=len(appeals),
            upheld=sum(call.overturned is False for call in appeals),
            overturned=sum(call.overturned is True for call in appeals),
        ),
        until_taken=_waiting_times(call.until_taken for call in calls),
        until_answered=_waiting_times(call.until_answered for call in answered),
        by_round=sorted(Counter(call.round_number for call in calls).items()),
        judges=_figures_by_judge(answered),
        tables=_busiest_tables(calls),
        cited=_most_cited(answered),
    )


def _waiting_times(spans: Iterable[timedelta | None]) -> WaitingTimes | None:
    known = [span for span in spans if span is not None]
    if not known:
        return None
    middle = median(span.total_seconds() for span in known)
    return WaitingTimes(timedelta(seconds=middle), max(known))


def _figures_by_judge(answered: Sequence[CallRecord]) -> list[JudgeFigures]:
    """Statistics by judge, most answers first, then by name."""
    names = Counter(call.judge for call in answered if call.judge)
    ranked = sorted(names.items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))
    figures = []
    for name, count in ranked:
        calls = [call for call in answered if call.judge == name]
        figures.append(
            JudgeFigures(
                judge=name,
                answered=count,
                until_taken=_waiting_times(call.until_taken for call in calls),
                until_answered=_waiting_times(call.until_answered for call in calls),
            )
        )
    return figures


def _busiest_tables(calls: Sequence[CallRecord]) -> list[tuple[int, int, int]]:
    counts = Counter((call.round_number, call.table) for call in calls)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(number, table, times) for (number, table), times in ranked if times > 1][:MAX_LISTED]


def _most_cited(answered: Sequence[CallRecord]) -> list[tuple[str, str, int]]:
    counts = Counter(ruling for call in answered for ruling in call.cited)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(code, name, times) for (code, name), times in ranked][:MAX_LISTED]


def call_figures_of_event(tournament: Tournament, *, for_readers: bool = False) -> CallFigures:
    """Statistics of all calls of the event, including open ones, in a constant number of queries.

    Judges have their staff names, or their public names `for_readers` of a report.
    """
    lines = [*queries.past_calls(tournament), *queries.open_calls(tournament)]
    return call_figures([_call_record(line, for_readers=for_readers) for line in lines])


def _call_record(line: TableCall, *, for_readers: bool) -> CallRecord:
    call, judge = line.call, ""
    if call.answered_by is not None:
        named = queries.public_judge_name(call.answered_by) if for_readers else None
        judge = named or call.answered_by.staff_name
    citations = call.note.citations.all() if call.note else ()
    rulings = [citation.version.ruling for citation in citations]
    return CallRecord(
        round_number=line.pairing.round.number,
        table=line.pairing.table_number or 0,
        raised_at=call.raised_at,
        taken_at=call.taken_at,
        answered_at=call.answered_at,
        is_withdrawn=call.withdrawn_at is not None,
        judge=judge,
        is_appeal=call.appeals_id is not None,
        was_escalated=call.escalated_at is not None,
        overturned=call.overturned,
        minutes=call.minutes,
        cited=tuple((ruling.short_code, ruling.subject) for ruling in rulings),
    )


def call_figures_document(figures: CallFigures) -> dict[str, Any]:
    """Return the statistics as JSON, with waits in whole seconds."""
    return {
        "calls": figures.calls,
        "answered": figures.answered,
        "taken_back": figures.withdrawn,
        "escalated": figures.escalated,
        "minutes": figures.minutes,
        "appeals": figures.appeals.raised,
        "overturned": figures.appeals.overturned,
        "until_taken": _in_seconds(figures.until_taken),
        "until_answered": _in_seconds(figures.until_answered),
        "judges": [
            {
                "judge": judge.judge,
                "answered": judge.answered,
                "until_answered": _in_seconds(judge.until_answered),
            }
            for judge in figures.judges
        ],
    }


def _in_seconds(waits: WaitingTimes | None) -> dict[str, Any] | None:
    if waits is None:
        return None
    spans = {"median": waits.median, "longest": waits.longest}
    return {name: round(span.total_seconds()) for name, span in spans.items()}


# Infraction guide


class GuideDifference(StrEnum):
    NOT = ""
    CHANGED = "changed here"
    OWN = "only here"
    OFF = "not used here"

    @property
    def label(self) -> str:
        return str(DIFFERENCE_LABELS[self]) if self else ""


DIFFERENCE_LABELS = {
    GuideDifference.CHANGED: gettext_lazy("changed here"),
    GuideDifference.OWN: gettext_lazy("only here"),
    GuideDifference.OFF: gettext_lazy("not used here"),
}


@dataclass(frozen=True)
class GuideLine:
    infraction: Infraction
    otherwise: GuideDifference

    @property
    def is_off(self) -> bool:
        return self.otherwise is GuideDifference.OFF

    @property
    def is_own(self) -> bool:
        return self.infraction.category == OWN_CATEGORY


@dataclass(frozen=True)
class EventGuide:
    categories: tuple[tuple[str, tuple[GuideLine, ...]], ...]
    off: tuple[GuideLine, ...]

    @property
    def lines(self) -> list[GuideLine]:
        return [*chain.from_iterable(lines for _, lines in self.categories), *self.off]

    @property
    def is_changed(self) -> bool:
        return any(line.otherwise for line in self.lines)

    def line(self, code: str) -> GuideLine | None:
        return next((line for line in self.lines if line.infraction.code == code), None)


def event_guide(tournament: Tournament) -> EventGuide:
    """Return the guide with all changes of the event; one query."""
    rows = tournament.infraction_changes.order_by("code")
    changes = {row.code: row.as_guide_change() for row in rows}
    in_use = shipped_guide().with_changes(changes.values())
    whole = shipped_guide().with_changes(
        replace(change, is_off=False) for change in changes.values()
    )
    categories = tuple(
        (name, tuple(_guide_line(infraction, changes) for infraction in infractions))
        for name, infractions in in_use.by_category()
    )
    disabled = tuple(
        GuideLine(infraction, GuideDifference.OFF)
        for code, infraction in whole.infractions.items()
        if code not in in_use.infractions
    )
    return EventGuide(categories, disabled)


def new_infraction_code(known: EventGuide, name: str) -> str:
    """Return a permanent code for a new infraction: its slugified name, numbered if taken."""
    stem = slugify(name)[:50].strip("-_").replace("_", "-") or "own"
    codes = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 10_000))
    return next(code for code in codes if known.line(code) is None)


def _guide_line(infraction: Infraction, changes: Mapping[str, GuideChange]) -> GuideLine:
    if infraction.code not in changes:
        return GuideLine(infraction, GuideDifference.NOT)
    is_shipped = infraction.code in shipped_guide().infractions
    return GuideLine(infraction, GuideDifference.CHANGED if is_shipped else GuideDifference.OWN)


# Conduct of a player


@dataclass(frozen=True)
class TableNote:
    note: JudgeNote
    pairing: Pairing


@dataclass(frozen=True)
class PlayerConduct:
    """A player's history at an event.

    `next_times` are the guide's penalties for repeating earlier infractions.
    """

    place: Registration
    penalties: list[Penalty]
    next_times: list[Expectation]
    calls: list[TableCall]
    notes: list[TableNote]
    checks: list[DeckCheck]


def player_conduct(place: Registration) -> PlayerConduct:
    tournament = place.tournament
    penalties = list(place.penalties.with_details())
    checks = deck_queries.deck_checks(tournament).filter(submission__registration=place)
    return PlayerConduct(
        place=place,
        penalties=sorted_penalties(penalties),
        next_times=_next_expectations(tournament, penalties),
        calls=[
            line
            for line in queries.all_calls(tournament)
            if place.player_id in line.pairing.players
        ],
        notes=_table_notes(place),
        checks=list(checks),
    )


def _next_expectations(tournament: Tournament, penalties: Iterable[Penalty]) -> list[Expectation]:
    guide = tournament.infraction_guide().infractions
    in_force = Counter(penalty.infraction for penalty in penalties if penalty.is_in_force)
    return [
        Expectation(guide[code], earlier, guide[code].penalty(earlier))
        for code, earlier in in_force.items()
        if code in guide
    ]


def _table_notes(place: Registration) -> list[TableNote]:
    """Return the notes on the player's tables, without the answers listed with their calls."""
    by_match = {table.match_id: table for table in tables_of_player(place).values()}
    notes = JudgeNote.objects.filter(match__in=by_match, kind__in=(NoteKind.NOTE, NoteKind.RESULT))
    return [
        TableNote(note, by_match[note.match_id]) for note in with_citations(notes.order_by("pk"))
    ]
