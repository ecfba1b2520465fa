"""The event log."""

from django.db.models import Max, QuerySet

from tournaments.models import LogEntry, Tournament
from tournaments.queries.rounds import latest_round


def readable_log(tournament: Tournament, *, with_draft: bool) -> QuerySet[LogEntry]:
    """The log, newest first; without the names of a draft for those who may not see it."""
    entries = tournament.log.select_related("user", "player")
    latest = latest_round(tournament)
    if with_draft or latest is None or not latest.is_draft:
        return entries
    return entries.exclude(action="seats swapped", at__gte=latest.created_at)


def newest_log_id(tournament: Tournament, about: str = "") -> int:
    """Grows with every change of the event, public or not; `about` is how its action begins."""
    entries = tournament.log.filter(action__startswith=about)
    newest: int | None = entries.aggregate(newest=Max("pk"))["newest"]
    return newest or 0
