"""Limit on wrong passwords: five in five minutes for a login, from any number of computers."""

from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from core import rate_limits
from players import devices
from players.models import User

MOST_TRIES, SECONDS = 5, 300


def keys_of(request: HttpRequest, credentials: dict[str, Any]) -> dict[str, User | None]:
    """Return the keys that count the tries of this login, with the account each key can open.

    A known browser has tries of its own at accounts that have used it, so guesses by strangers lock
    out strangers only. All other browsers share the key with None.

    Keys do not include the host: on a site that serves any Host header, each new host would give
    five more tries.
    """
    login = login_of(credentials).casefold()
    known = devices.accounts_known(request, login)
    return {**{_key(mark): user for mark, user in known.items()}, _key(login): None}


def login_of(credentials: dict[str, Any]) -> str:
    """Return the submitted username or email address."""
    login: str = credentials.get("username") or credentials.get("email", "")
    return login


def are_too_many(key: str) -> bool:
    """Count a try before the password is checked, so that simultaneous tries all count."""
    return rate_limits.one_more(key, SECONDS) > MOST_TRIES


def forget(user: User) -> None:
    """Reset the tries of an account after a password reset by email."""
    cache.delete_many([_key(login.casefold()) for login in (user.username, user.email)])


def _key(who: str) -> str:
    # Hashed, because not every cache accepts every character.
    return f"login-tries:{sha256(who.encode()).hexdigest()}"
