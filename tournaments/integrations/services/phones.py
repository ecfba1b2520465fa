"""A player's phones: told of the table when a round is published, as long as the player wants."""

from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet

from core import outgoing_requests, web_push
from core.errors import Refusal
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.integrations import announcements
from tournaments.models import PushSubscription, Registration

MOST_PHONES = 5
LONGEST_ENDPOINT = 500


class NoPush(Refusal):
    """This phone cannot be told."""


@transaction.atomic
def tell(registration: Registration, *, endpoint: str, p256dh: str, auth: str) -> None:
    """Tell this phone from now on; asked again, its newest keys count.

    A phone tells one player at a time: whoever shows its secret takes it over. Raises NoPush,
    AddressNotAllowed of core.outgoing_requests and BadKeys of core.web_push.
    """
    history.lock(registration.tournament)
    reason = why_no_push(registration)
    if reason:
        raise NoPush(reason)
    if len(endpoint) > LONGEST_ENDPOINT:
        raise NoPush("The address of your browser's push service is too long to keep.")
    outgoing_requests.check(endpoint, announcements.PHONES)
    web_push.receiver(p256dh, auth)
    others = PushSubscription.objects.filter(endpoint=endpoint, auth=auth)
    others.exclude(registration__player=registration.player_id).delete()
    if _phones_of(registration).exclude(endpoint=endpoint).count() >= MOST_PHONES:
        raise NoPush(f"{MOST_PHONES} phones are told already. Stop them first.")
    PushSubscription.objects.update_or_create(
        registration=registration,
        endpoint=endpoint,
        defaults={"p256dh": p256dh, "auth": auth},
    )


def stop(registration: Registration, endpoint: str = "") -> None:
    """Tell this phone of the player no more; without an address none of them."""
    phones = _phones_of(registration)
    (phones.filter(endpoint=endpoint) if endpoint else phones).delete()


def marks_of(registration: Registration) -> list[str]:
    """By what each phone that is told knows itself: its address, hashed."""
    endpoints = _phones_of(registration).values_list("endpoint", flat=True)
    return [sha256(endpoint.encode()).hexdigest() for endpoint in endpoints]


def why_no_push(registration: Registration) -> str:
    """What stands in the way of telling this player's phones; empty when nothing does."""
    if not web_push.is_on() or not event_services.setting_of(registration.tournament).allows_push:
        return "The organiser sends no messages to phones at this event."
    return ""


def _phones_of(registration: Registration) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(registration=registration).order_by("pk")
