"""Browsers: what one is called, and for which accounts it is known."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import get_random_string

from players.models import User

COOKIE = "known_device"
KNOWN_FOR = timedelta(days=400)
"""As long as browsers keep a cookie."""
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
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
"""Sign and name; the first sign that is there counts, because browsers name their forebears too."""


def device_name(user_agent: str) -> str:
    """Such as "Firefox, Android"; what is unknown stays as it says, up to 60 letters."""
    known = [
        next((name for sign, name in names if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, known)) or user_agent[:60] or "Unknown"


def remember(response: HttpResponseBase, request: HttpRequest, user: User) -> None:
    """Know this browser again when the account logs in, until its password is another one."""
    others = [one for one in _marks(request) if not one.startswith(f"{user.pk}.")]
    # The end tells two browsers of one account apart.
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
    """The accounts of this username or address that have logged in here before, by their mark."""
    marks = _marks(request)
    named = Q(username__iexact=login) | Q(email__iexact=login)
    users = User.objects.filter(named) if marks else []
    return {mark: user for user in users for mark in marks if mark.startswith(_mark(user))}


def last_known(request: HttpRequest) -> str:
    """The key of the account that logged in last with this browser; "" where none has."""
    return next((mark.partition(".")[0] for mark in _marks(request)), "")


def _marks(request: HttpRequest) -> list[str]:
    kept = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=KNOWN_FOR)
    return str(kept).split()


def _mark(user: User) -> str:
    return f"{user.pk}.{user.get_session_auth_hash()[:32]}"
