"""A sandbox thrown away: all of it, for real, and nothing that belongs to anybody else."""

from django.db import transaction

from matches.models import Match
from players.models import Player
from rulings.models import JudgeNote
from tournaments import history
from tournaments.models import DeckCheck, Pairing, Registration, Tournament
from tournaments.services.practice.playing import refuse_real


@transaction.atomic
def throw_away(event: Tournament) -> None:
    """Delete the sandbox with its players, matches and lists. Raises NotAPractice.

    Its own guests go with the lists they handed in there; versions of lists that belong to
    players of the event it was made of stay, and so do players who are at another event too.
    """
    event = history.lock(event)
    refuse_real(event)
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
