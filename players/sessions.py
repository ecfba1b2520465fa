"""Login sessions, in a table that can list and end those of an account."""

# Only the cookie holds the key of a session. The table stores its hash, so that a reader of the
# database or a backup cannot take over a session.

import time
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request

from core.addresses import client_address, shared_url
from players.models import Player, Session, User

LOGGED_IN_KEY = "logged_in_at"
BROWSER_KEY = "logged_in_by"
GUEST_KEY = "guest_player"


class SessionStore(db.SessionStore):
    was_ended = False

    def flush(self) -> None:
        super().flush()
        self.was_ended = True

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        row.player_id = data.get(GUEST_KEY, [None])[0]
        row.address, row.user_agent = data.get(BROWSER_KEY, (None, ""))
        if LOGGED_IN_KEY in data:
            row.logged_in_at = datetime.fromtimestamp(data[LOGGED_IN_KEY], UTC)
        return row


def renew_session(request: HttpRequest | Request) -> None:
    """Invalidate any session id and form token known before, as at login."""
    request.session.cycle_key()
    rotate_token(request)


def bind_guest(request: HttpRequest | Request, guest: Player) -> None:
    request.session[GUEST_KEY] = [guest.pk, guest.claim_generation]
    renew_session(request)


def claim_url(request: HttpRequest | Request, secret: str) -> str:
    return shared_url(request, reverse("players:claim", args=[secret]))


def store_login(request: HttpRequest) -> None:
    request.session[LOGGED_IN_KEY] = time.time()
    address = None
    with suppress(ValueError):
        address = str(ip_address(client_address(request).partition("%")[0]))
    request.session[BROWSER_KEY] = [address, request.headers.get("User-Agent", "")[:200]]


def has_logged_in_within(request: HttpRequest, seconds: int) -> bool:
    at = request.session.get(LOGGED_IN_KEY)
    return isinstance(at, float) and 0 <= time.time() - at < seconds


def sessions_of(user: User, current: str | None) -> QuerySet[Session]:
    """Return live sessions of the account, the `current` session first."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    return live.annotate(is_current=Q(session_key=current)).order_by("-is_current", "logged_in_at")


def end_other_sessions(user: User, kept: str | None) -> int:
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    ended, _ = live.exclude(session_key=kept or "").delete()
    return ended
