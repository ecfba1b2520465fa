"""Recent authentication before dangerous actions (ASVS 7.5.1, 7.5.3)."""

# Accounts must have logged in, or confirmed their identity, within ten minutes. A guest has no
# password: the personal link is the only proof, and its phone may do all that a guest may.

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

ProtectedView = Callable[..., HttpResponse]


# View decorator: a write from a stale session first requires the password. The session stores the
# submitted form, which is processed afterwards.
fresh_session: Callable[[ProtectedView], ProtectedView] = reauthentication_required(
    enabled=lambda request: request.method not in SAFE_METHODS and request.user.is_authenticated,
    app="players",
)

_require_reauthentication: ProtectedView = reauthentication_required(
    lambda request: HttpResponse(),
    enabled=lambda request: request.user.is_authenticated,
    app="players",
)


def needs_reauthentication(request: HttpRequest) -> bool:
    try:
        _require_reauthentication(request)
    except ReauthenticationRequired:
        return True
    return False
