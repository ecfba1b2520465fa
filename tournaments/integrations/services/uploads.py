"""Results uploaded to AlwaysBeRunning: asked for by an organiser, sent once by a job."""

from django.db import transaction

from core import jobs
from core.errors import Refusal
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.integrations import announcements
from tournaments.integrations import queries as integration_queries
from tournaments.models import Job, JobKind, LogAction, Tournament, Upload, UploadState

OPEN = (UploadState.WAITING, UploadState.SENDING)


class UploadUnderWay(Refusal):
    """One upload of an event at a time."""


class SentBefore(Refusal):
    """The results may be there already: sending them again is a decision."""


def why_not(tournament: Tournament) -> str:
    """What stands in the way of an upload now; empty when nothing does."""
    try:
        announcements.results_document(tournament, None)
    except Refusal as refusal:
        return str(refusal)
    return ""


@transaction.atomic
def ask(
    tournament: Tournament, actor: Actor, *, abr_event: int | None = None, again: bool = False
) -> Upload:
    """Upload the results; with `abr_event` that event there is concluded at once.

    Raises NothingToUpload, UploadUnderWay, and SentBefore where an upload went out before,
    unless it is wanted `again`.
    """
    locked = history.lock(tournament)
    newest = integration_queries.uploads(locked).first()
    if newest is not None and newest.state in OPEN:
        return _go_on(newest)
    if not again and integration_queries.was_uploaded(locked):
        raise SentBefore(
            "The results were sent before. Look at AlwaysBeRunning first, then say that you want "
            "to send them again."
        )
    announcements.results_document(locked, abr_event)
    upload = locked.uploads.create(abr_event=abr_event, made_by=actor.user)
    job = Job.objects.create(
        tournament=locked,
        kind=JobKind.UPLOAD,
        key=_key(upload),
        payload={"upload": upload.pk},
    )
    subject = "AlwaysBeRunning"
    history.record(locked, actor, LogAction.UPLOAD_ASKED_FOR, subject)
    jobs.enqueue(job)
    return upload


def _go_on(upload: Upload) -> Upload:
    """A click too many changes nothing, but a job that broke is woken.

    One that broke while it sent sends nothing again: it says that nobody knows what arrived.
    """
    job = Job.objects.get(key=_key(upload))
    if job.is_live:
        raise UploadUnderWay("The results are on their way. Wait for what comes of it.")
    jobs.requeue(job)
    jobs.enqueue(job)
    return upload


def _key(upload: Upload) -> str:
    return f"upload:{upload.pk}"
