"""Who a player is: the personal link of a guest, and a new name on all pages of their events."""

from collections.abc import Collection
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from players import services as player_services
from players.models import Player
from tournaments.event import history, permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Registration, Tournament

AFTER_THE_DAY = timedelta(days=30)
AT_LEAST = timedelta(days=7)


class PlaysElsewhere(Refusal):
    """A link to this player would open events of other organisers."""


@transaction.atomic
def issue_claim(registration: Registration, actor: Actor) -> str:
    """A guest's new personal link, as its secret: to be shown once. Ends the former link.

    The link opens all that the player has, at other events too: so it is given
    out where the actor runs them all, or is that player. It ends a month after the day of the
    event, in a week at the earliest; another can be made any time. Raises PlaysElsewhere,
    PlayerHasAccount, PlayerErased. The log says that a link was given, never which.
    """
    tournament = history.lock(registration.tournament)
    if registration.player != actor.player:
        _refuse_events_of_others(registration.player, actor)
    secret = player_services.issue_claim(registration.player, ends_at(tournament))
    history.record(tournament, actor, LogAction.CLAIM_LINK_GIVEN, registration.player)
    return secret


def ends_at(tournament: Tournament) -> datetime:
    """Until when a new link works: a while after the event, which may be far off or go on long."""
    day = datetime.combine(tournament.starts_on, time.min, UTC)
    return max(day + AFTER_THE_DAY, timezone.now() + AT_LEAST)


def _refuse_events_of_others(player: Player, actor: Actor) -> None:
    if all(permissions.can_run(actor, event) for event in queries.events_of(None, player)):
        return
    raise PlaysElsewhere(
        f"{player} plays at events of other organisers too, and a link would open those as well. "
        "Ask the administrator of this site for a link."
    )


def show_new_name(
    sender: type[Player],
    instance: Player,
    created: bool,
    update_fields: Collection[str] | None,
    **kwargs: Any,
) -> None:
    """Receiver of post_save: the players' app knows no events, so it cannot reach them itself."""
    is_named = update_fields is None or {"name", "pronouns"} & set(update_fields)
    if is_named and not created:
        # After the commit: here the player is locked, and the event must be locked first.
        transaction.on_commit(partial(renew_pages, instance.pk))


def renew_pages(player_id: int) -> None:
    """Move the public version of every event this player is in."""
    events = Registration.objects.filter(player=player_id).values("tournament")
    history.move_versions(Tournament.objects.filter(pk__in=events))
