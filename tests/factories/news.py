"""News of an event for tests: a published round, and the job that announces it."""

from django.utils import timezone

from core import jobs
from core.jobs import JobState
from tests.factories.tournaments import draft_round, get_round, owner_of
from tournaments.models import Job, JobKind, Round, Tournament
from tournaments.rounds import services as rounds_services


def publish(event: Tournament) -> Round:
    """Draft and publish the next round."""
    draft = draft_round(event)
    rounds_services.publish_round(draft, owner_of(event))
    return get_round(event, draft.number)


def at_work(event: Tournament, kind: JobKind = JobKind.NOTIFY) -> Job:
    """The job, leased as by a worker."""
    lease_end = timezone.now() + jobs.LEASE
    event.jobs.filter(kind=kind).update(state=JobState.RUNNING, leased_until=lease_end)
    return event.jobs.get(kind=kind)
