"""Sessions for tests: of a guest with a personal link, and of an account with a login time."""

import time
from typing import TypeVar

from django.test import Client
from django.utils import timezone

from players.models import Player, User
from players.sessions import GUEST_KEY, LOGGED_IN_KEY

AnyClient = TypeVar("AnyClient", bound=Client)
HOUR = 3600


def claim(client: AnyClient, player: Player) -> AnyClient:
    """Return this client after it has claimed a guest."""
    session = client.session
    session[GUEST_KEY] = [player.pk, player.claim_generation]
    session.save()
    Player.objects.filter(pk=player.pk, claimed_at=None).update(claimed_at=timezone.now())
    return client


def logged_in(user: User | None, *, lately: bool = True) -> Client:
    """A browser that logged in just now, or an hour ago, so that reauthentication is required."""
    assert user is not None
    client = Client()
    client.force_login(user)
    session = client.session
    session[LOGGED_IN_KEY] = time.time() - (0 if lately else HOUR)
    session.save()
    return client
