"""Work as the people behind the desk are told of it."""

from collections.abc import Iterable

from tournaments.models import Job

SAID_TO_RUNNERS = "Whoever runs the event sees why."


def as_told(jobs: Iterable[Job], *, runs: bool) -> list[Job]:
    """The same rows; why one failed is for who runs the event.

    A reason may name who sits at a table of a draft, or a card of a hidden deck.
    """
    told = list(jobs)
    for job in told:
        if job.error and not runs:
            job.error = SAID_TO_RUNNERS
    return told
