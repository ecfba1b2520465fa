"""Judging the lists of an event again, as a job."""

from django.db import transaction

from core import jobs
from core.jobs import JobState
from tournaments import history, tasks
from tournaments.models import Job, JobKind, Tournament


@transaction.atomic
def judge_open_events() -> None:
    """Card data are new: each event that is not over judges its lists again, in a job each.

    What pages tell of a format is new as well.
    """
    open_ = Tournament.objects.filter(finished_at=None)
    history.move_versions(open_)
    for tournament in open_.filter(registrations__deck_submissions__isnull=False).distinct():
        request_judging(tournament)


@transaction.atomic
def request_judging(tournament: Tournament) -> Job:
    """A job that judges all lists of the event again; one that still waits is enough."""
    history.lock(tournament)
    of_kind = tournament.jobs.filter(kind=JobKind.JUDGE_DECKS)
    job = of_kind.filter(state=JobState.QUEUED).first()
    if job is None:
        job = Job.objects.create(
            tournament=tournament,
            kind=JobKind.JUDGE_DECKS,
            key=f"decks:{tournament.pk}:{of_kind.count() + 1}",
        )
    jobs.enqueue(tasks.judge_decks, job)
    return job
