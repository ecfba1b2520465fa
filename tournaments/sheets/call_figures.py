"""The judge calls of an event as the figures of tournaments.sheets.judging want them."""

from tournaments import queries
from tournaments.models import Tournament
from tournaments.queries import TableCall
from tournaments.sheets.judging import CallFigures, CallRecord, call_figures


def figures_of(tournament: Tournament) -> CallFigures:
    """The figures of all calls of the event, open ones too; a constant number of queries."""
    lines = [*queries.past_calls(tournament), *queries.open_calls(tournament)]
    return call_figures([_record(line) for line in lines])


def _record(line: TableCall) -> CallRecord:
    call = line.call
    citations = call.note.citations.all() if call.note else ()
    rulings = [citation.version.ruling for citation in citations]
    return CallRecord(
        round_number=line.pairing.round.number,
        table=line.pairing.table_number or 0,
        raised_at=call.raised_at,
        taken_at=call.taken_at,
        answered_at=call.answered_at,
        is_withdrawn=call.withdrawn_at is not None,
        judge=str(call.answered_by or ""),
        is_appeal=call.appeals_id is not None,
        was_escalated=call.escalated_at is not None,
        overturned=call.overturned,
        minutes=call.minutes,
        cited=tuple((ruling.short_code, ruling.subject) for ruling in rulings),
    )
