"""Log-ins and second factors for tests."""

import time

from allauth.mfa.totp.internal import auth as totp
from django.test import Client
from django.utils import timezone

from players.models import User
from players.sessions import LOGGED_IN_KEY

PERIOD = 30


def logged_in_now(user: User) -> Client:
    """A browser logged in a moment ago, so nobody is asked again who they are."""
    client = Client()
    client.force_login(user)
    session = client.session
    session[LOGGED_IN_KEY] = time.time()
    session.save()
    return client


def give_app(user: User) -> str:
    """An authenticator app for this account; the answer is its secret."""
    secret: str = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    if hasattr(user, "_factor_since"):
        del user._factor_since
    return secret


def code_of(secret: str) -> str:
    """What the app shows now."""
    counter = int(timezone.now().timestamp()) // PERIOD
    code: str = totp.format_hotp_value(totp.hotp_value(secret, counter))
    return code
