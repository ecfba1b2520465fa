"""Clients of the API, and tokens."""

from typing import Any

from knox.models import get_digest_token
from rest_framework.test import APIClient

from players import services as players
from players.models import User
from tests.factories import tournaments as make
from tests.factories.sessions import claim
from tournaments.models import ApiToken, Registration, Tournament


def client_of(user: User | None) -> APIClient:
    assert user is not None
    api = APIClient()
    api.force_login(user)
    return api


def client(tournament: Tournament, role: str = "owner") -> APIClient:
    """A new account with this role; with no role if `role` is ""."""
    if role == "owner":
        return client_of(make.owner_of(tournament).user)
    return client_of(make.add_staff(tournament, role) if role else make.make_user())


def guest(registration: Registration) -> APIClient:
    """A guest whose session has claimed the registration."""
    return claim(APIClient(), registration.player)


def account(registration: Registration) -> APIClient:
    user = make.make_user()
    players.link_guest(registration.player, user)
    return client_of(user)


def with_token(token: str) -> APIClient:
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return api


def make_token(
    user: User | None, scope: str = "manage", tournament: Tournament | None = None, **fields: Any
) -> str:
    """Make a token and return its secret."""
    assert user is not None
    digest, token = map(str, get_digest_token())
    ApiToken.objects.create(
        user=user, scope=scope, tournament=tournament, digest=digest, token_key=token[:15], **fields
    )
    return token
