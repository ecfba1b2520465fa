"""Delete an event before its first round is published."""

import logging

from django.db import transaction

from core.errors import Refusal
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.removing import remove
from tournaments.models import Tournament

logger = logging.getLogger(__name__)


class CannotDelete(Refusal):
    """The event has a published round, or rulings that must be kept."""


@transaction.atomic
def delete(tournament: Tournament, actor: Actor) -> None:
    """Delete an event without published rounds, and its sandboxes. Raises CannotDelete.

    Guests who play nowhere else are deleted too. Players with an account keep their decklists.
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
    # The log of the event was deleted too, so record the deletion here.
    logger.info("event_deleted", extra={"event": event.slug, "by": actor.user and actor.user.pk})
