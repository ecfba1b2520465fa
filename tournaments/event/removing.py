"""Delete an event with everything that belongs to it alone."""

from datetime import datetime

from django.db import transaction

from matches.models import Match
from players.models import Player
from rulings.models import JudgeNote
from tournaments.models import DeckCheck, Pairing, Registration, Tournament

# Tables stored or deleted per transaction, about eleven rows each.
TABLES_AT_ONCE = 100


def remove(event: Tournament) -> None:
    """Delete the locked event with its players, matches and decks.

    Guests of this event are deleted with their decks. Players with an account or another event
    stay, and so do their decklist versions.
    """
    pairings = Pairing.objects.filter(round__stage__tournament=event)
    matches = list(pairings.exclude(match=None).values_list("match", flat=True))
    players = list(event.registrations.values_list("player", flat=True))
    # Delete rows with protected foreign keys first.
    pairings.delete()
    event.stages.all().delete()
    DeckCheck.objects.filter(draw__tournament=event).delete()
    _forget_penalties(event)
    Registration.objects.filter(tournament=event).delete()
    event.delete()
    Match.objects.filter(pk__in=matches).delete()
    # Players with an account or a registration elsewhere stay.
    elsewhere = Registration.objects.filter(player__in=players)
    guests = Player.objects.filter(pk__in=players, user=None)
    guests.exclude(pk__in=elsewhere.values("player")).delete()


def _forget_penalties(event: Tournament) -> None:
    """Delete penalties with their notes, which are not referenced elsewhere."""
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
        # A running import notices the deletion at its next step.
        locked = Tournament.objects.select_for_update().filter(pk=event.pk)
        if found := locked.filter(import_touched_at__isnull=False).first():
            remove(found)


def abandoned_imports(before: datetime) -> list[Tournament]:
    """Unfinished imports that have stored nothing since this time."""
    return list(Tournament.objects.filter(import_touched_at__lt=before).order_by("pk"))
