"""Authentication of API requests by token or session, and their rate limits."""

from datetime import timedelta
from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy
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
CSRF_ADVICE = gettext_lazy(
    "Send the value of the cookie {cookie} in the header X-CSRFToken, or use an API token, which "
    "needs no CSRF token."
)
NOT_ACCEPTED = gettext_lazy(
    "This token is unknown, expired or revoked. Create a new one under Tokens in your account."
)


class TokenAuthentication(KnoxTokenAuthentication):
    """`Authorization: Token ...` or `Bearer ...`; the token becomes `request.auth`."""

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme of the request if it is valid, else "Token"."""
        sent = get_authorization_header(request).partition(b" ")[0].lower()
        schemes = (scheme for scheme in HEADER_SCHEMES if scheme.lower().encode() == sent)
        return next(schemes, HEADER_SCHEMES[0])

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the account and its token, or None. Raises AuthenticationFailed, Throttled."""
        if not get_authorization_header(request).isascii():
            raise AuthenticationFailed(NOT_ACCEPTED)
        try:
            credentials: tuple[User, ApiToken] | None = super().authenticate(request)
        except AuthenticationFailed:
            # Valid tokens at this address are not slowed.
            if rate_limits.is_over("unknown_tokens", counted_address(request)):
                raise Throttled(rate_limits.seconds_left()) from None
            raise
        if credentials is not None:
            _record_use(credentials[1])
        return credentials

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        # Unlike knox, keep expired tokens: their owner sees them on a page.
        text = token.decode()
        candidates = ApiToken.objects.filter(token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH])
        for candidate in candidates.select_related("user"):
            if candidate.is_live and compare_digest(hash_token(text), candidate.digest):
                credentials: tuple[User, ApiToken] = self.validate_user(candidate)
                return credentials
        raise AuthenticationFailed(NOT_ACCEPTED)


def _record_use(token: ApiToken) -> None:
    # At most once a minute, so that polling does not write a row each time.
    now = timezone.now()
    latest = now - USE_RECORDED_EVERY
    if token.last_used_at is None or token.last_used_at < latest:
        is_due = Q(last_used_at=None) | Q(last_used_at__lt=latest)
        ApiToken.objects.filter(is_due, pk=token.pk).update(last_used_at=now)


class SessionAuthentication(authentication.SessionAuthentication):
    """Authenticate a browser by an account or a guest in its session. Requires a CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        credentials: tuple[Any, None] | None = super().authenticate(request)
        # DRF checks the CSRF token of accounts only, but a guest acts by the session too.
        if credentials is None and GUEST_KEY in request.session:
            self.enforce_csrf(request)
        return credentials

    def enforce_csrf(self, request: Request) -> None:
        """Raise PermissionDenied with the header to send."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as refusal:
            advice = CSRF_ADVICE.format(cookie=settings.CSRF_COOKIE_NAME)
            raise PermissionDenied(f"{refusal.detail} {advice}") from refusal

    def authenticate_header(self, request: Request) -> str:
        # With this header DRF responds 401 instead of 403.
        return "Token"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournaments.web.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token` or `Bearer`, a space, and the token.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tournaments.web.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


def filter_by_token(token: object, events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    if isinstance(token, ApiToken) and token.is_bound:
        return events.filter(pk=token.tournament_id)
    return events


class TokenThrottle(MinuteThrottle):
    # All requests with a token.
    name = "token"

    def requester_key(self, request: Request) -> str:
        return request.auth.digest if isinstance(request.auth, ApiToken) else ""


class TokenWriteThrottle(TokenThrottle):
    name = "token_writes"

    def requester_key(self, request: Request) -> str:
        return "" if request.method in SAFE_METHODS else super().requester_key(request)


class PersonThrottle(MinuteThrottle):
    # All requests of an account or guest in browsers.
    name = "person"

    def requester_key(self, request: Request) -> str:
        if request.auth is not None:
            return ""
        if request.user.is_authenticated:
            return f"user-{request.user.pk}"
        # The session is loaded already: SessionAuthentication reads it.
        guest = request.session.get(GUEST_KEY)
        return "guest-" + "-".join(map(str, guest)) if guest else ""
