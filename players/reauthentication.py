"""Recent authentication before dangerous actions (ASVS 7.5.1, 7.5.3).

Users with an account must have logged in, or confirmed their identity, within ten minutes. A guest
has no password: the personal link is the only proof, and its phone may do all that a guest may.
"""

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

ProtectedView = Callable[..., HttpResponse]


def _has_account(request: HttpRequest) -> bool:
    return request.user.is_authenticated


def _writes_with_account(request: HttpRequest) -> bool:
    return request.method not in SAFE_METHODS and _has_account(request)


# View decorator: a write from a stale session first requires the password. The session stores the
# submitted form, which is processed afterwards.
fresh_session: Callable[[ProtectedView], ProtectedView] = reauthentication_required(
    enabled=_writes_with_account, app="players"
)

_require_reauthentication: ProtectedView = reauthentication_required(
    lambda request: HttpResponse(), enabled=_has_account, app="players"
)


def needs_reauthentication(request: HttpRequest) -> bool:
    """Return whether the session of an account needs to confirm its identity again."""
    try:
        _require_reauthentication(request)
    except ReauthenticationRequired:
        return True
    return False
