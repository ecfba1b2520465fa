"""Dangerous acts want to know that it is still the same person (ASVS 7.5.1, 7.5.3)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS


def is_stale(request: HttpRequest) -> bool:
    """Whether an account was logged in, or asked again, longer ago than ten minutes.

    A guest has no password to be asked for: the personal link is all there is, and the phone
    that opened it may do what a guest may.
    """
    if not request.user.is_authenticated:
        return False
    stale: bool = is_reauthentication_required(request, app="players")
    return stale


def fresh_session(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose writes ask a stale session for the password first.

    What was posted is kept in the session meanwhile, and done afterwards.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in SAFE_METHODS and is_stale(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return wrapper
