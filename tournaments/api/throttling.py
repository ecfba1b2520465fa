"""How often one token, account or guest may ask; core.limits counts them."""

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from core.limits import MinuteThrottle
from players.queries import SESSION_KEY
from tournaments.models import ApiToken


class TokenThrottle(MinuteThrottle):
    """All that one token asks."""

    name = "token"

    def who(self, request: Request) -> str:
        return request.auth.digest if isinstance(request.auth, ApiToken) else ""


class TokenWriteThrottle(TokenThrottle):
    """What one token writes."""

    name = "token_writes"

    def who(self, request: Request) -> str:
        return "" if request.method in SAFE_METHODS else super().who(request)


class PersonThrottle(MinuteThrottle):
    """All that one account or guest asks in browsers."""

    name = "person"

    def who(self, request: Request) -> str:
        if request.auth is not None:
            return ""
        if request.user.is_authenticated:
            return f"user-{request.user.pk}"
        # The session has been read to see whether its CSRF token is asked for.
        guest = request._request.session.get(SESSION_KEY)
        return "guest-" + "-".join(map(str, guest)) if guest else ""
