"""What was done, and what is still to do: the event log and jobs."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Min, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from core import jobs
from core.jobs import LIVE, JobState
from matches.models import SETTLED
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
    log_actions,
)
from tournaments.models.log_actions import stored_for

REASON_HIDDEN = "The organiser can see why."


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


def logged_pairings(round_: Round) -> list[dict[str, Any]]:
    """Who sits where, by name, as the log keeps it: {"table", "seats"} or {"bye"} each.

    Only names are read: as objects they took most of the time of a publication.
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
    """The same rows; why one failed is for who runs the event.

    A reason may name who sits at a table of a draft, or a card of a hidden deck.
    """
    shown = list(rows)
    for job in shown:
        if job.error and not runs:
            job.error = REASON_HIDDEN
    return shown


def pairing_job(tournament: Tournament, number: int) -> Job | None:
    """The job that pairs round `number`, whatever its state."""
    return tournament.jobs.filter(key=pairing_key(tournament, number)).first()


def pairing_key(tournament: Tournament, number: int) -> str:
    """One key for each round: that is why one click, or ten, make one round."""
    return f"pair:{tournament.pk}:{number}"


def jobs_to_show(tournament: Tournament) -> list[Job]:
    """Jobs at work or failed, newest first: what the desk has to show.

    What waits for a program that does not answer stands in its own log, and nobody at the event
    waits for a backup.
    """
    aside = (JobKind.WEBHOOK, JobKind.BACK_UP)
    shown = tournament.jobs.exclude(kind__in=aside, state__in=LIVE)
    return list(shown.exclude(state=JobState.DONE)[:20])


def oldest_waiting_seconds() -> float:
    """For how long the job that waits longest could have been begun; 0 when none waits."""
    ready_at = Coalesce("leased_until", "created_at")
    found = [jobs.waiting(model).aggregate(oldest=Min(ready_at))["oldest"] for model in JOB_MODELS]
    waits = [timezone.now() - oldest for oldest in found if oldest is not None]
    return max(waits, default=timedelta(0)).total_seconds()


def sendings(tournament: Tournament) -> list[Job]:
    """What was sent outside the site, newest first."""
    kinds = [JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH]
    return list(tournament.jobs.filter(kind__in=kinds)[:10])


@dataclass(frozen=True)
class Correction:
    """What made a finished event another version: as everybody may read it.

    `changes` are those of an event that was opened again, until it was finished anew. Reports that
    settled nothing are not among them.
    """

    version: int
    at: datetime
    what: str
    reason: str
    is_reopened: bool = False
    changes: tuple[str, ...] = ()


def archive_version(tournament: Tournament) -> int:
    """Which version of the finished event this is, 1 for the first."""
    return 1 + _corrections(tournament).count()


def corrections(tournament: Tournament) -> list[Correction]:
    """All corrections, the first one first; two queries at most.

    A reason given before reasons were for everybody is not shown.
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
    return tournament.log.filter(action__in=stored_for(log_actions.CORRECTIONS)).order_by("pk")


def _is_reopening(entry: LogEntry) -> bool:
    return entry.action in stored_for([LogAction.EVENT_REOPENED])


def _while_reopened(tournament: Tournament, entries: list[LogEntry]) -> dict[int, list[str]]:
    """What was changed after each opening, by its key, until the event was finished again."""
    opened = [entry.pk for entry in entries if _is_reopening(entry)]
    if not opened:
        return {}
    shown = stored_for((*log_actions.IN_A_REOPENED_EVENT, LogAction.EVENT_FINISHED))
    log = tournament.log.filter(action__in=shown, pk__gt=opened[0]).order_by("pk")
    changes: dict[int, list[str]] = {}
    finished = stored_for([LogAction.EVENT_FINISHED])
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
    """Return whether only the players of a table and the staff read this change of a result."""
    if entry.action not in stored_for(log_actions.RESULTS) or "state" not in entry.after:
        return False
    before = entry.before.get("match", {}).get("state")
    return before not in SETTLED and entry.after["state"] not in SETTLED


def _in_words(entry: LogEntry) -> str:
    """Such as "player dropped: Ada", or "settings changed: tie breakers"."""
    words, about = log_actions.words_of(entry.action), entry.subject
    if entry.action in stored_for([LogAction.SETTINGS_CHANGED]):
        about = ", ".join(name.replace("_", " ") for name in entry.after)
    return f"{words}: {about}".strip(": ")
