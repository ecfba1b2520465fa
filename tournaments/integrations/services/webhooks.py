"""Webhooks: programs an organiser lets hear of the event, and the job that sends them messages."""

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
CHOICES = [choice for choice in WebhookEvent.choices if choice[0] != WebhookEvent.TEST]
"""What a webhook may hear of; a test is sent to any."""
RECEIVERS = Policy(hosts=None)
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


def policy_for(address: str) -> Policy:
    """Any public site; on a development site also a program on this machine."""
    return (loopback_policy(address) if settings.DEBUG else None) or RECEIVERS


class TooManyWebhooks(Refusal):
    """An event has so many webhooks and no more."""


class WebhookIsOff(Refusal):
    """It is sent nothing before it is switched on again."""


class WebhookIsGone(Refusal):
    """Somebody removed it meanwhile."""


class StillWaiting(Refusal):
    """This message is on its way already."""


@transaction.atomic
def add(tournament: Tournament, actor: Actor, *, address: str, events: Collection[str]) -> Webhook:
    """A webhook that is switched on; its `secret` is to be shown this once.

    Raises TooManyWebhooks, and AddressNotAllowed of core.outgoing_requests.
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
    """The site it is sent to. The rest of the address may be a key, so it is shown to nobody."""
    return urlsplit(webhook.address).netloc.lower()


@transaction.atomic
def change(
    webhook: Webhook,
    actor: Actor,
    *,
    address: str | None = None,
    events: Collection[str] | None = None,
) -> Webhook:
    """Another address, other events; None leaves it. Raises AddressNotAllowed."""
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
    """It is sent nothing more, and what it was sent is forgotten."""
    tournament, locked = _locked(webhook)
    _log(tournament, actor, LogAction.WEBHOOK_REMOVED, site_of(locked))
    Job.objects.filter(key=webhooks.key_of(locked)).delete()
    locked.delete()


@transaction.atomic
def switch(webhook: Webhook, actor: Actor, *, on: bool) -> Webhook:
    """Switch it off, or on again: what happened meanwhile is not sent. Twice changes nothing."""
    tournament, locked = _locked(webhook)
    if on == (locked.disabled_at is None):
        return locked
    if on:
        locked.disabled_at, locked.disabled_why, locked.failures = None, "", 0
        locked.save(update_fields=["disabled_at", "disabled_why", "failures"])
        # The desk showed why it was off.
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
    """Another secret from now on, waiting messages included; to be shown this once."""
    tournament, locked = _locked(webhook)
    locked.secret = _new_secret()
    locked.save(update_fields=["secret"])
    _log(tournament, actor, LogAction.WEBHOOK_SECRET_CHANGED, site_of(locked))
    return locked.secret


@transaction.atomic
def send_test(webhook: Webhook) -> WebhookDelivery:
    """A message that only says hello. A test that waits already is not written twice.

    Raises WebhookIsOff.
    """
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
    """The same message once more, under the same id. Raises WebhookIsOff, StillWaiting."""
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
    """Somebody is looking: nothing waits for its moment."""
    webhook.deliveries.filter(state=DeliveryState.WAITING).update(next_try_at=None)
    job = Job.objects.filter(key=webhooks.key_of(webhook)).first()
    if job is not None:
        jobs.start_early(job)
    webhooks.enqueue(webhook)


def _locked(webhook: Webhook) -> tuple[Tournament, Webhook]:
    """The event, then the webhook; raises WebhookIsGone."""
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
    """A program did not answer for so long that it is sent nothing more."""


def deliver(job: Job, policy: Policy | None = None) -> None:
    """Send what waits, oldest first. Raises NotBefore when a message waits for its next try.

    Raises WebhookOff when this was one failure too many: its text is for the desk.
    """
    while (delivery := _next_delivery(job)) is not None:
        if delivery.next_try_at is not None and delivery.next_try_at > timezone.now():
            raise NotBefore(delivery.last_error, delivery.next_try_at)
        jobs.keep(job)
        _try_delivery(delivery, policy or policy_for(delivery.webhook.address))


def _next_delivery(job: Job) -> WebhookDelivery | None:
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
    raise WebhookOff(f"{locked.disabled_why} Turn it on again when the problem is fixed.")


def switch_off(webhook: Webhook, why: str) -> None:
    """Send it nothing more, not even what waits; wants it locked."""
    webhook.disabled_at, webhook.disabled_why = timezone.now(), why[:300]
    webhook.save(update_fields=["disabled_at", "disabled_why"])
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.GIVEN_UP, last_error=SWITCHED_OFF, next_try_at=None)
