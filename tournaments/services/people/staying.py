"""Not to be forgotten yet."""

from django.utils import timezone

from players.models import Player


def stay(player: Player) -> None:
    """The months after which somebody away is forgotten begin anew."""
    Player.objects.filter(pk=player.pk, erased_at=None).update(stays_from=timezone.now())
