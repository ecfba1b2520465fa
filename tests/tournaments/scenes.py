"""Scenes that many test modules share as their `make_scene`."""

from tests.factories.tournaments import make_event, make_user, start_round
from tests.tournaments.cast import OWNER
from tournaments.models import Tournament


def four_players() -> Tournament:
    """Return an event with four checked-in players before round 1."""
    return make_event(players=4, owner=make_user(OWNER))


def at_tables() -> Tournament:
    """Return the event of `four_players` with round 1 in progress."""
    event = four_players()
    start_round(event)
    return event
