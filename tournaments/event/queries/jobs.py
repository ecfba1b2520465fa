"""Work that is written down, and done afterwards."""

from collections.abc import Iterable

from django.utils import timezone

from core import jobs
from core.jobs import LIVE, JobState
from tournaments.models import Job, JobKind, Tournament

REASON_HIDDEN = "Whoever runs the event sees why."


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
    """Jobs at work or failed, newest first: what the desk has to tell.

    What waits for a program that does not answer stands in its own log, and nobody at the event
    waits for a backup.
    """
    aside = (JobKind.WEBHOOK, JobKind.BACK_UP)
    told = tournament.jobs.exclude(kind__in=aside, state__in=LIVE)
    return list(told.exclude(state=JobState.DONE)[:20])


def oldest_waiting_seconds() -> float:
    """For how long the job that waits longest could have been begun; 0 when none waits."""
    now = timezone.now()
    moments = (job.leased_until or job.created_at for job in jobs.waiting(Job))
    return max(((now - moment).total_seconds() for moment in moments), default=0.0)


def sendings(tournament: Tournament) -> list[Job]:
    """What was told outside the site, newest first."""
    kinds = [JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH]
    return list(tournament.jobs.filter(kind__in=kinds)[:10])
