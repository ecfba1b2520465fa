"""Authentication of API requests by token or session, and their rate limits."""

from datetime import timedelta
from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework import authentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from core import rate_limits
from core.addresses import counted_address
from core.rate_limits import MinuteThrottle
from players.models import User
from players.sessions import GUEST_KEY
from tournaments.models import ApiToken, Tournament

HEADER_SCHEMES = ("Token", "Bearer")
USE_RECORDED_EVERY = timedelta(minutes=1)
CSRF_ADVICE = (
    "Send the value of the cookie {cookie} in the header X-CSRFToken, or use an API token, which "
    "needs no CSRF token."
)
NOT_ACCEPTED = "This token is not known, has expired or was revoked. Make a new one on your page."


class TokenAuthentication(KnoxTokenAuthentication):
    """`Authorization: Token ...` or `Bearer ...`; the token becomes `request.auth`."""

    def authenticate_header(self, request: Request) -> str:
        """The scheme of the request if it can be used, else "Token"."""
        sent = get_authorization_header(request).partition(b" ")[0].lower()
        return next(
            (one for one in HEADER_SCHEMES if one.lower().encode() == sent), HEADER_SCHEMES[0]
        )

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The account and the token, None without one. Raises AuthenticationFailed, Throttled."""
        if not get_authorization_header(request).isascii():
            raise AuthenticationFailed(NOT_ACCEPTED)
        try:
            found: tuple[User, ApiToken] | None = super().authenticate(request)
        except AuthenticationFailed:
            # Only who sends an unknown one waits: others at this address have good ones.
            if rate_limits.is_over("unknown_tokens", counted_address(request)):
                raise Throttled(rate_limits.seconds_left()) from None
            raise
        if found is not None:
            _record_use(found[1])
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        """The account and the token. Unlike in knox none is deleted: its owner sees it end."""
        text = token.decode()
        alike = ApiToken.objects.filter(token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH])
        for one in alike.select_related("user"):
            if one.is_live and compare_digest(hash_token(text), one.digest):
                found: tuple[User, ApiToken] = self.validate_user(one)
                return found
        raise AuthenticationFailed(NOT_ACCEPTED)


def _record_use(token: ApiToken) -> None:
    """Once a minute: a program that polls writes no row each time."""
    now = timezone.now()
    unnoted = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RECORDED_EVERY)
    if token.last_used_at is None or token.last_used_at < now - USE_RECORDED_EVERY:
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)


class SessionAuthentication(authentication.SessionAuthentication):
    """A browser that is logged in, or whose session has claimed a guest: it sends a CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """The account of the session, None for a stranger or a guest. Raises PermissionDenied."""
        found: tuple[Any, None] | None = super().authenticate(request)
        # A guest acts by the session alone, so another site must not be able to make it act.
        if found is None and GUEST_KEY in request.session:
            self.enforce_csrf(request)
        return found

    def enforce_csrf(self, request: Request) -> None:
        """Raise PermissionDenied with the header to send."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as refusal:
            advice = CSRF_ADVICE.format(cookie=settings.CSRF_COOKIE_NAME)
            raise PermissionDenied(f"{refusal.detail} {advice}") from refusal

    def authenticate_header(self, request: Request) -> str:
        """Names what is missing, so that a stranger is answered 401."""
        return "Token"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The token in the description of the API."""

    target_class = "tournaments.web.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """As a header."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token` or `Bearer`, a space, and the token.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The session in the description of the API."""

    target_class = "tournaments.web.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """As a cookie."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


def filter_by_token(token: object, events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those of these events that a token of one event finds; all without such a token."""
    if isinstance(token, ApiToken) and token.is_bound:
        return events.filter(pk=token.tournament_id)
    return events


class TokenThrottle(MinuteThrottle):
    """All that one token asks."""

    name = "token"

    def requester_key(self, request: Request) -> str:
        return request.auth.digest if isinstance(request.auth, ApiToken) else ""


class TokenWriteThrottle(TokenThrottle):
    """What one token writes."""

    name = "token_writes"

    def requester_key(self, request: Request) -> str:
        return "" if request.method in SAFE_METHODS else super().requester_key(request)


class PersonThrottle(MinuteThrottle):
    """All that one account or guest asks in browsers."""

    name = "person"

    def requester_key(self, request: Request) -> str:
        if request.auth is not None:
            return ""
        if request.user.is_authenticated:
            return f"user-{request.user.pk}"
        # The session has been read to see whether its CSRF token is asked for.
        guest = request.session.get(GUEST_KEY)
        return "guest-" + "-".join(map(str, guest)) if guest else ""
