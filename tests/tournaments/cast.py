"""Browsers of every kind of visitor to an event."""

from collections.abc import Callable

from django.test import Client

from players.models import User
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import add_staff, make_event, make_user
from tournaments.models import Registration, StaffRole, Tournament

ACTORS = (
    "anonymous",
    "stranger",
    "player",
    "streamer",
    "judge",
    "head_judge",
    "scorekeeper",
    "organiser",
    "owner",
    "other_organiser",
)
OWNER = "olga"
"""The username of the fixture `owner`."""
WITHOUT_ACCOUNT = frozenset({"anonymous", "player"})


def browser_of(actor: str, event: Tournament, player: Registration) -> Client:
    """Return the browser of one of ACTORS or of an administrator; a player has a personal link."""
    client = Client()
    if actor == "player":
        claim(client, player.player)
    elif actor != "anonymous":
        client.force_login(_ACCOUNTS.get(actor, _with_role(actor))(event))
    return client


def desk_of(event: Tournament) -> Client:
    """Return the browser of the event's owner."""
    return logged_in(_owner(event))


def _with_role(role: str) -> Callable[[Tournament], User]:
    return lambda event: add_staff(event, StaffRole(role))


def _organiser_elsewhere(_event: Tournament) -> User:
    return _owner(make_event(players=2, name="Elsewhere"))


def _owner(event: Tournament) -> User:
    return event.staff.get(role=StaffRole.OWNER).user


_ACCOUNTS: dict[str, Callable[[Tournament], User]] = {
    "stranger": lambda _event: make_user(),
    "administrator": lambda _event: make_user(is_superuser=True, is_staff=True),
    "owner": _owner,
    "other_organiser": _organiser_elsewhere,
}
