"""Erase people: at their request, through their organiser, or once inactive; delete old rows."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import idempotency
from core.errors import Refusal
from core.jobs import LIVE_STATES, JobState
from players.models import Player, Session, User
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeliveryState,
    IdempotencyRecord,
    Job,
    JobKind,
    Registration,
    SiteJob,
    Tournament,
    WebhookDelivery,
)
from tournaments.practice import services as practice_services
from tournaments.privacy import erasure
from tournaments.privacy import queries as privacy_queries
from tournaments.registration import services as registration_services

logger = logging.getLogger(__name__)

# Each erasure is a transaction that locks all events of a person; the rest follows next time.
ERASURES_PER_RUN = 50
# Retention of finished jobs and webhook messages.
RETENTION = timedelta(days=30)
# A deletion blocks writers on SQLite; the rest follows an hour later.
ROWS_PER_DELETION = 1000


def extend_stay(player: Player) -> None:
    """Restart the period after which an inactive player is erased."""
    Player.objects.filter(pk=player.pk, erased_at=None).update(stays_from=timezone.now())


class OwnsOpenEvents(Refusal):
    """Unfinished events would be left without an owner."""


class StillPlaying(Refusal):
    """Opponents in an unfinished event would face an anonymous player."""


class RunsTheSite(Refusal):
    """Another administrator must remove the rights of a site administrator first."""


class NotYourGuest(Refusal):
    """The person has an account, or also plays at events of other organisers."""


@transaction.atomic
def erase_self(actor: Actor) -> str:
    """Erase the actor and return the label that replaces their name. Cannot be undone.

    Drops them from events that have not begun and deletes their practice events. Raises
    OwnsOpenEvents, StillPlaying and RunsTheSite.
    """
    person = erasure.data_subject_of(actor.user, actor.player)
    erasure.lock_events(person)
    refuse_erasing_self(actor)
    _drop_from_future_events(person.player, actor)
    if person.user is not None:
        for sandbox in Tournament.objects.practices_of(person.user):
            practice_services.delete_practice(sandbox)
    return erasure.erase(person)


def refuse_erasing_self(actor: Actor) -> None:
    """Raise the refusal of `erase_self`, if any."""
    person = erasure.data_subject_of(actor.user, actor.player)
    if person.user is not None:
        _refuse_owner(person.user)
    if person.player is not None and (events := _open_events_played(person.player)):
        raise StillPlaying(
            _("You are still playing in these events: %(events)s. Drop from them first.")
            % {"events": events}
        )


@transaction.atomic
def erase_guest(place: Registration, actor: Actor) -> str:
    """Erase a guest at their request, like `erase_self`. Raises NotYourGuest and StillPlaying."""
    person = erasure.data_subject_of(None, place.player)
    erasure.lock_events(person)
    refuse_erasing_guest(place, actor)
    _drop_from_future_events(place.player, actor)
    return erasure.erase(person, actor)


def refuse_erasing_guest(place: Registration, actor: Actor) -> None:
    player = place.player
    if player.user_id is not None:
        raise NotYourGuest(
            _(
                "%(player)s has an account, so only they can erase their data: on their own page, "
                "under “What we keep about you”."
            )
            % {"player": player}
        )
    events = Tournament.objects.filter(registrations__player=player)
    foreign = [event for event in events if not event_permissions.can_run(actor, event)]
    if foreign:
        raise NotYourGuest(
            _(
                "%(player)s also plays at events that you do not run (%(events)s). With a "
                "personal link, they can erase their data on their own page, under “What we "
                "keep about you”."
            )
            % {"player": player, "events": _known_event_names(foreign, actor)}
        )
    if names := _open_events_played(player):
        raise StillPlaying(
            _("%(player)s is still playing. Drop the player from these events first: %(events)s.")
            % {"player": player, "events": names}
        )


def _refuse_owner(user: User) -> None:
    if user.is_staff or user.is_superuser:
        raise RunsTheSite(
            _(
                "You administer this site. Another administrator has to remove these rights from "
                "your account first."
            )
        )
    if events := ", ".join(map(str, privacy_queries.open_events_owned(user))):
        raise OwnsOpenEvents(
            _(
                "You own events that are not finished: %(events)s. Finish each event, or hand "
                "it over to another organiser on its Staff page."
            )
            % {"events": events}
        )


def _open_events_played(player: Player) -> str:
    return ", ".join(map(str, privacy_queries.open_events_played(player)))


def _drop_from_future_events(player: Player | None, actor: Actor) -> None:
    if player is not None:
        for place in privacy_queries.future_registrations(player):
            registration_services.drop_player(place, actor)


def _known_event_names(events: Sequence[Tournament], actor: Actor) -> str:
    """List the events the actor may know by name, plus a hint if there are more."""
    known = [str(event) for event in events if visibility.can_know_of(actor, event)]
    return ", ".join(known if len(known) == len(events) else [*known, _("other events")])


# Expiry.


def erase_inactive_people() -> int:
    """Erase people inactive for `settings.FORGET_AFTER_MONTHS` and return their number."""
    if settings.FORGET_AFTER_MONTHS <= 0:
        return 0
    moment = privacy_queries.shift_months(timezone.now(), -settings.FORGET_AFTER_MONTHS)
    people = [
        erasure.data_subject_of(None, player)
        for player in privacy_queries.inactive_players(moment)[:ERASURES_PER_RUN]
    ]
    remaining = ERASURES_PER_RUN - len(people)
    people += [
        erasure.data_subject_of(user, None)
        for user in privacy_queries.inactive_accounts(moment)[:remaining]
    ]
    erased = 0
    for person in people:
        try:
            erased += _erase_if_inactive(person, moment)
        except Exception:
            # The remaining people are still processed.
            logger.exception("Not erased, will retry in an hour: %s.", person.label)
    if erased:
        logger.info("Erased after %s months: %s.", settings.FORGET_AFTER_MONTHS, erased)
    return erased


@transaction.atomic
def _erase_if_inactive(person: erasure.DataSubject, moment: datetime) -> bool:
    locked = erasure.lock_data_subject(person)
    # Check again under the lock: they may have returned since they were listed.
    if not privacy_queries.is_inactive(moment, locked.user, locked.player):
        return False
    erasure.erase(locked)
    return True


def delete_expired_answers() -> None:
    idempotency.delete_expired_answers(IdempotencyRecord)


def delete_old_jobs() -> None:
    """Delete the oldest jobs that finished `RETENTION` ago.

    Pairing jobs of unfinished events stay, because the next attempt must draw differently.
    """
    before = timezone.now() - RETENTION
    old = Job.objects.filter(state=JobState.DONE, finished_at__lt=before)
    needed = Q(kind=JobKind.PAIR_ROUND, tournament__finished_at=None)
    _delete_oldest(old, old.exclude(needed))
    # Failed copies go too: newer backups have replaced theirs.
    site_jobs = SiteJob.objects.exclude(state__in=LIVE_STATES).filter(finished_at__lt=before)
    _delete_oldest(site_jobs, site_jobs)


def delete_old_deliveries() -> None:
    """Delete the oldest webhook messages written `RETENTION` ago that are not waiting."""
    before = timezone.now() - RETENTION
    old = WebhookDelivery.objects.exclude(state=DeliveryState.WAITING).filter(made_at__lt=before)
    _delete_oldest(old, old)


def _delete_oldest(old: QuerySet[Any], chosen: QuerySet[Any]) -> None:
    """Delete a bounded number of rows; `old` excludes any that were requeued since."""
    oldest = chosen.order_by("pk").values_list("pk", flat=True)[:ROWS_PER_DELETION]
    old.filter(pk__in=list(oldest)).delete()


def delete_expired_sessions() -> None:
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
