"""What every account page shares."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

ACCOUNT_VIEWS = ("account_", "mfa_")

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
