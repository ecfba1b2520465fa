"""Decks shown to everybody."""

from django.db import transaction
from django.utils import timezone

from tournaments import history
from tournaments.actors import Actor
from tournaments.models import Tournament


@transaction.atomic
def set_revealed(tournament: Tournament, actor: Actor, *, revealed: bool) -> None:
    """Show all decks to everybody who may see the event, or hide them again."""
    tournament = history.lock(tournament)
    tournament.decks_revealed_at = timezone.now() if revealed else None
    tournament.save(update_fields=["decks_revealed_at"])
    history.record(tournament, actor, "decks revealed" if revealed else "decks hidden")
