"""Where an account is logged in: each session, and the end of them."""

import time

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from players.models import User

LOGGED_IN_KEY = "logged_in_at"


def note_login(request: HttpRequest) -> None:
    """Keep in the session when it was logged in."""
    request.session[LOGGED_IN_KEY] = time.time()


def logged_in_within(request: HttpRequest, seconds: int) -> bool:
    """Whether this session was logged in so lately."""
    at = request.session.get(LOGGED_IN_KEY)
    return isinstance(at, float) and 0 <= time.time() - at < seconds


def new_id(request: HttpRequest) -> None:
    """Give the session a new id: one known before is worth nothing afterwards (ASVS 7.2.4)."""
    before = request.session.session_key
    request.session.cycle_key()
    if request.user.is_authenticated:
        rows = UserSession.objects.filter(session_key=before)
        rows.update(session_key=request.session.session_key)


def end_others(user: User, kept: str | None) -> int:
    """End every session of the account but the kept one; how many those were.

    Looks into all sessions of the site, so that none is forgotten: a rare act may take a second.
    """
    live = Session.objects.filter(expire_date__gt=timezone.now()).exclude(session_key=kept)
    mine = [row.pk for row in live.iterator() if row.get_decoded().get(SESSION_KEY) == str(user.pk)]
    Session.objects.filter(pk__in=mine).delete()
    UserSession.objects.filter(user=user).exclude(session_key=kept).delete()
    return len(mine)
