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
from django.utils import timezone

from core import jobs, outgoing_requests
from core.errors import Refusal
from core.jobs import NotBefore
from core.outgoing_requests import Answered, OutgoingRefused, Policy, loopback_policy
from core.webhook_signatures import signature
from tournaments.event import history, webhooks
from tournaments.event.actors import Actor
from tournaments.event.webhooks import Happening
from tournaments.integrations.news_jobs import seconds_asked
from tournaments.models import (
    DeliveryState,
    Job,
    LogAction,
    Tournament,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)

MOST = 5
BY_HAND = "Switched off by hand."
# Without TEST, which every webhook can receive.
CHOICES = [choice for choice in WebhookEvent.choices if choice[0] != WebhookEvent.TEST]
# Any public site. Only the status of its response is shown.
RECEIVERS = Policy(hosts=None)
# Delays between the attempts of a message; after the last it is given up.
WAITS = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
# Consecutive messages given up before the webhook is switched off.
MOST_GIVEN_UP = 3
KEPT = 200
GONE = 410
SWITCHED_OFF = "The webhook was switched off."


def policy_for(address: str) -> Policy:
    """Allow public sites and, on a development site, programs on this machine."""
    return (loopback_policy(address) if settings.DEBUG else None) or RECEIVERS


class TooManyWebhooks(Refusal):
    pass


class WebhookIsOff(Refusal):
    pass


class WebhookIsGone(Refusal):
    """The webhook was removed in the meantime."""


class StillWaiting(Refusal):
    pass


@transaction.atomic
def add(tournament: Tournament, actor: Actor, *, address: str, events: Collection[str]) -> Webhook:
    """Create a webhook, switched on. Show its `secret` to the user now; it is not shown again.

    Raises TooManyWebhooks and AddressNotAllowed of core.outgoing_requests.
    """
    locked = history.lock(tournament)
    site = outgoing_requests.check(address, policy_for(address))
    if locked.webhooks.count() >= MOST:
        raise TooManyWebhooks(f"An event has at most {MOST} webhooks. Remove one first.")
    webhook = locked.webhooks.create(
        address=address, secret=_new_secret(), events=_in_order(events), made_by=actor.user
    )
    _log(locked, actor, LogAction.WEBHOOK_ADDED, site, after={"events": webhook.events})
    return webhook


def _new_secret() -> str:
    return f"whsec_{token_urlsafe(32)}"


def _in_order(events: Collection[str]) -> list[str]:
    return [value for value, _ in CHOICES if value in events]


def site_of(webhook: Webhook) -> str:
    """Host of the webhook. The rest of its address may contain a key, so it is never shown."""
    return urlsplit(webhook.address).netloc.lower()


@transaction.atomic
def change(
    webhook: Webhook,
    actor: Actor,
    *,
    address: str | None = None,
    events: Collection[str] | None = None,
) -> Webhook:
    """Change address and events; None leaves either unchanged. Raises AddressNotAllowed."""
    tournament, locked = _locked(webhook)
    before = _plain(locked)
    if address is not None:
        outgoing_requests.check(address, policy_for(address))
        locked.address = address
    if events is not None:
        locked.events = _in_order(events)
    locked.save(update_fields=["address", "events"])
    if address is not None or before != _plain(locked):
        _log(tournament, actor, LogAction.WEBHOOK_CHANGED, site_of(locked), before, _plain(locked))
    return locked


def _plain(webhook: Webhook) -> dict[str, Any]:
    return {"site": site_of(webhook), "events": webhook.events}


@transaction.atomic
def remove(webhook: Webhook, actor: Actor) -> None:
    """Delete a webhook with its deliveries and its job."""
    tournament, locked = _locked(webhook)
    _log(tournament, actor, LogAction.WEBHOOK_REMOVED, site_of(locked))
    Job.objects.filter(key=webhooks.key_of(locked)).delete()
    locked.delete()


@transaction.atomic
def switch(webhook: Webhook, actor: Actor, *, on: bool) -> Webhook:
    """Switch a webhook on or off. Events while it was off are not sent."""
    tournament, locked = _locked(webhook)
    if on == (locked.disabled_at is None):
        return locked
    if on:
        locked.disabled_at, locked.disabled_why, locked.failures = None, "", 0
        locked.save(update_fields=["disabled_at", "disabled_why", "failures"])
        # Requeue the job, so that the desk no longer shows why the webhook was off.
        webhooks.enqueue(locked)
    else:
        switch_off(locked, BY_HAND)
    _log(
        tournament,
        actor,
        LogAction.WEBHOOK_SWITCHED_ON if on else LogAction.WEBHOOK_SWITCHED_OFF,
        site_of(locked),
    )
    return locked


