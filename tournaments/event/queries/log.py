"""The event log."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import F, Max, QuerySet

from tournaments.event.queries.rounds import latest_round, rounds
from tournaments.models import LogAction, LogEntry, Round, RoundState, Tournament, log_actions
from tournaments.models.log_actions import stored_for


def readable_log(
    tournament: Tournament, *, with_draft: bool, with_checks: bool
) -> QuerySet[LogEntry]:
    """The log, newest first; without the names of a draft, and without deck checks, judge calls
    and penalties, for those who may not see them.
    """
    entries = tournament.log.select_related("user", "player")
    if not with_checks:
        entries = entries.exclude(action__in=stored_for(log_actions.FOR_JUDGES))
    latest = latest_round(tournament)
    if with_draft or latest is None or not latest.is_draft:
        return entries
    return entries.exclude(action__in=log_actions.SEAT_CHANGES, at__gte=_drafted_from(tournament))


def _drafted_from(tournament: Tournament) -> datetime:
    """No draft of the round that is drafted now is older than this."""
    closed = rounds(tournament).filter(state=RoundState.CLOSED).last()
    return closed.closed_at if closed and closed.closed_at else tournament.created_at


def newest_draft_change(tournament: Tournament) -> int:
    """Grows with every change of the draft that is looked at."""
    newest: int | None = draft_changes_since(tournament, 0).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def draft_changes_since(tournament: Tournament, seen: int) -> QuerySet[LogEntry]:
    """What made or changed a draft after this entry of the log, the newest first."""
    return tournament.log.filter(action__in=log_actions.DRAFT_CHANGES, pk__gt=seen)


def newest_log_id(tournament: Tournament, actions: Collection[LogAction] = ()) -> int:
    """Grows with every change of the event, public or not, or with each of these."""
    entries = tournament.log.filter(action__in=actions) if actions else tournament.log.all()
    newest: int | None = entries.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def told_pairings(round_: Round) -> list[dict[str, Any]]:
    """Who sits where, by name, as the log keeps it: {"table", "seats"} or {"bye"} each.

    Only names are read: as objects they took most of the time of a publication.
    """
    rows = round_.pairings.order_by(
        F("table_number").asc(nulls_last=True), "pk", "match__seats__position"
    ).values_list("pk", "table_number", "bye__player__name", "match__seats__player__name")
    told: dict[int, dict[str, Any]] = {}
    for pk, table, bye, seated in rows:
        if table is None:
            told[pk] = {"bye": bye}
        else:
            told.setdefault(pk, {"table": table, "seats": []})["seats"].append(seated)
    return list(told.values())
