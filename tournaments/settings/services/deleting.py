"""Deleting an event with all that hangs on it: before its first round, or a sandbox at any time."""

import logging

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from players.models import Player
from rulings.models import JudgeNote
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import DeckCheck, Pairing, Registration, Tournament

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


def remove(event: Tournament) -> None:
    """Delete the locked event with its players, matches and lists.

    Its own guests go with the lists they handed in there; versions of lists that belong to players
    of another event stay, and so do players who have an account or are at another event too.
    """
    pairings = Pairing.objects.filter(round__stage__tournament=event)
    matches = list(pairings.exclude(match=None).values_list("match", flat=True))
    players = list(event.registrations.values_list("player", flat=True))
    # What protects other rows goes first.
    pairings.delete()
    event.stages.all().delete()
    DeckCheck.objects.filter(draw__tournament=event).delete()
    _forget_penalties(event)
    Registration.objects.filter(tournament=event).delete()
    event.delete()
    Match.objects.filter(pk__in=matches).delete()
    # Who has an account, or came in from another event by the code, is nobody's copy.
    elsewhere = Registration.objects.filter(player__in=players)
    guests = Player.objects.filter(pk__in=players, user=None)
    guests.exclude(pk__in=elsewhere.values("player")).delete()


def _forget_penalties(event: Tournament) -> None:
    """With the notes that say what happened, which nothing else leads to."""
    notes = list(event.penalties.values_list("note", flat=True))
    event.penalties.all().delete()
    JudgeNote.objects.filter(pk__in=notes).delete()
