"""Queries on the event log and jobs."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Min, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from core import jobs
from core.jobs import LIVE_STATES, JobState
from matches.models import SETTLED_STATES
from tournaments.event.queries.rounds import latest_round, rounds
from tournaments.models import (
    JOB_MODELS,
    Job,
    JobKind,
    LogAction,
    LogEntry,
    Round,
    RoundState,
    Tournament,
    event_log,
)
from tournaments.models.event_log import stored_values

REASON_HIDDEN = "The organiser can see why."


def readable_log(
    tournament: Tournament, *, with_draft: bool, with_checks: bool
) -> QuerySet[LogEntry]:
    """The log, newest first, filtered for the reader.

    Without `with_draft`, entries that reveal a draft are left out; without `with_checks`, those for
    judges.
    """
    entries = tournament.log.select_related("user", "player")
    if not with_checks:
        entries = entries.exclude(action__in=stored_values(event_log.JUDGE_ACTIONS))
    latest = latest_round(tournament)
    if with_draft or latest is None or not latest.is_draft:
        return entries
    return entries.exclude(action__in=event_log.SEAT_CHANGES, at__gte=_drafted_from(tournament))


def _drafted_from(tournament: Tournament) -> datetime:
    """Earliest possible time of the current draft."""
    closed = rounds(tournament).filter(state=RoundState.CLOSED).last()
    return closed.closed_at if closed and closed.closed_at else tournament.created_at


def newest_draft_change(tournament: Tournament) -> int:
    """Id of the newest change of a draft; 0 if there is none."""
    newest: int | None = draft_changes_since(tournament, 0).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def draft_changes_since(tournament: Tournament, seen: int) -> QuerySet[LogEntry]:
    """Changes of drafts after this log entry, newest first."""
    return tournament.log.filter(action__in=event_log.DRAFT_CHANGES, pk__gt=seen)


def newest_log_id(tournament: Tournament, actions: Collection[LogAction] = ()) -> int:
    """Id of the newest log entry, public or not, or of the newest with these actions."""
    entries = tournament.log.filter(action__in=actions) if actions else tournament.log.all()
    newest: int | None = entries.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def logged_pairings(round_: Round) -> list[dict[str, Any]]:
    """The pairings by name as logged: {"table", "seats"} or {"bye"} each.

    Reads only names: model instances took most of the time of a publication.
    """
    rows = round_.pairings.order_by(
        F("table_number").asc(nulls_last=True), "pk", "match__seats__position"
    ).values_list("pk", "table_number", "bye__player__name", "match__seats__player__name")
    seats: dict[int, dict[str, Any]] = {}
    for pk, table, bye, seated in rows:
        if table is None:
            seats[pk] = {"bye": bye}
        else:
            seats.setdefault(pk, {"table": table, "seats": []})["seats"].append(seated)
    return list(seats.values())


def jobs_as_seen(rows: Iterable[Job], *, runs: bool) -> list[Job]:
    """Hide the failure reasons of jobs from readers who do not run the event.

    A reason may name the players at a table of a draft, or a card of a hidden deck.
    """
    shown = list(rows)
    for job in shown:
        if job.error and not runs:
            job.error = REASON_HIDDEN
    return shown


def pairing_job(tournament: Tournament, number: int) -> Job | None:
    """The job that pairs this round, in any state."""
    return tournament.jobs.filter(key=pairing_key(tournament, number)).first()


def pairing_key(tournament: Tournament, number: int) -> str:
    """The job key of a round's pairing. Repeated clicks share it, so they make one round."""
    return f"pair:{tournament.pk}:{number}"


def jobs_to_show(tournament: Tournament) -> list[Job]:
    """Running and failed jobs for the desk, newest first, at most 20.

    Running webhook and backup jobs are left out: nobody at the event needs their result.
    """
    aside = (JobKind.WEBHOOK, JobKind.BACK_UP)
    shown = tournament.jobs.exclude(kind__in=aside, state__in=LIVE_STATES)
    return list(shown.exclude(state=JobState.DONE)[:20])


