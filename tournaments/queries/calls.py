"""Judge calls of an event, with the tables they come from."""

from dataclasses import dataclass

from django.db.models import QuerySet

from matches.models import Match
from rulings.models import JudgeCall
from tournaments.models import Pairing, Tournament

OPEN = {"answered_at": None, "withdrawn_at": None}
"""A call that nobody has answered yet."""


@dataclass(frozen=True)
class TableCall:
    """A call and the table it comes from."""

    call: JudgeCall
    pairing: Pairing


def open_call(match: Match) -> JudgeCall | None:
    """The call of this table that nobody has answered yet."""
    return _calls().filter(match=match, **OPEN).first()


def open_calls(tournament: Tournament) -> list[TableCall]:
    """Calls that wait for an answer, the oldest first; each with its table."""
    return _with_pairings(tournament, calls_of(tournament).filter(**OPEN))


def past_calls(tournament: Tournament) -> list[TableCall]:
    """Calls that are over, the newest first; each with its table."""
    return _with_pairings(tournament, calls_of(tournament).exclude(**OPEN).order_by("-pk"))


def table_of(match: Match) -> Pairing:
    """The table of a match, with its round."""
    return Pairing.objects.select_related("round__stage__tournament").get(match=match)


def _calls() -> QuerySet[JudgeCall]:
    calls = JudgeCall.objects.select_related("player", "user", "taken_by", "answered_by", "note")
    return calls.prefetch_related("note__citations__version__ruling")


def calls_of(tournament: Tournament) -> QuerySet[JudgeCall]:
    """All calls of the event, over or not."""
    tables = Pairing.objects.filter(round__stage__tournament=tournament, match__isnull=False)
    return _calls().filter(match__in=tables.values("match"))


def _with_pairings(tournament: Tournament, calls: QuerySet[JudgeCall]) -> list[TableCall]:
    found = list(calls)
    tables = Pairing.objects.filter(match__in=[call.match_id for call in found])
    tables = tables.select_related("match", "round__stage").prefetch_related("match__seats__player")
    by_match = {table.match_id: table for table in tables}
    return [TableCall(call, by_match[call.match_id]) for call in found]
