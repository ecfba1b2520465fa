"""Middleware for all account pages."""

from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from core import rate_limits
from core.addresses import counted_address
from players import logins
from players.sessions import SessionStore

ACCOUNT_VIEWS = ("account_", "mfa_")
# Addresses that check or set a password. Logging out and passkeys are cheap.
PASSWORD_PATHS = (
    "/account/login/",
    "/account/signup/",
    "/account/password/",
    "/account/reauthenticate/",
)

GetResponse = Callable[[HttpRequest], HttpResponse]


class SessionMiddleware(middleware.SessionMiddleware):
    """Delete the session cookie only when this request ended the session.

    Django also deletes it when the session is unknown. But a login gives the session a new id, and
    a request that was sent with the old id may be answered after it: deleting the cookie then would
    log the browser out again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        answered: HttpResponse = super().process_response(request, response)
        cookie = answered.cookies.get(settings.SESSION_COOKIE_NAME)
        session = cast(SessionStore, request.session)
        if cookie is not None and not cookie.value and not session.was_ended:
            del answered.cookies[settings.SESSION_COOKIE_NAME]
        return answered


def prevent_caching_account_pages(get_response: GetResponse) -> GetResponse:
    """Keep email addresses and recovery codes out of caches (ASVS 14.3.2)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.view_name.startswith(ACCOUNT_VIEWS):
            add_never_cache_headers(response)
        return response

    return middleware


def limit_password_checks(get_response: GetResponse) -> GetResponse:
    """Limit the simultaneous password checks of an address, as each is expensive; others queue."""
    # Browsers that have logged in before are counted by their account, so that a stranger in the
    # hall cannot lock them out.

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path_info.startswith(PASSWORD_PATHS):
            return get_response(request)
        who = logins.last_account_key(request) or counted_address(request)
        with rate_limits.wait_for_turn("account", who) as has_turn:
            return get_response(request) if has_turn else rate_limits.too_many_requests(request, 1)

    return middleware
