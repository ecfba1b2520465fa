"""A player's new name shows on all their events, archived ones too."""

from collections.abc import Collection
from functools import partial
from typing import Any

from django.db import transaction

from players.models import Player
from tournaments.event import history
from tournaments.models import Registration, Tournament


def show_new_name(
    sender: type[Player],
    instance: Player,
    created: bool,
    update_fields: Collection[str] | None,
    **kwargs: Any,
) -> None:
    """Receiver of post_save: the players' app knows no events, so it cannot tell them itself."""
    is_named = update_fields is None or {"name", "pronouns"} & set(update_fields)
    if is_named and not created:
        # After the commit: here the player is locked, and the event must be locked first.
        transaction.on_commit(partial(renew_pages, instance.pk))


def renew_pages(player_id: int) -> None:
    """Move the public version of every event this player is in."""
    events = Registration.objects.filter(player=player_id).values("tournament")
    history.move_versions(Tournament.objects.filter(pk__in=events))
