"""Ask for standings after a change that counts."""

from core import jobs
from tournaments.models import Job, JobKind, Tournament


def request_standings(tournament: Tournament, from_round: int) -> Job:
    """A job that stores the standings anew from a closed round on.

    Call inside the transaction of the change: the task is queued after it.
    """
    number = tournament.jobs.filter(kind=JobKind.RECOMPUTE_STANDINGS).count() + 1
    job = Job.objects.create(
        tournament=tournament,
        kind=JobKind.RECOMPUTE_STANDINGS,
        key=f"standings:{tournament.pk}:{number}",
        payload={"from_round": from_round},
    )
    jobs.enqueue(job)
    return job
