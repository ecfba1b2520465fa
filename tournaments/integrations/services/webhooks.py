"""Webhooks: programs an organiser lets hear of the event."""

from collections.abc import Collection
from secrets import token_urlsafe
from typing import Any

from django.db import transaction

from core import jobs, outgoing_requests
from core.errors import Refusal
from tournaments.event import history, webhooks
from tournaments.event.actors import Actor
from tournaments.event.webhooks import Happening
from tournaments.integrations import announcements
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


class TooManyWebhooks(Refusal):
    """An event tells so many programs and no more."""


class WebhookIsOff(Refusal):
    """It is told nothing before it is switched on again."""


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
    site = outgoing_requests.check(address, announcements.PROGRAMS)
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
    """The site it is told at. The rest of the address may be a key, so it is shown to nobody."""
    return outgoing_requests.check(webhook.address, announcements.PROGRAMS)


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
        outgoing_requests.check(address, announcements.PROGRAMS)
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
    """It is told nothing more, and what it was told is forgotten."""
    tournament, locked = _locked(webhook)
    _log(tournament, actor, LogAction.WEBHOOK_REMOVED, site_of(locked))
    Job.objects.filter(key=webhooks.key_of(locked)).delete()
    locked.delete()


@transaction.atomic
def switch(webhook: Webhook, actor: Actor, *, on: bool) -> Webhook:
    """Switch it off, or on again: what happened meanwhile is not told. Twice changes nothing."""
    tournament, locked = _locked(webhook)
    if on == (locked.disabled_at is None):
        return locked
    if on:
        locked.disabled_at, locked.disabled_why, locked.failures = None, "", 0
        locked.save(update_fields=["disabled_at", "disabled_why", "failures"])
        # The desk showed why it was off.
        webhooks.enqueue(locked)
    else:
        announcements.switch_off(locked, BY_HAND)
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
        told = webhooks.payload_of(tournament, Happening(WebhookEvent.TEST))
        delivery = webhooks.write(locked, WebhookEvent.TEST, told)
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
        raise WebhookIsGone("Somebody has removed this webhook meanwhile.")
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
