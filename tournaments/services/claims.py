"""Personal links of guests, given out by those who run their events."""

from django.db import transaction

from core.errors import Refusal
from players import services as players
from players.models import Player
from tournaments import history, permissions, queries
from tournaments.actors import Actor
from tournaments.models import Registration


class PlaysElsewhere(Refusal):
    """A link to this player would open events of other organisers."""

    code = "plays_elsewhere"


@transaction.atomic
def issue_claim(registration: Registration, actor: Actor) -> str:
    """A guest's new personal link, as its secret: to be shown once. Ends the former link.

    The link opens all that the player has, at other events too: so it is given
    out where the actor runs them all, or is that player. Raises PlaysElsewhere,
    PlayerHasAccount. The log says that a link was given, never which.
    """
    tournament = history.lock(registration.tournament)
    if registration.player != actor.player:
        _refuse_events_of_others(registration.player, actor)
    secret = players.issue_claim(registration.player)
    history.record(tournament, actor, "claim link given", registration.player, public=False)
    return secret


def _refuse_events_of_others(player: Player, actor: Actor) -> None:
    if all(permissions.can_run(actor, event) for event in queries.events_of(None, player)):
        return
    raise PlaysElsewhere(
        f"{player} plays at events of other organisers too, and a link would open those as well. "
        "Ask the administrator of this site for a link."
    )
