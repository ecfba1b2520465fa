"""Dangerous acts want to know that it is still the same person (ASVS 7.5.1, 7.5.3).

Whoever has an account was logged in, or asked again, within ten minutes. A guest has no password
to be asked for: the personal link is all there is, and the phone that opened it may do what a
guest may.
"""

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

View = Callable[..., HttpResponse]


def _has_account(request: HttpRequest) -> bool:
    return request.user.is_authenticated


def _writes_with_account(request: HttpRequest) -> bool:
    return request.method not in SAFE_METHODS and _has_account(request)


fresh_session: Callable[[View], View] = reauthentication_required(
    enabled=_writes_with_account, app="players"
)
"""A view whose writes ask a stale session for the password first.

What was posted is kept in the session meanwhile, and done afterwards.
"""

_ask: View = reauthentication_required(
    lambda request: HttpResponse(), enabled=_has_account, app="players"
)


def is_stale(request: HttpRequest) -> bool:
    """Whether the session of an account has to be asked again."""
    try:
        _ask(request)
    except ReauthenticationRequired:
        return True
    return False
