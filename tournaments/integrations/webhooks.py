"""Manage webhooks and deliver their messages."""

import json
import time
from collections.abc import Collection
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import http, jobs
from core.encryption import webhook_signature
from core.errors import Refusal
from core.http import OutgoingRefused, OutgoingResponse, Policy, loopback_policy
from core.jobs import NotBefore
from tournaments.event import history, webhooks
from tournaments.event.permissions import Actor
from tournaments.event.webhooks import WebhookOccasion
from tournaments.integrations.announcements import parse_retry_after
from tournaments.models import (
    DeliveryError,
    DeliveryState,
    DisabledReason,
    Job,
    LogAction,
    Tournament,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)

MAX_WEBHOOKS = 5
# Without TEST, which every webhook can receive.
EVENT_CHOICES = [choice for choice in WebhookEvent.choices if choice[0] != WebhookEvent.TEST]
# Any public site. Only the status of its response is shown.
RECEIVER_POLICY = Policy(hosts=None)
# Delays between the attempts of a message; after the last it is given up.
RETRY_DELAYS = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
# Consecutive messages given up before the webhook is switched off.
MAX_GIVEN_UP = 3
MAX_STORED_DELIVERIES = 200
MAX_DELIVERIES_LISTED = 50
GONE_STATUS = 410


def receiver_policy(address: str) -> Policy:
    """Allow public sites and, on a development site, programs on this machine."""
    return (loopback_policy(address) if settings.DEBUG else None) or RECEIVER_POLICY


class TooManyWebhooks(Refusal):
    pass


class WebhookIsOff(Refusal):
    pass


class WebhookIsGone(Refusal):
    """The webhook was removed in the meantime."""


class StillWaiting(Refusal):
    pass


class WebhookOff(Refusal):
    """The webhook was switched off after repeated failures."""


@transaction.atomic
def add_webhook(
    tournament: Tournament, actor: Actor, *, address: str, events: Collection[str]
) -> Webhook:
    """Create a webhook, switched on. Show its `secret` to the user now; it is not shown again.

    Raises TooManyWebhooks and AddressNotAllowed of core.http.
    """
    locked = history.lock(tournament)
    site = http.check_url(address, receiver_policy(address))
    if locked.webhooks.count() >= MAX_WEBHOOKS:
        raise TooManyWebhooks(
            _("An event has at most %(number)s webhooks. Remove one first.")
            % {"number": MAX_WEBHOOKS}
        )
    webhook = locked.webhooks.create(
        address=address, secret=_generate_secret(), events=_in_order(events), made_by=actor.user
    )
    history.record(locked, actor, LogAction.WEBHOOK_ADDED, site, after={"events": webhook.events})
    return webhook


def _generate_secret() -> str:
    return f"whsec_{token_urlsafe(32)}"


def _in_order(events: Collection[str]) -> list[str]:
    return [value for value, _ in EVENT_CHOICES if value in events]


def webhook_site(webhook: Webhook) -> str:
    """Host of the webhook. The rest of its address may contain a key, so it is never shown."""
    return urlsplit(webhook.address).netloc.lower()


@transaction.atomic
def change_webhook(
    webhook: Webhook,
    actor: Actor,
    *,
    address: str | None = None,
    events: Collection[str] | None = None,
) -> Webhook:
    """Change address and events; None leaves either unchanged. Raises AddressNotAllowed."""
    tournament, locked = _lock_webhook(webhook)
    before = _loggable(locked)
    if address is not None:
        http.check_url(address, receiver_policy(address))
        locked.address = address
    if events is not None:
        locked.events = _in_order(events)
    locked.save(update_fields=["address", "events"])
    if address is not None or before != _loggable(locked):
        history.record(
            tournament,
            actor,
            LogAction.WEBHOOK_CHANGED,
            webhook_site(locked),
            before=before,
            after=_loggable(locked),
        )
    return locked


def _loggable(webhook: Webhook) -> dict[str, Any]:
    return {"site": webhook_site(webhook), "events": webhook.events}


@transaction.atomic
def remove_webhook(webhook: Webhook, actor: Actor) -> None:
    tournament, locked = _lock_webhook(webhook)
    history.record(tournament, actor, LogAction.WEBHOOK_REMOVED, webhook_site(locked))
    Job.objects.filter(key=webhooks.webhook_job_key(locked)).delete()
    locked.delete()


