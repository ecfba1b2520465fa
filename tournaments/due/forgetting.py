"""What is kept for a time only: people away for the months of the site, answers for a day."""

import logging

from django.conf import settings
from django.utils import timezone

from core import idempotency
from tournaments import erasing
from tournaments.models import KeptAnswer
from tournaments.queries import people as queries

logger = logging.getLogger(__name__)

AT_ONCE = 50
"""Each is a transaction that holds the events of one person; the rest waits for the next turn."""


def forget_absent() -> int:
    """Erase players and accounts nobody has used for `settings.FORGET_AFTER_MONTHS`; how many."""
    if settings.FORGET_AFTER_MONTHS <= 0:
        return 0
    moment = queries.moved_by_months(timezone.now(), -settings.FORGET_AFTER_MONTHS)
    away = [erasing.person_of(None, one) for one in queries.players_away_since(moment)[:AT_ONCE]]
    left = AT_ONCE - len(away)
    away += [erasing.person_of(one, None) for one in queries.accounts_away_since(moment)[:left]]
    forgotten = sum([_is_forgotten(person) for person in away])
    if forgotten:
        logger.info("Forgotten after %s months: %s.", settings.FORGET_AFTER_MONTHS, forgotten)
    return forgotten


def forget_answers() -> None:
    """Delete the answers to writes that nobody sends again."""
    idempotency.forget(KeptAnswer)


def _is_forgotten(person: erasing.Person) -> bool:
    """Whether it could be done: one who cannot be erased keeps nobody else here."""
    try:
        erasing.erase(person)
    except Exception:
        logger.exception("Not forgotten, tried again in an hour: %s.", person.label)
        return False
    return True
