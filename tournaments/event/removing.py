"""Delete an event with everything that belongs to it alone."""

from datetime import datetime

from django.db import transaction

from matches.models import Match
from players.models import Player
from rulings.models import JudgeNote
from tournaments.models import DeckCheck, Pairing, Registration, Tournament

TABLES_AT_ONCE = 100
"""Tables that one transaction stores or deletes: about eleven rows each."""


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


def remove_incomplete(event: Tournament) -> None:
    """Delete an abandoned import in transactions of a bounded size."""
    pairings = Pairing.objects.filter(round__stage__tournament=event, match__isnull=False)
    while matches := list(pairings.order_by("pk").values_list("match", flat=True)[:TABLES_AT_ONCE]):
        with transaction.atomic():
            Pairing.objects.filter(match__in=matches).delete()
            Match.objects.filter(pk__in=matches).delete()
    for snapshot in event.snapshots.all():
        snapshot.delete()
    with transaction.atomic():
        # An import still at work finds its event deleted at its next step.
        locked = Tournament.objects.select_for_update().filter(pk=event.pk)
        if found := locked.filter(import_touched_at__isnull=False).first():
            remove(found)


def abandoned_imports(before: datetime) -> list[Tournament]:
    """Events of unfinished imports that have stored nothing since this moment."""
    return list(Tournament.objects.filter(import_touched_at__lt=before).order_by("pk"))
