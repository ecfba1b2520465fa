"""Second factors for tests."""

from allauth.mfa.totp.internal import auth as totp
from django.utils import timezone

from players.models import User

PERIOD = 30


def give_app(user: User) -> str:
    """Add an authenticator app to this account and return its secret."""
    secret: str = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    if hasattr(user, "cached_factor_since"):
        del user.cached_factor_since
    return secret


def code_of(secret: str) -> str:
    counter = int(timezone.now().timestamp()) // PERIOD
    code: str = totp.format_hotp_value(totp.hotp_value(secret, counter))
    return code
