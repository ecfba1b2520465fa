"""Announcements of an event: settings of the organiser, subscriptions of players."""

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from core import jobs, outgoing_requests, web_push
from core.errors import Refusal
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.integrations import news_jobs
from tournaments.models import (
    Announcing,
    JobKind,
    LogAction,
    MailWish,
    PushSubscription,
    Registration,
    Tournament,
)

TEST = "test"
SWITCHES = ("tells_pairings", "tells_standings", "allows_mail", "allows_push")
MOST_PHONES = 5
LONGEST_ENDPOINT = 500


class NoWebhook(Refusal):
    """The event has no chat channel."""


class NoMail(Refusal):
    """This player cannot receive emails."""


@transaction.atomic
def change(
    tournament: Tournament,
    actor: Actor,
    *,
    webhook: str | None = None,
    tells_pairings: bool | None = None,
    tells_standings: bool | None = None,
    allows_mail: bool | None = None,
    allows_push: bool | None = None,
) -> None:
    """Change the settings that are not None.

    The log names the site of the webhook but never its address. Raises AddressNotAllowed of
    core.outgoing_requests.
    """
    locked = history.lock(tournament)
    setting = event_services.setting_of(locked)
    before = _plain(setting)
    if webhook:
        outgoing_requests.check(webhook, news_jobs.CHANNELS)
    wanted = {
        "webhook": webhook,
        "tells_pairings": tells_pairings,
        "tells_standings": tells_standings,
        "allows_mail": allows_mail,
        "allows_push": allows_push,
    }
    for name, value in wanted.items():
        if value is not None:
            setattr(setting, name, value)
    setting.save()
    after = _plain(setting)
    if before != after or webhook is not None:
        history.record(locked, actor, LogAction.NEWS_SET, before=before, after=after)


def _plain(setting: Announcing) -> dict[str, Any]:
    return {"webhook": site_of(setting), **switches_of(setting)}


def switches_of(setting: Announcing) -> dict[str, bool]:
    """Settings by the names of `SWITCHES`."""
    return {name: getattr(setting, name) for name in SWITCHES}


def site_of(setting: Announcing) -> str:
    """Host of the webhook, or an empty string. The rest of its address is a secret."""
    return outgoing_requests.check(setting.webhook, news_jobs.CHANNELS) if setting.webhook else ""


@transaction.atomic
def send_test(tournament: Tournament) -> None:
    """Queue a test message to the channel. Raises NoWebhook."""
    locked = history.lock(tournament)
    setting = event_services.setting_of(locked)
    if not setting.webhook:
        raise NoWebhook("Set the address of a webhook first.")
    last = locked.jobs.filter(key=event_services.job_key(locked, JobKind.NOTIFY, TEST)).first()
    if last is None:
        event_services.ring(setting, JobKind.NOTIFY, TEST, {"news": TEST})
    elif not last.is_live:
        last.payload["sent"] = 0
        jobs.requeue(last)
        jobs.enqueue(last)


@transaction.atomic
def wish_mail(registration: Registration, *, wanted: bool) -> None:
    """Subscribe the player to emails, or unsubscribe. Raises NoMail and PlayerRemoved."""
    if not wanted:
        MailWish.objects.filter(registration=registration).delete()
        return
    history.lock(registration.tournament)
    history.read_again(registration, "state")
    reason = why_no_mail(registration)
    if reason:
        raise NoMail(reason)
    MailWish.objects.get_or_create(registration=registration)


def wishes_mail(registration: Registration) -> bool:
    return MailWish.objects.filter(registration=registration).exists()


def why_no_mail(registration: Registration) -> str:
    """Reason why this player cannot receive emails, or an empty string."""
    if (
        not news_jobs.can_mail()
        or not event_services.setting_of(registration.tournament).allows_mail
    ):
        return "The organiser sends no mails at this event."
    user = registration.player.user
    if user is None or not user.email:
        return "Mails need an account with an address: set it on your account page."
    return ""


class NoPush(Refusal):
    """This phone cannot receive push messages."""


@transaction.atomic
def add_phone(registration: Registration, *, endpoint: str, p256dh: str, auth: str) -> None:
    """Subscribe a phone, or update the keys of one already subscribed.

    A phone belongs to one player: presenting its secret takes it over from any previous player.
    Raises NoPush, PlayerRemoved, AddressNotAllowed of core.outgoing_requests and BadKeys of
    core.web_push.
    """
    history.lock(registration.tournament)
    history.read_again(registration, "state")
    reason = why_no_push(registration)
    if reason:
        raise NoPush(reason)
    if len(endpoint) > LONGEST_ENDPOINT:
        raise NoPush("The address of your browser's push service is too long to keep.")
    outgoing_requests.check(endpoint, news_jobs.PHONES)
    web_push.receiver(p256dh, auth)
    others = PushSubscription.objects.filter(endpoint=endpoint)
    others = others.exclude(registration__player=registration.player_id)
    # `auth` is encrypted, so it cannot be compared in SQL.
    others.filter(pk__in=[one.pk for one in others if one.auth == auth]).delete()
    if _phones_of(registration).exclude(endpoint=endpoint).count() >= MOST_PHONES:
        raise NoPush(f"{MOST_PHONES} phones already get notifications. Stop them first.")
    PushSubscription.objects.update_or_create(
        registration=registration,
        endpoint=endpoint,
        defaults={"p256dh": p256dh, "auth": auth},
    )


def remove_phone(registration: Registration, endpoint: str = "") -> None:
    """Unsubscribe this phone of the player, or all of them without an endpoint."""
    phones = _phones_of(registration)
    (phones.filter(endpoint=endpoint) if endpoint else phones).delete()


def phone_marks(registration: Registration) -> list[str]:
    """Hashed endpoints, by which each phone recognises its own subscription."""
    endpoints = _phones_of(registration).values_list("endpoint", flat=True)
    return [sha256(endpoint.encode()).hexdigest() for endpoint in endpoints]


def why_no_push(registration: Registration) -> str:
    """Reason why this player cannot receive push messages, or an empty string."""
    if not web_push.is_on() or not event_services.setting_of(registration.tournament).allows_push:
        return "The organiser sends no messages to phones at this event."
    return ""


def _phones_of(registration: Registration) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(registration=registration).order_by("pk")
