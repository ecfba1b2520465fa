"""Tokens for tests."""

from typing import Any

from knox.models import get_digest_token

from players.models import User
from tournaments.models import ApiToken, Tournament


def make_token(
    user: User | None, scope: str = "manage", tournament: Tournament | None = None, **fields: Any
) -> str:
    """The secret of a new token."""
    assert user is not None
    digest, token = map(str, get_digest_token())
    ApiToken.objects.create(
        user=user, scope=scope, tournament=tournament, digest=digest, token_key=token[:15], **fields
    )
    return token
