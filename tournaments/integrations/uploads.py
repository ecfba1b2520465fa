"""Upload results to AlwaysBeRunning: an organiser requests it, a job sends them once.

An upload is marked SENDING before the request goes out. A later attempt that finds this mark cannot
know if the results arrived, so it reports UNKNOWN instead of sending them again.
"""

import base64
import re
from dataclasses import dataclass
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core import http, jobs
from core.errors import Refusal
from core.http import OutgoingRefused, OutgoingResponse, Policy
from core.jobs import TryLater
from core.json_guard import NotJson, parse
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.files import event_files
from tournaments.models import Job, JobKind, LogAction, Tournament, Upload, UploadState

OPEN_STATES = (UploadState.WAITING, UploadState.SENDING)
UPLOAD_PATH = "/api/nrtm"
FORM_PART = "jsonresults"
CODE_PATTERN = re.compile(r"[1-9][0-9]{5}", re.ASCII)
# Seconds. Less than the lease of a job, so that no other worker takes the job over.
TIME_OUT = 30.0
# Gateway errors: the server behind the proxy may still have processed the request.
GATEWAY_ERRORS = (502, 504)
INTERRUPTED = gettext_noop("The upload was interrupted while the results were being sent.")
IDENTITY_KEYS = ("corpIdentity", "runnerIdentity")


class NothingToUpload(Refusal):
    """The results cannot be uploaded, or not yet."""


class UploadUnderWay(Refusal):
    """An upload of this event is in progress."""


class SentBefore(Refusal):
    """The results may have been sent before; sending them again needs confirmation."""


def why_not_uploadable(tournament: Tournament) -> str:
    """Reason why the results cannot be uploaded now, or an empty string."""
    try:
        results_document(tournament, None)
    except Refusal as refusal:
        return str(refusal)
    return ""


@transaction.atomic
def request_upload(
    tournament: Tournament, actor: Actor, *, abr_event: int | None = None, again: bool = False
) -> Upload:
    """Request an upload; `abr_event` concludes that event at AlwaysBeRunning.

    Raises NothingToUpload, UploadUnderWay, and, unless `again` is set, SentBefore.
    """
    locked = history.lock(tournament)
    newest = uploads_of_event(locked).first()
    if newest is not None and newest.state in OPEN_STATES:
        return _resume_upload(newest)
    if not again and was_uploaded(locked):
        raise SentBefore(
            _(
                "The results have already been sent. Check AlwaysBeRunning, then confirm that "
                "you want to send them again."
            )
        )
    results_document(locked, abr_event)
    upload = locked.uploads.create(abr_event=abr_event, made_by=actor.user)
    job = Job.objects.create(
        tournament=locked,
        kind=JobKind.UPLOAD,
        key=_job_key(upload),
        payload={"upload": upload.pk},
    )
    history.record(locked, actor, LogAction.UPLOAD_ASKED_FOR, "AlwaysBeRunning")
    jobs.enqueue(job)
    return upload


def _resume_upload(upload: Upload) -> Upload:
    """Requeue the failed job of an open upload. Raises UploadUnderWay while the job is live.

    If it failed while sending, the job does not send again but ends the upload as UNKNOWN.
    """
    job = Job.objects.get(key=_job_key(upload))
    if job.is_live:
        raise UploadUnderWay(_("The results are already being sent. Wait for the outcome."))
    jobs.requeue(job)
    jobs.enqueue(job)
    return upload


def _job_key(upload: Upload) -> str:
    return f"upload:{upload.pk}"


@dataclass(frozen=True)
class UploadOutcome:
    """Result of an upload: `code` to enter at AlwaysBeRunning, or `page` of the concluded event."""

    state: UploadState
    code: str = ""
    page: str = ""
    error: str = ""


def abr_policy() -> Policy:
    host = urlsplit(settings.ABR_URL).netloc.lower()
    return Policy(hosts=frozenset({host}), time_out=TIME_OUT, max_bytes=64 * 1024)


def multipart(document: bytes) -> tuple[bytes, dict[str, str]]:
    """Encode the document as a form with one file; return the body and headers."""
    boundary = token_hex(16)
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{FORM_PART}"; '
        'filename="results.json"'
        "\r\nContent-Type: application/json\r\n\r\n"
    )
    body = head.encode() + document + f"\r\n--{boundary}--\r\n".encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "Accept": "application/json",
    }
    if settings.ABR_USER:
        pair = f"{settings.ABR_USER}:{settings.ABR_PASSWORD}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
    return body, headers


def outcome_of(response: OutgoingResponse, abr_event: int | None) -> UploadOutcome:
    if response.status in GATEWAY_ERRORS:
        return UploadOutcome(
            UploadState.UNKNOWN, error=f"AlwaysBeRunning answered with status {response.status}."
        )
    try:
        parsed = parse(response.body)
    except NotJson:
        parsed = None
    answer = parsed if isinstance(parsed, dict) else {}
    if error := answer.get("error"):
        message = " ".join(str(error).replace("\0", "").split())
        return _failed_outcome(f"AlwaysBeRunning answered with an error: {message[:300]}")
    if response.status != 200:
        return _failed_outcome(f"AlwaysBeRunning answered with status {response.status}.")
    if abr_event is not None and isinstance(answer.get("url"), str):
        return UploadOutcome(UploadState.CONCLUDED, page=_event_page(answer["url"], abr_event))
    code = str(answer.get("code", ""))
    if CODE_PATTERN.fullmatch(code):
        return UploadOutcome(UploadState.CODE, code=code)
    return _failed_outcome("AlwaysBeRunning answered without a code.")


