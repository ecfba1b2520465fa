"""Deleting an event with all that hangs on it: before its first round, or a sandbox at any time."""

import logging

from django.db import transaction

from core.errors import Refusal
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.removing import remove
from tournaments.models import Tournament

logger = logging.getLogger(__name__)


class CannotDelete(Refusal):
    """Others have seen, or rely on, something of the event: it is finished or left, not deleted."""


@transaction.atomic
def delete(tournament: Tournament, actor: Actor) -> None:
    """Delete an event of which no round is published, with its sandboxes. Raises CannotDelete.

    Its guests go with it, unless they play elsewhere; players with an account keep their lists.
    """
    event = history.lock(tournament)
    published = queries.visible_rounds(event).order_by("number").first()
    if published is not None:
        raise CannotDelete(
            f"Round {published.number} is published. An event that players have seen tables of is "
            "not deleted: make it private under Settings, or unpublish the round first."
        )
    if event.local_rulings.filter(made_here=True).exists():
        raise CannotDelete(
            "Rulings were made at this event, and rulings stay for good. Make the event private "
            "under Settings instead."
        )
    for practice in event.practices.order_by("pk"):
        remove(history.lock(practice))
    remove(event)
    # Its log went with it.
    logger.info("event_deleted", extra={"event": event.slug, "by": actor.user and actor.user.pk})
