"""The work of the job "upload the results": sent once, and never again by itself.

An upload is marked as being sent before the request goes out. Whoever finds that mark later does
not know whether it arrived, and says so instead of sending it again.
"""

from typing import Any

from django.conf import settings
from django.utils import timezone

from core import jobs, other_sites
from core.errors import Refusal
from core.jobs import TryLater
from core.json_guard import parse
from core.other_sites import OutgoingRefused, Policy
from decks.games import GameSystem
from tournaments import exports, permissions, queries
from tournaments.actors import Actor
from tournaments.announcements import abr
from tournaments.models import Job, Tournament, Upload, UploadState

BROKE_OFF = "The work broke off while the results were being sent."
IDENTITIES = ("corpIdentity", "runnerIdentity")


class NothingToUpload(Refusal):
    """Results that AlwaysBeRunning does not take, or not yet."""


def upload_results(job: Job, policy: Policy | None = None) -> None:
    """Send the upload payload["upload"] names and keep what came of it.

    Raises TryLater only while nothing of it has gone out.
    """
    upload = Upload.objects.select_related("tournament", "made_by").get(pk=job.payload["upload"])
    if upload.state == UploadState.SENDING:
        _end(upload, state=UploadState.UNKNOWN, error=BROKE_OFF)
    if upload.state != UploadState.WAITING:
        return
    try:
        _refuse_ended(upload)
        document = results_document(upload.tournament, upload.abr_event)
    except Refusal as refusal:
        _waiting(upload).update(state=UploadState.FAILED, error=str(refusal)[:500])
        return
    jobs.keep(job)
    if _waiting(upload).update(state=UploadState.SENDING, error="", sent_at=timezone.now()):
        _send(job, upload, document, policy or abr.policy())


def _refuse_ended(upload: Upload) -> None:
    by = upload.made_by
    if by is None or not by.is_active or not permissions.can_run(Actor(user=by), upload.tournament):
        raise NothingToUpload("Whoever asked for this runs the event no longer. Ask for it again.")


def results_document(tournament: Tournament, abr_event: int | None) -> bytes:
    """The results as everybody may read them. Raises NothingToUpload."""
    if reason := why_not_yet(tournament):
        raise NothingToUpload(reason)
    page = settings.SITE_ADDRESS + tournament.get_absolute_url()
    document = exports.nrtm_of_results(tournament, page=page, abr_event=abr_event)
    players = parse(document)["players"]
    if not players or not any(players[0].get(key) for key in IDENTITIES):
        raise NothingToUpload(
            "AlwaysBeRunning wants an identity of the first player at least. Identities are sent "
            "only where everybody may see them: show the decks, or hand them in."
        )
    return document


def why_not_yet(tournament: Tournament) -> str:
    """What stands in the way of an upload, but for identities; empty when nothing does."""
    if tournament.game != GameSystem.ANR:
        return "AlwaysBeRunning takes results of Android: Netrunner alone."
    if tournament.is_practice:
        return "A practice copy is not uploaded."
    if not tournament.is_finished:
        return "Finish the event first: AlwaysBeRunning wants the final places."
    if queries.standings_wait(tournament):
        return "The standings are still being computed. Try again in a moment."
    return ""


def _send(job: Job, upload: Upload, document: bytes, policy: Policy) -> None:
    body, headers = abr.multipart(document)
    try:
        answered = other_sites.exchange(settings.ABR_URL + abr.PATH, body, policy, headers)
    except OutgoingRefused as refused:
        if refused.was_sent:
            _end(upload, state=UploadState.UNKNOWN, error=str(refused)[:500])
        else:
            _put_off(job, upload, refused)
        return
    outcome = abr.outcome_of(answered, upload.abr_event)
    _end(upload, state=outcome.state, code=outcome.code, page=outcome.page, error=outcome.error)


def _put_off(job: Job, upload: Upload, refused: OutgoingRefused) -> None:
    """Nothing went out: a few more tries do no harm."""
    if job.attempts >= jobs.MAX_ATTEMPTS or isinstance(refused, other_sites.AddressNotAllowed):
        _end(upload, state=UploadState.FAILED, error=str(refused)[:500])
        return
    _end(upload, state=UploadState.WAITING, error=str(refused)[:500], sent_at=None)
    raise TryLater(str(refused))


def _waiting(upload: Upload) -> Any:
    return Upload.objects.filter(pk=upload.pk, state=UploadState.WAITING)


def _end(upload: Upload, **said: Any) -> None:
    # An answer that comes late is still better than not knowing.
    open_states = (UploadState.SENDING, UploadState.UNKNOWN)
    Upload.objects.filter(pk=upload.pk, state__in=open_states).update(**said)