@transaction.atomic
def switch_webhook(webhook: Webhook, actor: Actor, *, on: bool) -> Webhook:
    """Switch a webhook on or off. Events while it was off are not sent."""
    tournament, locked = _lock_webhook(webhook)
    if on == (locked.disabled_at is None):
        return locked
    if on:
        locked.disabled_at, locked.disabled_why, locked.failures = None, "", 0
        locked.save(update_fields=["disabled_at", "disabled_why", "failures"])
        # Requeue the job, so that the desk no longer shows why the webhook was off.
        webhooks.enqueue_deliveries(locked)
    else:
        switch_off(locked, DisabledReason.BY_HAND)
    history.record(
        tournament,
        actor,
        LogAction.WEBHOOK_SWITCHED_ON if on else LogAction.WEBHOOK_SWITCHED_OFF,
        webhook_site(locked),
    )
    return locked


@transaction.atomic
def replace_secret(webhook: Webhook, actor: Actor) -> str:
    """Replace the secret, also for waiting messages, and return it; it is not shown again."""
    tournament, locked = _lock_webhook(webhook)
    locked.secret = _generate_secret()
    locked.save(update_fields=["secret"])
    history.record(tournament, actor, LogAction.WEBHOOK_SECRET_CHANGED, webhook_site(locked))
    return locked.secret


@transaction.atomic
def send_webhook_test(webhook: Webhook) -> WebhookDelivery:
    """Queue a test message, unless one is waiting. Raises WebhookIsOff."""
    tournament, locked = _lock_webhook(webhook)
    _refuse_off(locked)
    delivery = locked.deliveries.filter(
        event=WebhookEvent.TEST, state=DeliveryState.WAITING
    ).first()
    if delivery is None:
        payload = webhooks.build_payload(tournament, WebhookOccasion(WebhookEvent.TEST))
        delivery = webhooks.store_delivery(locked, WebhookEvent.TEST, payload)
    _send_immediately(locked)
    return delivery


@transaction.atomic
def send_delivery_again(delivery: WebhookDelivery) -> WebhookDelivery:
    """Send a message again under the same id. Raises WebhookIsOff and StillWaiting."""
    webhook = _lock_webhook(delivery.webhook)[1]
    _refuse_off(webhook)
    again = webhook.deliveries.exclude(state=DeliveryState.WAITING).filter(pk=delivery.pk)
    if not again.update(state=DeliveryState.WAITING, tries=0, next_try_at=None, last_error=""):
        raise StillWaiting(_("This message is already being sent."))
    _send_immediately(webhook)
    return webhook.deliveries.get(pk=delivery.pk)


def _refuse_off(webhook: Webhook) -> None:
    if webhook.disabled_at is not None:
        raise WebhookIsOff(_("This webhook is switched off. Switch it on first."))


def _send_immediately(webhook: Webhook) -> None:
    """Send waiting messages now: a user is watching for the result."""
    webhook.deliveries.filter(state=DeliveryState.WAITING).update(next_try_at=None)
    job = Job.objects.filter(key=webhooks.webhook_job_key(webhook)).first()
    if job is not None:
        jobs.start_early(job)
    webhooks.enqueue_deliveries(webhook)


def _lock_webhook(webhook: Webhook) -> tuple[Tournament, Webhook]:
    """Lock the event, then the webhook. Raises WebhookIsGone."""
    tournament = history.lock(webhook.tournament)
    locked = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if locked is None:
        raise WebhookIsGone(_("This webhook was removed."))
    return tournament, locked


# Delivery.


def deliver_messages(job: Job, policy: Policy | None = None) -> None:
    """Send waiting messages, oldest first.

    Raises NotBefore when the next message has to wait for its retry. Raises WebhookOff, with a text
    for the desk, when the webhook is switched off after too many failures.
    """
    while (delivery := _next_delivery(job)) is not None:
        if delivery.next_try_at is not None and delivery.next_try_at > timezone.now():
            raise NotBefore(delivery.shown_error, delivery.next_try_at)
        jobs.renew_lease(job)
        _try_delivery(delivery, policy or receiver_policy(delivery.webhook.address))