def _failed_outcome(error: str) -> UploadOutcome:
    return UploadOutcome(UploadState.FAILED, error=error[:500])


def _event_page(url: str, abr_event: int) -> str:
    """Return `url` if it is on the same site, else the usual address of the event."""
    is_there = url.startswith(f"{settings.ABR_URL}/") and url.isascii() and url.isprintable()
    return url if is_there and len(url) <= 300 else f"{settings.ABR_URL}/tournaments/{abr_event}"


def upload_results(job: Job, policy: Policy | None = None) -> None:
    """Send the upload payload["upload"] and store its outcome.

    Raises TryLater only if nothing was sent.
    """
    upload = Upload.objects.select_related("tournament", "made_by").get(pk=job.payload["upload"])
    if upload.state == UploadState.SENDING:
        _end_upload(upload, state=UploadState.UNKNOWN, error=INTERRUPTED)
    if upload.state != UploadState.WAITING:
        return
    try:
        _refuse_former_organiser(upload)
        document = results_document(upload.tournament, upload.abr_event)
    except Refusal as refusal:
        _waiting_upload(upload).update(state=UploadState.FAILED, error=str(refusal)[:500])
        return
    jobs.renew_lease(job)
    if _waiting_upload(upload).update(state=UploadState.SENDING, error="", sent_at=timezone.now()):
        _send_results(job, upload, document, policy or abr_policy())


def _refuse_former_organiser(upload: Upload) -> None:
    user = upload.made_by
    if (
        user is None
        or not user.is_active
        or not event_permissions.can_run(Actor(user=user), upload.tournament)
    ):
        raise NothingToUpload(
            _("The organiser who requested this upload no longer runs the event. Request it again.")
        )


def results_document(tournament: Tournament, abr_event: int | None) -> bytes:
    """Build the public results document. Raises NothingToUpload."""
    if reason := why_not_ready(tournament):
        raise NothingToUpload(reason)
    page = settings.SITE_ADDRESS + tournament.get_absolute_url()
    document = event_files.nrtm_results_file(tournament, page=page, abr_event=abr_event)
    players = parse(document)["players"]
    if not players or not any(players[0].get(key) for key in IDENTITY_KEYS):
        raise NothingToUpload(
            _(
                "AlwaysBeRunning requires at least the winner's identity, and only public "
                "identities are sent. Submit the winner's decks, or reveal the decks."
            )
        )
    return document


def why_not_ready(tournament: Tournament) -> str:
    """Reason why the results cannot be uploaded yet, or ""; does not check identities."""
    if not tournament.game_played.is_on_abr:
        return _("AlwaysBeRunning only accepts Android: Netrunner events.")
    if tournament.is_practice:
        return _("A practice event cannot be uploaded.")
    if not tournament.is_finished:
        return _("Finish the event first: AlwaysBeRunning requires the final places.")
    return tournament.why_standings_wait()


def _send_results(job: Job, upload: Upload, document: bytes, policy: Policy) -> None:
    body, headers = multipart(document)
    try:
        response = http.exchange(settings.ABR_URL + UPLOAD_PATH, body, policy, headers)
    except OutgoingRefused as refused:
        if refused.was_sent:
            _end_upload(upload, state=UploadState.UNKNOWN, error=str(refused)[:500])
        elif job.attempts >= jobs.MAX_ATTEMPTS or isinstance(refused, http.AddressNotAllowed):
            _end_upload(upload, state=UploadState.FAILED, error=str(refused)[:500])
        else:
            _end_upload(upload, state=UploadState.WAITING, error=str(refused)[:500], sent_at=None)
            raise TryLater(str(refused)) from refused
        return
    outcome = outcome_of(response, upload.abr_event)
    _end_upload(
        upload, state=outcome.state, code=outcome.code, page=outcome.page, error=outcome.error
    )


def _waiting_upload(upload: Upload) -> QuerySet[Upload]:
    return Upload.objects.filter(pk=upload.pk, state=UploadState.WAITING)


def _end_upload(upload: Upload, **outcome: Any) -> None:
    # A late response also replaces UNKNOWN.
    open_states = (UploadState.SENDING, UploadState.UNKNOWN)
    Upload.objects.filter(pk=upload.pk, state__in=open_states).update(**outcome)


def uploads_of_event(tournament: Tournament) -> QuerySet[Upload]:
    return tournament.uploads.select_related("made_by").order_by("-pk")


def was_uploaded(tournament: Tournament) -> bool:
    """Return True if the results were sent, or may have been, by an earlier upload."""
    return tournament.uploads.exclude(state=UploadState.FAILED).exists()
