"""The event log."""

from datetime import datetime

from django.db.models import Max, QuerySet

from tournaments.models import LogEntry, RoundState, Tournament
from tournaments.queries.rounds import latest_round, rounds

TELLS_OF_A_DRAFT = ("seats swapped", "paired by hand", "locked", "unlocked", "role chosen")
"""Actions whose entries name who sits where in a draft."""


def readable_log(tournament: Tournament, *, with_draft: bool) -> QuerySet[LogEntry]:
    """The log, newest first; without the names of a draft for those who may not see it."""
    entries = tournament.log.select_related("user", "player")
    latest = latest_round(tournament)
    if with_draft or latest is None or not latest.is_draft:
        return entries
    return entries.exclude(action__in=TELLS_OF_A_DRAFT, at__gte=_drafted_from(tournament))


def _drafted_from(tournament: Tournament) -> datetime:
    """No draft of the round that is drafted now is older than this."""
    closed = rounds(tournament).filter(state=RoundState.CLOSED).last()
    return closed.closed_at if closed and closed.closed_at else tournament.created_at


def newest_draft_change(tournament: Tournament) -> int:
    """Grows with every change of the draft that is looked at."""
    told = (*TELLS_OF_A_DRAFT, "round drafted", "rest paired anew")
    newest: int | None = tournament.log.filter(action__in=told).aggregate(newest=Max("pk"))[
        "newest"
    ]
    return newest or 0


def newest_log_id(tournament: Tournament, about: str = "") -> int:
    """Grows with every change of the event, public or not; `about` is how its action begins."""
    entries = tournament.log.filter(action__startswith=about)
    newest: int | None = entries.aggregate(newest=Max("pk"))["newest"]
    return newest or 0
