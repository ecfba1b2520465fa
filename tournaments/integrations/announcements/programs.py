"""The work of the job "tell a program": the waiting messages of one webhook, in order."""

import json
import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from core import jobs, outgoing_requests
from core.errors import Refusal
from core.jobs import NotBefore
from core.outgoing_requests import Answered, OutgoingRefused, Policy
from core.webhook_signatures import signature
from tournaments.integrations.announcements.channel import seconds_asked
from tournaments.models import DeliveryState, Job, Webhook, WebhookDelivery

PROGRAMS = Policy(hosts=None)
"""Any public site by its name. Nobody learns what it answered but the status."""
WAITS = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
"""Between the tries of one message; after the last one it is given up."""
MOST_GIVEN_UP = 3
"""Messages given up in a row, after which the webhook is switched off."""
KEPT = 200
GONE = 410
SWITCHED_OFF = "The webhook was switched off."


class WebhookOff(Refusal):
    """A program did not answer for so long that it is told nothing more."""


def tell_program(job: Job, policy: Policy | None = None) -> None:
    """Send what waits, oldest first. Raises NotBefore when a message waits for its next try.

    Raises WebhookOff when this was one failure too many: its text is for the desk.
    """
    while (delivery := _next(job)) is not None:
        if delivery.next_try_at is not None and delivery.next_try_at > timezone.now():
            raise NotBefore(delivery.last_error, delivery.next_try_at)
        jobs.keep(job)
        _try(delivery, policy or PROGRAMS)


def _next(job: Job) -> WebhookDelivery | None:
    """The message whose turn it is; without one the job is done in the same transaction."""
    with transaction.atomic():
        # Whoever writes a message holds this lock, so none is left lying.
        # In the order of its own key: an order by its event would lock that as well.
        locked = Webhook.objects.select_for_update().order_by("pk")
        webhook = locked.filter(pk=job.payload["webhook"]).first()
        if webhook is not None and webhook.disabled_at is None:
            waiting = webhook.deliveries.filter(state=DeliveryState.WAITING).order_by("pk")
            if (delivery := waiting.first()) is not None:
                delivery.webhook = webhook
                return delivery
            _forget_old(webhook)
        jobs.done(job)
        return None


def _forget_old(webhook: Webhook) -> None:
    kept = webhook.deliveries.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 : KEPT]
    for oldest in kept:
        webhook.deliveries.filter(pk__lt=oldest).exclude(state=DeliveryState.WAITING).delete()


def _try(delivery: WebhookDelivery, policy: Policy) -> None:
    webhook = delivery.webhook
    body = json.dumps(delivery.payload, sort_keys=True, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "Datafort-Event": delivery.event,
        "Datafort-Delivery": str(delivery.uid),
        "Datafort-Signature": signature(webhook.secret, body, int(time.time())),
    }
    try:
        answered = outgoing_requests.send(webhook.address, body, policy, headers)
    except OutgoingRefused as refused:
        _failed(delivery, str(refused))
        return
    if 200 <= answered.status < 300:
        _delivered(delivery, answered)
    else:
        site = outgoing_requests.check(webhook.address, policy)
        _failed(delivery, f"{site} answered with status {answered.status}.", answered)


def _delivered(delivery: WebhookDelivery, answered: Answered) -> None:
    _note(
        delivery,
        state=DeliveryState.DELIVERED,
        last_status=answered.status,
        last_error="",
        delivered_at=timezone.now(),
        next_try_at=None,
    )
    Webhook.objects.filter(pk=delivery.webhook_id).exclude(failures=0).update(failures=0)


def _failed(delivery: WebhookDelivery, error: str, answered: Answered | None = None) -> None:
    said = {"last_error": error[:300], "last_status": answered.status if answered else None}
    if answered is not None and answered.status == GONE:
        _note(delivery, state=DeliveryState.GIVEN_UP, next_try_at=None, **said)
        _switch_off(delivery.webhook, f"{error} It wants no more messages.")
    elif delivery.tries < len(WAITS):
        wait = max(WAITS[delivery.tries], _wait_asked(answered))
        _note(delivery, next_try_at=timezone.now() + wait, **said)
    else:
        _note(delivery, state=DeliveryState.GIVEN_UP, next_try_at=None, **said)
        _count_given_up(delivery.webhook, error)


def _note(delivery: WebhookDelivery, **said: Any) -> None:
    # One that was given up meanwhile, because the webhook was switched off, stays so.
    mine = WebhookDelivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING)
    mine.update(tries=delivery.tries + 1, **said)


def _wait_asked(answered: Answered | None) -> timedelta:
    asked = seconds_asked(answered.retry_after) if answered else None
    return min(asked or timedelta(0), WAITS[-1])


def _count_given_up(webhook: Webhook, error: str) -> None:
    count = webhook.failures + 1
    Webhook.objects.filter(pk=webhook.pk).update(failures=count)
    if count >= MOST_GIVEN_UP:
        _switch_off(webhook, f"{error} {count} messages in a row were given up.")


def _switch_off(webhook: Webhook, why: str) -> None:
    with transaction.atomic():
        locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
        switch_off(locked, why)
    raise WebhookOff(f"{locked.disabled_why} Switch it on again when it is mended.")


def switch_off(webhook: Webhook, why: str) -> None:
    """Tell it nothing more, not even what waits; wants it locked."""
    webhook.disabled_at, webhook.disabled_why = timezone.now(), why[:300]
    webhook.save(update_fields=["disabled_at", "disabled_why"])
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.GIVEN_UP, last_error=SWITCHED_OFF, next_try_at=None)
