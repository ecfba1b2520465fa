"""Work that is written down."""

from core.jobs import LIVE, JobState
from tournaments.models import Job, JobKind, Tournament


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


def sendings(tournament: Tournament) -> list[Job]:
    """What was told outside the site, newest first."""
    kinds = [JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH]
    return list(tournament.jobs.filter(kind__in=kinds)[:10])
