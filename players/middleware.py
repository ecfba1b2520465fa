"""What every account page shares."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from core import limits
from core.addresses import counted_address

ACCOUNT_VIEWS = ("account_", "mfa_")
ACCOUNT_PATH = "/account/"

GetResponse = Callable[[HttpRequest], HttpResponse]


def account_pages_unstored(get_response: GetResponse) -> GetResponse:
    """Keep mail addresses and recovery codes out of every cache (ASVS 14.3.2)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.view_name.startswith(ACCOUNT_VIEWS):
            add_never_cache_headers(response)
        return response

    return middleware


def few_passwords_at_once(get_response: GetResponse) -> GetResponse:
    """Take a few forms of account pages at once from an address: a password is dear to check.

    How many came before counts for nothing, so a hall of phones logs in one after the other.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path_info.startswith(ACCOUNT_PATH):
            return get_response(request)
        with limits.at_once("account", counted_address(request)) as is_free:
            return get_response(request) if is_free else limits.too_many(request, 1)

    return middleware
