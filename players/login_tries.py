"""Wrong passwords of a log-in: five in five minutes, however many computers guess."""

from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from core import rate_limits
from players import devices
from players.models import User

MOST_TRIES, SECONDS = 5, 300


def keys_of(request: HttpRequest, credentials: dict[str, Any]) -> dict[str, User | None]:
    """What the tries of this log-in are counted under, and which account each key can open.

    Strangers who guess lock out strangers alone: a browser that is known has tries of its own at
    the accounts that know it. All others are tried with those of everybody, None.
    Without the host: where any Host header is served, a new one would be five more tries.
    """
    login = login_of(credentials).casefold()
    known = devices.accounts_known(request, login)
    return {**{_key(mark): user for mark, user in known.items()}, _key(login): None}


def login_of(credentials: dict[str, Any]) -> str:
    """What was typed to log in with: a username or an address."""
    login: str = credentials.get("username") or credentials.get("email", "")
    return login


def are_too_many(key: str) -> bool:
    """Count one more before a password is looked at, so that many at once are no more tries."""
    return rate_limits.one_more(key, SECONDS) > MOST_TRIES


def forget(user: User) -> None:
    """Whoever has set a new password by mail begins anew."""
    cache.delete_many([_key(login.casefold()) for login in (user.username, user.email)])


def _key(who: str) -> str:
    # Hashed, because not every cache takes every letter.
    return f"login-tries:{sha256(who.encode()).hexdigest()}"
