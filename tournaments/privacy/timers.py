"""Expire inactive people, sessions, stored responses, jobs and webhook messages."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from core import idempotency
from core.jobs import LIVE, JobState
from core.pause_points import pause_point
from players.models import Session
from tournaments.models import (
    DeliveryState,
    Job,
    JobKind,
    KeptAnswer,
    SiteJob,
    WebhookDelivery,
)
from tournaments.privacy import erasing
from tournaments.privacy import queries as privacy_queries

logger = logging.getLogger(__name__)

# Each erasure is a transaction that locks all events of a person; the rest follows next time.
AT_ONCE = 50


# Retention of finished jobs and webhook messages.
KEPT_FOR = timedelta(days=30)
# A deletion blocks writers on SQLite; the rest follows an hour later.
ROWS_AT_ONCE = 1000


def forget_absent() -> int:
    """Erase people inactive for `settings.FORGET_AFTER_MONTHS` and return their number."""
    if settings.FORGET_AFTER_MONTHS <= 0:
        return 0
    moment = privacy_queries.moved_by_months(timezone.now(), -settings.FORGET_AFTER_MONTHS)
    away = [
        erasing.person_of(None, one) for one in privacy_queries.players_away_since(moment)[:AT_ONCE]
    ]
    left = AT_ONCE - len(away)
    away += [
        erasing.person_of(one, None) for one in privacy_queries.accounts_away_since(moment)[:left]
    ]
    forgotten = sum(_is_forgotten(person, moment) for person in away)
    if forgotten:
        logger.info("Forgotten after %s months: %s.", settings.FORGET_AFTER_MONTHS, forgotten)
    return forgotten


def forget_answers() -> None:
    """Delete expired idempotent responses."""
    idempotency.forget(KeptAnswer)


def delete_old_jobs() -> None:
    """Delete the oldest jobs that finished `KEPT_FOR` ago.

    Pairing jobs of unfinished events stay, because the next attempt must draw differently.
    """
    before = timezone.now() - KEPT_FOR
    old = Job.objects.filter(state=JobState.DONE, finished_at__lt=before)
    still_needed = Q(kind=JobKind.PAIR_ROUND, tournament__finished_at=None)
    _delete_oldest(old, old.exclude(still_needed))
    # Failed copies go too: newer backups have replaced theirs.
    of_site = SiteJob.objects.exclude(state__in=LIVE).filter(finished_at__lt=before)
    _delete_oldest(of_site, of_site)


def delete_old_deliveries() -> None:
    """Delete the oldest webhook messages written `KEPT_FOR` ago that are not waiting."""
    before = timezone.now() - KEPT_FOR
    old = WebhookDelivery.objects.exclude(state=DeliveryState.WAITING).filter(made_at__lt=before)
    _delete_oldest(old, old)


def _delete_oldest(old: QuerySet[Any], chosen: QuerySet[Any]) -> None:
    """Delete a bounded number of rows; `old` excludes any that were requeued since."""
    oldest = chosen.order_by("pk").values_list("pk", flat=True)[:ROWS_AT_ONCE]
    old.filter(pk__in=list(oldest)).delete()


def forget_sessions() -> None:
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


def _is_forgotten(person: erasing.Person, moment: datetime) -> bool:
    """Erase a person; False on failure, so that the remaining people are still processed."""
    try:
        return _forget(person, moment)
    except Exception:
        logger.exception("Not forgotten, tried again in an hour: %s.", person.label)
        return False


@transaction.atomic
def _forget(person: erasing.Person, moment: datetime) -> bool:
    locked = erasing.lock(person)
    pause_point("forget:locked")
    # Check again under the lock: they may have returned since they were listed.
    if not privacy_queries.is_away_since(moment, locked.user, locked.player):
        return False
    erasing.erase(locked)
    return True
