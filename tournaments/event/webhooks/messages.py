"""Programs elsewhere that hear of an event: their messages are written down with the change.

A message is a row in the transaction of the change; a job sends it after the commit. It says what
everybody who reads the event sees, and where to read more. An event nobody hears of costs no query.
"""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from core import jobs
from core.jobs import JobState
from engine.systems import ELIMINATIONS
from matches.models import SETTLED, Match
from tournaments.event.webhooks.payloads import Happening, Payload, payload_of
from tournaments.models import (
    Job,
    JobKind,
    LogAction,
    Pairing,
    Round,
    Tournament,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)


def of_change(
    tournament: Tournament, action: LogAction, subject: object, before: Mapping[str, Any]
) -> None:
    """Write down what a public entry of the log means to programs. Wants a transaction."""
    event = action.webhook_event
    if event is None or not _may_be_heard(tournament):
        return
    if isinstance(subject, Pairing):
        was_settled = before.get("match", {}).get("state") in SETTLED
        of_result(tournament, subject, was_settled=was_settled)
    elif isinstance(subject, Round) and event == WebhookEvent.ROUND_PUBLISHED:
        _of_publishing(tournament, subject)
    else:
        tell(tournament, Happening(event, subject if isinstance(subject, Round) else None))


def _of_publishing(tournament: Tournament, round_: Round) -> None:
    stage = round_.stage
    # The cut is everybody's to see with its first round.
    if stage.system in ELIMINATIONS and not stage.rounds.filter(number__lt=round_.number).exists():
        tell(tournament, Happening(WebhookEvent.CUT_MADE, round_))
    tell(tournament, Happening(WebhookEvent.ROUND_PUBLISHED, round_))


def of_result(tournament: Tournament, pairing: Pairing, *, was_settled: bool) -> None:
    """A result stands, is another one, or stands no more."""
    if _may_be_heard(tournament) and (was_settled or _is_settled(pairing)):
        tell(tournament, Happening(WebhookEvent.RESULT_SETTLED, pairing.round, pairing))


def _is_settled(pairing: Pairing) -> bool:
    told = pairing.match
    return told is not None and Match.objects.filter(pk=told.pk, state__in=SETTLED).exists()


def tell(tournament: Tournament, happening: Happening) -> None:
    """A message to each webhook of the event that wants to hear of this."""
    if not _may_be_heard(tournament):
        return
    # Locked, so that the job of a webhook does not end while a message for it is written.
    hearers = Webhook.objects.select_for_update().filter(tournament=tournament, disabled_at=None)
    wanted = [one for one in hearers.order_by("pk") if happening.event in one.events]
    if not wanted:
        return
    told = payload_of(tournament, happening)
    for webhook in wanted:
        write(webhook, happening.event, told)


def _may_be_heard(tournament: Tournament) -> bool:
    # Who locked the event knows already (history.lock). A sandbox tells nobody.
    return getattr(tournament, "has_webhooks", True) and tournament.practice_of_id is None


def write(webhook: Webhook, event: WebhookEvent, told: Payload) -> WebhookDelivery:
    """A message for this webhook, which is locked, and the job that sends it."""
    uid = uuid4()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, uid=uid, event=event, payload={"id": str(uid), **told}
    )
    enqueue(webhook)
    return delivery


def key_of(webhook: Webhook) -> str:
    """One job for each webhook: so its messages go out in order, whatever others do."""
    return f"webhook:{webhook.pk}"


def enqueue(webhook: Webhook) -> None:
    """Let the job of this webhook, which is locked, look for messages after the commit."""
    job, is_new = Job.objects.get_or_create(
        key=key_of(webhook),
        defaults={
            "tournament_id": webhook.tournament_id,
            "kind": JobKind.WEBHOOK,
            "payload": {"webhook": webhook.pk},
        },
    )
    if not is_new and not job.is_live:
        jobs.requeue(job)
    if job.state == JobState.QUEUED and job.leased_until is None:
        jobs.enqueue(job)
