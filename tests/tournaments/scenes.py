"""What modules of tests begin with: made once for each, as its `make_scene`."""

from tests.factories.tournaments import make_event, make_user, start_round
from tests.tournaments.cast import OWNER
from tournaments.models import Tournament


def four_players() -> Tournament:
    """Four players are here, and nothing is paired."""
    return make_event(players=4, owner=make_user(OWNER))


def at_tables() -> Tournament:
    """The same four sit at the tables of round 1."""
    event = four_players()
    start_round(event)
    return event
