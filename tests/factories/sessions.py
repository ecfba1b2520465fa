"""Sessions for tests: of a guest who came by a link, of an account and when it logged in."""

import time
from typing import TypeVar

from django.test import Client

from players.models import Player, User
from players.sessions import GUEST_KEY, LOGGED_IN_KEY

AnyClient = TypeVar("AnyClient", bound=Client)
HOUR = 3600


def claim(client: AnyClient, player: Player) -> AnyClient:
    """This client, once it has opened the personal link of a guest."""
    session = client.session
    session[GUEST_KEY] = [player.pk, player.claim_generation]
    session.save()
    return client


def logged_in(user: User | None, *, lately: bool = True) -> Client:
    """A browser logged in a moment ago, so that nobody asks again who it is; or an hour ago."""
    assert user is not None
    client = Client()
    client.force_login(user)
    session = client.session
    session[LOGGED_IN_KEY] = time.time() - (0 if lately else HOUR)
    session.save()
    return client
