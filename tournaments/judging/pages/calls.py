"""Judge calls as the judges see them: the queue, and one call with all that is known of its table.

Whoever calls has asked tournaments.event.permissions.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rulings import queries as ruling_queries
from rulings.models import JudgeCall
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.judging import queries as judging_queries
from tournaments.judging.queries import TableCall
from tournaments.models import Pairing, Tournament
from tournaments.rounds.pages import clocks, tables

LATE = 5
"""Minutes after which a call has waited too long."""


@dataclass(frozen=True)
class QueueLine:
    """An open call: how long it waits in whole minutes, and what this judge may do with it."""

    call: JudgeCall
    pairing: Pairing
    minutes: int
    is_mine: bool
    can_answer: bool
    can_give_back: bool
    can_escalate: bool

    @property
    def is_late(self) -> bool:
        return self.minutes > LATE

    @property
    def waited(self) -> int | None:
        """The minutes of a call that still waits."""
        return self.minutes if self.call.is_open else None

    @property
    def players(self) -> list[str]:
        """The names at the table, in the order of its seats."""
        return [seat.player.name for seat in self.pairing.seats]


def queue(tournament: Tournament, actor: Actor, now: datetime) -> list[QueueLine]:
    """Open calls, the oldest first; for a head judge those that wait for one come before."""
    is_head = permissions.can_head_judge(actor, tournament)
    can_judge = permissions.can_judge(actor, tournament)
    lines = [
        _line(line, actor, now, can_judge=can_judge, is_head=is_head)
        for line in judging_queries.open_calls(tournament)
    ]
    if is_head:
        lines.sort(key=lambda line: not line.call.for_head_judge)
    return lines


def queue_line(tournament: Tournament, line: TableCall, actor: Actor, now: datetime) -> QueueLine:
    """One call, with what this judge may do with it; over, nothing."""
    if not line.call.is_open:
        return QueueLine(line.call, line.pairing, 0, *[False] * 4)
    return _line(
        line,
        actor,
        now,
        can_judge=permissions.can_judge(actor, tournament),
        is_head=permissions.can_head_judge(actor, tournament),
    )


def _line(
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
class CallSheet:
    """One call, its table, and what was called there and by these players before.

    What this call or the one it appeals shows itself is left out of `before` and `notes`.
    `can_appeal` says whether somebody may still appeal its answer.
    """

    line: QueueLine
    table: tables.TableLine
    clock: clocks.ClockFace | None
    before: list[TableCall]
    notes: list[Any]
    can_appeal: bool


def call_sheet(tournament: Tournament, found: TableCall, actor: Actor, now: datetime) -> CallSheet:
    """All that the page of a call shows; a constant number of queries."""
    call, pairing = found.call, found.pairing
    line = _line(
        found,
        actor,
        now,
        can_judge=permissions.can_judge(actor, tournament),
        is_head=permissions.can_head_judge(actor, tournament),
    )
    shown = [one.note_id for one in (call, call.appeals) if one and one.note_id]
    return CallSheet(
        line=line,
        table=tables.table_line(pairing, _numbers(tournament, pairing)),
        clock=clocks.face(pairing.round, pairing.table_number, pairing.extra_minutes),
        before=[
            one
            for one in judging_queries.calls_before(tournament, call)
            if one.call != call.appeals
        ],
        notes=list(ruling_queries.notes_of(call.match).exclude(pk__in=shown)),
        can_appeal=not tournament.is_finished and can_be_appealed(call, pairing),
    )


def _numbers(tournament: Tournament, pairing: Pairing) -> dict[int, int]:
    found = tournament.registrations.filter(player__in=pairing.players)
    return dict(found.values_list("player_id", "number"))


def calls_of_table(pairing: Pairing) -> dict[str, Any]:
    """For its players: the `open` call, the newest one `answered`, whether they `can_appeal`."""
    assert pairing.match is not None
    # Most tables call nobody, and what an answer rests on is long to ask for.
    calls = (
        list(judging_queries.calls_at(pairing.match))
        if judging_queries.has_called(pairing.match)
        else []
    )
    answered = next((call for call in calls if call.answered_at), None)
    return {
        "open": next((call for call in calls if call.is_open), None),
        "answered": answered,
        "can_appeal": answered is not None and can_be_appealed(answered, pairing),
    }


def can_be_appealed(call: JudgeCall, pairing: Pairing) -> bool:
    """Whether the answer may still be appealed: once, before the table has its result."""
    assert pairing.match is not None
    return (
        call.answered_at is not None
        and not call.for_head_judge
        and getattr(call, "appeal", None) is None
        and not pairing.match.is_settled
        and not pairing.round.is_closed
    )
