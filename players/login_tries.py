"""Wrong passwords of an account: five in five minutes, however many computers guess."""

from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from core import limits
from players import devices
from players.models import User

MOST_TRIES, SECONDS = 5, 300


def key_of(request: HttpRequest, credentials: dict[str, Any]) -> str:
    """What the tries of this log-in are counted under.

    Without the host: where any Host header is served, a new one would be five more tries.
    Strangers who guess lock out strangers alone: a known browser has tries of its own.
    """
    login: str = credentials.get("email", credentials.get("username", "")).casefold()
    return _key(login, is_known=devices.is_known(request, login))


def are_too_many(key: str) -> bool:
    """Count one more before a password is looked at, so that many at once are no more tries."""
    return limits.one_more(key, SECONDS) > MOST_TRIES


def forget(user: User) -> None:
    """Whoever has set a new password by mail begins anew."""
    cache.delete_many([_key(login.casefold()) for login in (user.username, user.email)])


def _key(login: str, *, is_known: bool = False) -> str:
    # Hashed, because not every cache takes every letter.
    return f"login-tries:{sha256(f'{login} {is_known}'.encode()).hexdigest()}"