def oldest_waiting_seconds() -> float:
    """Age in seconds of the oldest job that is ready to run; 0 if there is none."""
    ready_at = Coalesce("leased_until", "created_at")
    found = [
        jobs.waiting_jobs(model).aggregate(oldest=Min(ready_at))["oldest"] for model in JOB_MODELS
    ]
    waits = [timezone.now() - oldest for oldest in found if oldest is not None]
    return max(waits, default=timedelta(0)).total_seconds()


def sendings(tournament: Tournament) -> list[Job]:
    """The ten newest jobs that send notifications."""
    kinds = [JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH]
    return list(tournament.jobs.filter(kind__in=kinds)[:10])


@dataclass(frozen=True)
class Correction:
    """A correction of a finished event, as shown publicly."""

    version: int
    at: datetime
    what: str
    reason: str
    is_reopened: bool = False
    # Changes of a reopened event until it was finished again, without unsettled reports.
    changes: tuple[str, ...] = ()


def archive_version(tournament: Tournament) -> int:
    """Version of the finished event, from 1."""
    return 1 + _corrections(tournament).count()


def corrections(tournament: Tournament) -> list[Correction]:
    """All corrections, oldest first; at most two queries.

    Reasons given before reasons became public are not shown.
    """
    entries = list(_corrections(tournament))
    if not entries:
        return []
    later = _while_reopened(tournament, entries)
    return [
        Correction(
            number,
            entry.at,
            "Event opened again" if _is_reopening(entry) else entry.subject,
            entry.reason if "version" in entry.after else "",
            _is_reopening(entry),
            tuple(later.get(entry.pk, ())),
        )
        for number, entry in enumerate(entries, start=2)
    ]


def _corrections(tournament: Tournament) -> QuerySet[LogEntry]:
    return tournament.log.filter(action__in=stored_values(event_log.CORRECTION_ACTIONS)).order_by(
        "pk"
    )


def _is_reopening(entry: LogEntry) -> bool:
    return entry.action in stored_values([LogAction.EVENT_REOPENED])


def _while_reopened(tournament: Tournament, entries: list[LogEntry]) -> dict[int, list[str]]:
    """Changes after each reopening until the event was finished again, by the reopening's key."""
    opened = [entry.pk for entry in entries if _is_reopening(entry)]
    if not opened:
        return {}
    shown = stored_values((*event_log.ACTIONS_IN_REOPENED_EVENT, LogAction.EVENT_FINISHED))
    log = tournament.log.filter(action__in=shown, pk__gt=opened[0]).order_by("pk")
    changes: dict[int, list[str]] = {}
    finished = stored_values([LogAction.EVENT_FINISHED])
    now, is_over = 0, False
    for entry in log:
        if _is_unsettled_report(entry):
            continue
        since = max(pk for pk in opened if pk < entry.pk)
        now, is_over = (since, False) if since != now else (now, is_over)
        is_over = is_over or entry.action in finished
        if not is_over:
            changes.setdefault(since, []).append(_in_words(entry))
    return changes


def _is_unsettled_report(entry: LogEntry) -> bool:
    """Return True if only the table's players and the staff can see this result change."""
    if entry.action not in stored_values(event_log.RESULT_CHANGES) or "state" not in entry.after:
        return False
    before = entry.before.get("match", {}).get("state")
    return before not in SETTLED_STATES and entry.after["state"] not in SETTLED_STATES


def _in_words(entry: LogEntry) -> str:
    """Such as "player dropped: Ada" or "settings changed: tie breakers"."""
    words, about = event_log.action_label(entry.action), entry.subject
    if entry.action in stored_values([LogAction.SETTINGS_CHANGED]):
        about = ", ".join(name.replace("_", " ") for name in entry.after)
    return f"{words}: {about}".strip(": ")
