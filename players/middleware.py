"""Middleware for all account pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from core import rate_limits
from core.client_addresses import counted_address
from players import devices

ACCOUNT_VIEWS = ("account_", "mfa_")
# Addresses that check or set a password. Logging out and passkeys are cheap.
PASSWORDS = (
    "/account/login/",
    "/account/signup/",
    "/account/password/",
    "/account/reauthenticate/",
)

GetResponse = Callable[[HttpRequest], HttpResponse]


def account_pages_unstored(get_response: GetResponse) -> GetResponse:
    """Prevent caching of email addresses and recovery codes (ASVS 14.3.2)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.view_name.startswith(ACCOUNT_VIEWS):
            add_never_cache_headers(response)
        return response

    return middleware


def few_passwords_at_once(get_response: GetResponse) -> GetResponse:
    """Limit the simultaneous password checks of an address, as each is expensive; others queue.

    Their number in a minute is not limited. Browsers that have logged in before are counted by
    their account, so that a stranger in the hall cannot lock them out.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path_info.startswith(PASSWORDS):
            return get_response(request)
        who = devices.last_known(request) or counted_address(request)
        with rate_limits.queued("account", who) as has_turn:
            return get_response(request) if has_turn else rate_limits.too_many(request, 1)

    return middleware
