"""Names of browsers, and the accounts known to a browser."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import get_random_string

from players.models import User

COOKIE = "known_device"
# The maximum age of a cookie in browsers.
KNOWN_FOR = timedelta(days=400)
MOST_ACCOUNTS = 5

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
# Substring and name. The first match counts, because browsers also name their ancestors.
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
    known = [
        next((name for sign, name in names if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, known)) or user_agent[:60] or "Unknown"


def remember(response: HttpResponseBase, request: HttpRequest, user: User) -> None:
    """Mark this browser as known to the account until its password changes."""
    others = [one for one in _marks(request) if not one.startswith(f"{user.pk}.")]
    # The random end distinguishes two browsers of an account.
    marks = [f"{_mark(user)}.{get_random_string(12)}", *others][:MOST_ACCOUNTS]
    response.set_signed_cookie(
        COOKIE,
        " ".join(marks),
        salt=COOKIE,
        max_age=KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def accounts_known(request: HttpRequest, login: str) -> dict[str, User]:
    """Accounts with this username or email that have logged in here before, by their mark."""
    marks = _marks(request)
    named = Q(username__iexact=login) | Q(email__iexact=login)
    users = User.objects.filter(named) if marks else []
    return {mark: user for user in users for mark in marks if mark.startswith(_mark(user))}


def last_known(request: HttpRequest) -> str:
    """Return the key of the account that last logged in with this browser, or ""."""
    return next((mark.partition(".")[0] for mark in _marks(request)), "")


def _marks(request: HttpRequest) -> list[str]:
    kept = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=KNOWN_FOR)
    return str(kept).split()


def _mark(user: User) -> str:
    return f"{user.pk}.{user.get_session_auth_hash()[:32]}"
