"""Where somebody is logged in: each session, and the end of them.

The key of a session is in the cookie alone. The table keeps its hash, so that nobody who reads the
database or a backup can go on with the session of another.
"""

import time
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.client_addresses import client_address
from players.models import Session, User

LOGGED_IN_KEY = "logged_in_at"
BROWSER_KEY = "logged_in_by"
GUEST_KEY = "guest_player"


class SessionStore(db.SessionStore):
    """What SESSION_ENGINE names: Django's sessions in a table of our own."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Where sessions are kept."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """A row that says whose it is and where it was opened."""
        row = cast(Session, super().create_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        row.player_id = data.get(GUEST_KEY, [None])[0]
        row.address, row.user_agent = data.get(BROWSER_KEY, (None, ""))
        if LOGGED_IN_KEY in data:
            row.logged_in_at = datetime.fromtimestamp(data[LOGGED_IN_KEY], UTC)
        return row


def note_login(request: HttpRequest) -> None:
    """Keep in the session when and by which browser it was logged in."""
    request.session[LOGGED_IN_KEY] = time.time()
    request.session[BROWSER_KEY] = [_address(request), request.headers.get("User-Agent", "")[:200]]


def _address(request: HttpRequest) -> str | None:
    with suppress(ValueError):
        return str(ip_address(client_address(request).partition("%")[0]))
    return None


def logged_in_within(request: HttpRequest, seconds: int) -> bool:
    """Whether this session was logged in so lately."""
    at = request.session.get(LOGGED_IN_KEY)
    return isinstance(at, float) and 0 <= time.time() - at < seconds


def sessions_of(user: User, current: str | None) -> QuerySet[Session]:
    """Where the account is logged in, the `current` session first."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    return live.annotate(is_current=Q(session_key=current)).order_by("-is_current", "logged_in_at")


def end_others(user: User, kept: str | None) -> int:
    """End every session of the account but the kept one; how many those were."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    ended, _ = live.exclude(session_key=kept or "").delete()
    return ended