def _next_delivery(job: Job) -> WebhookDelivery | None:
    """Return the oldest waiting message; without any, mark the job done in the same transaction."""
    with transaction.atomic():
        # Writers of messages hold this lock, so no message is missed. Order by primary key: an
        # ordering by event would lock the event as well.
        locked = Webhook.objects.select_for_update().order_by("pk")
        webhook = locked.filter(pk=job.payload["webhook"]).first()
        if webhook is not None and webhook.disabled_at is None:
            waiting = webhook.deliveries.filter(state=DeliveryState.WAITING).order_by("pk")
            if (delivery := waiting.first()) is not None:
                delivery.webhook = webhook
                return delivery
            pks = webhook.deliveries.order_by("-pk").values_list("pk", flat=True)
            for oldest in pks[MAX_STORED_DELIVERIES - 1 : MAX_STORED_DELIVERIES]:
                old = webhook.deliveries.filter(pk__lt=oldest)
                old.exclude(state=DeliveryState.WAITING).delete()
        jobs.finish(job)
        return None


def _try_delivery(delivery: WebhookDelivery, policy: Policy) -> None:
    webhook = delivery.webhook
    if not webhook.secret:
        _record_failure(delivery, DeliveryError.NO_SECRET)
        return
    if not webhook.address:
        _record_failure(delivery, DeliveryError.NO_ADDRESS)
        return
    body = json.dumps(delivery.payload, sort_keys=True, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "Datafort-Event": delivery.event,
        "Datafort-Delivery": str(delivery.uid),
        "Datafort-Signature": webhook_signature(webhook.secret, body, int(time.time())),
    }
    try:
        response = http.send(webhook.address, body, policy, headers)
    except OutgoingRefused as refused:
        _record_failure(delivery, str(refused))
        return
    if 200 <= response.status < 300:
        _record_delivery(delivery, response)
    else:
        _record_failure(delivery, DeliveryError.BAD_STATUS, response)


def _record_delivery(delivery: WebhookDelivery, response: OutgoingResponse) -> None:
    _update_delivery(
        delivery,
        state=DeliveryState.DELIVERED,
        last_status=response.status,
        last_error="",
        delivered_at=timezone.now(),
        next_try_at=None,
    )
    Webhook.objects.filter(pk=delivery.webhook_id).exclude(failures=0).update(failures=0)


def _record_failure(
    delivery: WebhookDelivery, error: str, response: OutgoingResponse | None = None
) -> None:
    result = {"last_error": error[:300], "last_status": response.status if response else None}
    if response is not None and response.status == GONE_STATUS:
        _update_delivery(delivery, state=DeliveryState.GIVEN_UP, next_try_at=None, **result)
        _switch_off_after_failures(delivery, DisabledReason.GONE)
    elif delivery.tries < len(RETRY_DELAYS):
        requested = parse_retry_after(response.retry_after) if response else None
        wait = max(RETRY_DELAYS[delivery.tries], min(requested or timedelta(0), RETRY_DELAYS[-1]))
        _update_delivery(delivery, next_try_at=timezone.now() + wait, **result)
    else:
        _update_delivery(delivery, state=DeliveryState.GIVEN_UP, next_try_at=None, **result)
        webhook, count = delivery.webhook, delivery.webhook.failures + 1
        Webhook.objects.filter(pk=webhook.pk).update(failures=count)
        if count >= MAX_GIVEN_UP:
            _switch_off_after_failures(delivery, DisabledReason.FAILURES)


def _update_delivery(delivery: WebhookDelivery, **result: Any) -> None:
    # Only waiting messages: switching the webhook off may have given this one up.
    waiting = WebhookDelivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING)
    waiting.update(tries=delivery.tries + 1, **result)


def _switch_off_after_failures(delivery: WebhookDelivery, why: DisabledReason) -> None:
    with transaction.atomic():
        locked = Webhook.objects.select_for_update().get(pk=delivery.webhook_id)
        switch_off(locked, why)
    delivery.refresh_from_db(fields=["last_error", "last_status"])
    raise WebhookOff(
        _("%(error)s %(reason)s Switch the webhook on again when the problem is fixed.")
        % {"error": delivery.shown_error, "reason": locked.shown_reason}
    )


def switch_off(webhook: Webhook, why: DisabledReason) -> None:
    """Switch a webhook off and give up waiting messages. The webhook must be locked."""
    webhook.disabled_at, webhook.disabled_why = timezone.now(), why
    webhook.save(update_fields=["disabled_at", "disabled_why"])
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(
        state=DeliveryState.GIVEN_UP, last_error=DeliveryError.SWITCHED_OFF, next_try_at=None
    )


def webhooks_of_event(tournament: Tournament) -> QuerySet[Webhook]:
    return tournament.webhooks.select_related("made_by").order_by("pk")


def latest_deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    return webhook.deliveries.order_by("-pk")[:MAX_DELIVERIES_LISTED]
