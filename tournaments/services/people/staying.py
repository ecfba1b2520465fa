"""Not to be forgotten yet."""

from django.utils import timezone

from players.models import Player


def stay(player: Player) -> None:
    """The months after which somebody away is forgotten begin anew."""
    player.stays_from = timezone.now()
    player.save(update_fields=["stays_from"])
