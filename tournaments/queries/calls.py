"""Judge calls of an event, with the tables they come from."""

from dataclasses import dataclass

from django.db.models import F, Prefetch, QuerySet

from matches.models import Match
from players.models import User
from rulings.models import JudgeCall
from rulings.queries.notes import cited_versions
from tournaments.models import Pairing, Tournament

OPEN = {"answered_at": None, "withdrawn_at": None}
"""A call that nobody has answered yet."""


@dataclass(frozen=True)
class TableCall:
    """A call and the table it comes from."""

    call: JudgeCall
    pairing: Pairing


KINDS = {
    "appeal": {"appeals__isnull": False},
    "escalated": {"escalated_at__isnull": False},
}
"""Calls the head judge had to do with, by what they are called in a filter."""


def has_called(match: Match) -> bool:
    """Whether a judge was ever called to this table."""
    return JudgeCall.objects.filter(match=match).exists()


def calls_at(match: Match) -> QuerySet[JudgeCall]:
    """The calls of this table with what their answers rest on, the newest answer first."""
    return _calls().filter(match=match).order_by(F("answered_at").desc(nulls_last=True))


def open_calls(tournament: Tournament) -> list[TableCall]:
    """Calls that wait for an answer, the oldest first; each with its table."""
    return _with_pairings(calls_of(tournament).filter(**OPEN))


def past_calls(
    tournament: Tournament,
    *,
    round_number: int | None = None,
    judge: int | None = None,
    kind: str = "",
) -> list[TableCall]:
    """Calls that are over, the newest first; each with its table.

    Of one round, answered by one account (its key), of a kind of KINDS, where given.
    """
    calls = calls_of(tournament).exclude(**OPEN).filter(**KINDS.get(kind, {}))
    if judge is not None:
        calls = calls.filter(answered_by=judge)
    if round_number is not None:
        tables = Pairing.objects.filter(
            round__stage__tournament=tournament, round__number=round_number
        )
        calls = calls.filter(match__in=tables.exclude(match=None).values("match"))
    return _with_pairings(calls.order_by("-pk"))


def rounds_with_calls(tournament: Tournament) -> list[int]:
    """The numbers of the rounds in which a judge was called."""
    matches = calls_of(tournament).order_by().values("match")
    tables = Pairing.objects.filter(match__in=matches)
    return sorted(set(tables.values_list("round__number", flat=True)))


def judges_of_calls(tournament: Tournament) -> list[User]:
    """Who answered calls of the event, by name."""
    answered = calls_of(tournament).exclude(answered_by=None).order_by().values("answered_by")
    return list(User.objects.filter(pk__in=answered).order_by("username"))


def table_call(tournament: Tournament, pk: int) -> TableCall | None:
    """One call of the event with its table; None for a key of another event."""
    return next(iter(_with_pairings(calls_of(tournament).filter(pk=pk))), None)


def calls_before(tournament: Tournament, call: JudgeCall) -> list[TableCall]:
    """Other calls of this table, and of its players at any table, the newest first."""
    players = call.match.seats.values("player")
    calls = calls_of(tournament).filter(match__seats__player__in=players).exclude(pk=call.pk)
    return _with_pairings(calls.distinct().order_by("-pk"))


def table_of(match: Match) -> Pairing:
    """The table of a match, with its round."""
    return Pairing.objects.select_related("round__stage__tournament").get(match=match)


def _calls() -> QuerySet[JudgeCall]:
    calls = JudgeCall.objects.select_related(
        *("player", "user", "taken_by", "answered_by", "escalated_by"),
        *("note", "appeal", "appeals__note", "appeals__answered_by"),
    )
    return calls.prefetch_related(
        Prefetch("note__citations", cited_versions()),
        Prefetch("appeals__note__citations", cited_versions()),
    )


def calls_of(tournament: Tournament) -> QuerySet[JudgeCall]:
    """All calls of the event, over or not."""
    tables = Pairing.objects.filter(round__stage__tournament=tournament, match__isnull=False)
    return _calls().filter(match__in=tables.values("match"))


def _with_pairings(calls: QuerySet[JudgeCall]) -> list[TableCall]:
    found = list(calls)
    tables = Pairing.objects.filter(match__in=[call.match_id for call in found])
    tables = tables.select_related("match", "round__stage__tournament")
    tables = tables.prefetch_related("match__seats__player")
    by_match = {table.match_id: table for table in tables}
    return [TableCall(call, by_match[call.match_id]) for call in found]
