"""Store webhook messages in the transaction of the change.

A job sends each message after the commit. Messages contain public data only, with URLs for details.
Events without webhooks cost no query.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone

from core import jobs
from core.addresses import shared_address
from core.jobs import JobState
from engine.systems import ELIMINATION_SYSTEMS
from matches.models import SETTLED_STATES, Match
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

Payload = dict[str, Any]


@dataclass(frozen=True)
class WebhookOccasion:
    event: WebhookEvent
    round_: Round | None = None
    pairing: Pairing | None = None


def notify_change(
    tournament: Tournament, action: LogAction, subject: object, before: Mapping[str, Any]
) -> None:
    """Store the webhook messages for a public log entry. Requires a transaction."""
    event = action.webhook_event
    if event is None or not _may_have_webhooks(tournament):
        return
    if isinstance(subject, Pairing):
        was_settled = before.get("match", {}).get("state") in SETTLED_STATES
        notify_result(tournament, subject, was_settled=was_settled)
    elif isinstance(subject, Round) and event == WebhookEvent.ROUND_PUBLISHED:
        _notify_round_published(tournament, subject)
    else:
        notify(tournament, WebhookOccasion(event, subject if isinstance(subject, Round) else None))


def _notify_round_published(tournament: Tournament, round_: Round) -> None:
    stage = round_.stage
    # The first round of a cut makes it public, unless its seeds were published before.
    is_hidden = stage.system in ELIMINATION_SYSTEMS and stage.seeds_shown_at is None
    if is_hidden and not stage.rounds.filter(number__lt=round_.number).exists():
        notify(tournament, WebhookOccasion(WebhookEvent.CUT_MADE, round_))
    notify(tournament, WebhookOccasion(WebhookEvent.ROUND_PUBLISHED, round_))


def notify_result(tournament: Tournament, pairing: Pairing, *, was_settled: bool) -> None:
    """Notify webhooks if a settled result was added, changed or removed."""
    if not _may_have_webhooks(tournament):
        return
    settled = Pairing.objects.filter(pk=pairing.pk, match__state__in=SETTLED_STATES)
    if was_settled or settled.exists():
        notify(tournament, WebhookOccasion(WebhookEvent.RESULT_SETTLED, pairing.round, pairing))


def notify(tournament: Tournament, occasion: WebhookOccasion) -> None:
    """Store a message for each webhook that subscribes to this event."""
    if not _may_have_webhooks(tournament):
        return
    # Locked, so that the webhook's job cannot end while a message for it is stored.
    webhooks = Webhook.objects.select_for_update().filter(tournament=tournament, disabled_at=None)
    subscribed = [hook for hook in webhooks.order_by("pk") if occasion.event in hook.events]
    if not subscribed:
        return
    payload = build_payload(tournament, occasion)
    for webhook in subscribed:
        store_delivery(webhook, occasion.event, payload)


def _may_have_webhooks(tournament: Tournament) -> bool:
    # `history.lock` annotates `has_webhooks`. Practice events send no messages.
    return getattr(tournament, "has_webhooks", True) and tournament.practice_of_id is None


def store_delivery(webhook: Webhook, event: WebhookEvent, payload: Payload) -> WebhookDelivery:
    """Store a message for a locked webhook, and queue its job."""
    uid = uuid4()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, uid=uid, event=event, payload={"id": str(uid), **payload}
    )
    enqueue_deliveries(webhook)
    return delivery


def webhook_job_key(webhook: Webhook) -> str:
    """Return the job key of a webhook: one job each, so that messages are sent in order."""
    return f"webhook:{webhook.pk}"


def enqueue_deliveries(webhook: Webhook) -> None:
    """Queue the job of a locked webhook, to send its messages after the commit."""
    job, is_new = Job.objects.get_or_create(
        key=webhook_job_key(webhook),
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


def build_payload(tournament: Tournament, occasion: WebhookOccasion) -> Payload:
    slug = tournament.slug
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    urls = {"tournament": _api_url("event", slug), "standings": _api_url("standings", slug)}
    payload: Payload = {
        "event": occasion.event.value,
        "sent_at": timezone.now().isoformat(),
        "tournament": {"slug": slug, "name": tournament.name, "version": version},
        "urls": urls,
    }
    if occasion.round_ is not None:
        payload["round"] = occasion.round_.number
        urls["round"] = _api_url("round", slug, occasion.round_.number)
    if occasion.pairing is not None:
        payload["table"] = occasion.pairing.table_number
        payload["result"] = _public_result(tournament, occasion.pairing)
    return payload


def _api_url(name: str, *args: str | int) -> str:
    # Relative to the root if the site's address is unknown.
    return f"{shared_address()}{reverse(f'api:{name}', args=args)}"


def _public_result(tournament: Tournament, pairing: Pairing) -> Payload | None:
    """Return the public match points of a settled result; None if there is none."""
    assert pairing.match is not None, "a bye has no result to settle"
    match = Match.objects.filter(pk=pairing.match.pk, state__in=SETTLED_STATES).first()
    if match is None:
        return None
    numbers = dict(tournament.registrations.values_list("player", "number"))
    seats = match.seats.select_related("player").order_by("position")
    return {
        "seats": [
            {
                "number": numbers[seat.player_id],
                "name": seat.player.name,
                # A fraction of shared points, as text.
                "match_points": seat.points if isinstance(seat.points, int) else str(seat.points),
            }
            for seat in seats
        ]
    }
