"""Limits on logins: known browsers, wrong passwords and plain http."""

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import get_random_string
from django.utils.module_loading import import_string

from core import rate_limits
from core.addresses import client_address
from core.http import is_loopback
from players.models import User

DEVICE_COOKIE = "known_device"
# The maximum age of a cookie in browsers.
DEVICE_LIFETIME = timedelta(days=400)
MAX_ACCOUNTS = 5

# Substring and name. The first match counts, because browsers also name their ancestors.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """Return a name such as "Firefox, Android", or up to 60 characters of an unknown user agent."""
    parts = [
        next((name for sign, name in names if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, parts)) or user_agent[:60] or "Unknown"


def remember_device(response: HttpResponseBase, request: HttpRequest, user: User) -> None:
    """Mark this browser as known to the account until its password changes."""
    others = [mark for mark in _device_marks(request) if not mark.startswith(f"{user.pk}.")]
    # The random end distinguishes two browsers of an account.
    marks = [f"{_device_mark(user)}.{get_random_string(12)}", *others][:MAX_ACCOUNTS]
    response.set_signed_cookie(
        DEVICE_COOKIE,
        " ".join(marks),
        salt=DEVICE_COOKIE,
        max_age=DEVICE_LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_accounts(request: HttpRequest, login: str) -> dict[str, User]:
    """Return accounts with this login that have logged in here before, by their mark."""
    marks = _device_marks(request)
    named = Q(username__iexact=login) | Q(email__iexact=login)
    users = User.objects.filter(named) if marks else []
    return {mark: user for user in users for mark in marks if mark.startswith(_device_mark(user))}


def last_account_key(request: HttpRequest) -> str:
    """Return the key of the account that last logged in with this browser, or ""."""
    return next((mark.partition(".")[0] for mark in _device_marks(request)), "")


def _device_marks(request: HttpRequest) -> list[str]:
    cookie = request.get_signed_cookie(
        DEVICE_COOKIE, default="", salt=DEVICE_COOKIE, max_age=DEVICE_LIFETIME
    )
    return str(cookie).split()


def _device_mark(user: User) -> str:
    return f"{user.pk}.{user.get_session_auth_hash()[:32]}"


# Wrong passwords: five in five minutes for a login, from any number of computers.

MAX_TRIES, TRY_SECONDS = 5, 300


def try_counters(request: HttpRequest, credentials: dict[str, Any]) -> dict[str, User | None]:
    """Return the keys that count the tries of this login, with the account each key can open."""
    # A known browser has tries of its own at accounts that have used it, so guesses by strangers
    # lock out strangers only. All other browsers share the key with None.
    login = submitted_login(credentials).casefold()
    known = known_accounts(request, login)
    return {**{_try_key(mark): user for mark, user in known.items()}, _try_key(login): None}


def submitted_login(credentials: dict[str, Any]) -> str:
    login: str = credentials.get("username") or credentials.get("email", "")
    return login


def has_too_many_tries(key: str) -> bool:
    # Before the password is checked, so that simultaneous tries all count.
    return rate_limits.increment_counter(key, TRY_SECONDS) > MAX_TRIES


def reset_tries(user: User) -> None:
    cache.delete_many([_try_key(login.casefold()) for login in (user.username, user.email)])


def _try_key(who: str) -> str:
    # Hashed, because not every cache accepts every character.
    return f"login-tries:{sha256(who.encode()).hexdigest()}"


# Plain http, which others in the network can read.

PLAIN_LOGIN_REFUSED = (
    "This account helps to run events or the site, so it cannot log in over plain http: others on "
    "this network can read the password. Log in on the computer that runs Datafort, at {local}. Or "
    "ask the site's administrator to serve Datafort over https, or to allow such logins "
    "(DATAFORT_PLAIN_LOGINS in the operations guide). Others may have read the password you just "
    "typed: change it after you log in."
)


def is_unprotected(request: HttpRequest) -> bool:
    """Return True if other computers in the network can read this request."""
    # The address is empty for a Unix socket of this machine.
    address = client_address(request)
    return not request.is_secure() and address != "" and not is_loopback(address)


def is_staff_refused(request: HttpRequest) -> bool:
    return not settings.ALLOW_PLAIN_LOGINS and is_unprotected(request)


def plain_login_refusal(request: HttpRequest) -> str:
    return PLAIN_LOGIN_REFUSED.format(local=f"http://127.0.0.1:{request.get_port()}")


def has_staff_role(user: User) -> bool:
    """Return True if the account runs the site, or has a role at an event."""
    has_a_role: Callable[[User], bool] = import_string(settings.HAS_A_ROLE)
    return user.is_staff or user.is_superuser or has_a_role(user)