@transaction.atomic
def new_secret(webhook: Webhook, actor: Actor) -> str:
    """Replace the secret, also for waiting messages, and return it; it is not shown again."""
    tournament, locked = _locked(webhook)
    locked.secret = _new_secret()
    locked.save(update_fields=["secret"])
    _log(tournament, actor, LogAction.WEBHOOK_SECRET_CHANGED, site_of(locked))
    return locked.secret


@transaction.atomic
def send_test(webhook: Webhook) -> WebhookDelivery:
    """Queue a test message, unless one is waiting. Raises WebhookIsOff."""
    tournament, locked = _locked(webhook)
    _refuse_off(locked)
    waiting = locked.deliveries.filter(event=WebhookEvent.TEST, state=DeliveryState.WAITING)
    delivery = waiting.first()
    if delivery is None:
        payload = webhooks.payload_of(tournament, Happening(WebhookEvent.TEST))
        delivery = webhooks.write(locked, WebhookEvent.TEST, payload)
    _at_once(locked)
    return delivery


@transaction.atomic
def send_again(delivery: WebhookDelivery) -> WebhookDelivery:
    """Send a message again under the same id. Raises WebhookIsOff and StillWaiting."""
    _, webhook = _locked(delivery.webhook)
    _refuse_off(webhook)
    again = webhook.deliveries.exclude(state=DeliveryState.WAITING).filter(pk=delivery.pk)
    if not again.update(state=DeliveryState.WAITING, tries=0, next_try_at=None, last_error=""):
        raise StillWaiting("This message is on its way already.")
    _at_once(webhook)
    return webhook.deliveries.get(pk=delivery.pk)


def _refuse_off(webhook: Webhook) -> None:
    if webhook.disabled_at is not None:
        raise WebhookIsOff("This webhook is switched off. Switch it on first.")


def _at_once(webhook: Webhook) -> None:
    """Send waiting messages now: a user is watching for the result."""
    webhook.deliveries.filter(state=DeliveryState.WAITING).update(next_try_at=None)
    job = Job.objects.filter(key=webhooks.key_of(webhook)).first()
    if job is not None:
        jobs.start_early(job)
    webhooks.enqueue(webhook)


def _locked(webhook: Webhook) -> tuple[Tournament, Webhook]:
    """Lock the event, then the webhook. Raises WebhookIsGone."""
    tournament = history.lock(webhook.tournament)
    locked = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if locked is None:
        raise WebhookIsGone("This webhook was removed.")
    return tournament, locked


def _log(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    site: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    history.record(tournament, actor, action, site, before=before, after=after)


class WebhookOff(Refusal):
    """The webhook was switched off after repeated failures."""


def deliver(job: Job, policy: Policy | None = None) -> None:
    """Send waiting messages, oldest first.

    Raises NotBefore when the next message has to wait for its retry. Raises WebhookOff, with a text
    for the desk, when the webhook is switched off after too many failures.
    """
    while (delivery := _next_delivery(job)) is not None:
        if delivery.next_try_at is not None and delivery.next_try_at > timezone.now():
            raise NotBefore(delivery.last_error, delivery.next_try_at)
        jobs.keep(job)
        _try_delivery(delivery, policy or policy_for(delivery.webhook.address))


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
            _forget_old(webhook)
        jobs.done(job)
        return None


def _forget_old(webhook: Webhook) -> None:
    kept = webhook.deliveries.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 : KEPT]
    for oldest in kept:
        webhook.deliveries.filter(pk__lt=oldest).exclude(state=DeliveryState.WAITING).delete()


def _try_delivery(delivery: WebhookDelivery, policy: Policy) -> None:
    webhook = delivery.webhook
    if not webhook.secret:
        _failed(delivery, "The secret of this webhook cannot be read any more. Make a new one.")
        return
    if not webhook.address:
        _failed(delivery, "The address of this webhook cannot be read any more. Enter it again.")
        return
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
        _failed(delivery, f"{site_of(webhook)} answered with status {answered.status}.", answered)


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
    # Only waiting messages: switching the webhook off may have given this one up.
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
    raise WebhookOff(f"{locked.disabled_why} Turn it on again when the problem is fixed.")


def switch_off(webhook: Webhook, why: str) -> None:
    """Switch a webhook off and give up waiting messages. The webhook must be locked."""
    webhook.disabled_at, webhook.disabled_why = timezone.now(), why[:300]
    webhook.save(update_fields=["disabled_at", "disabled_why"])
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.GIVEN_UP, last_error=SWITCHED_OFF, next_try_at=None)
