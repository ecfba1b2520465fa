"""How much a request may bring along."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

MOST_BYTES = 2 * 1024 * 1024

GetResponse = Callable[[HttpRequest], HttpResponse]


def bodies_limited(get_response: GetResponse) -> GetResponse:
    """Answer 413 to a body over 2 MB before anything of it is read or kept.

    Django limits what a form says, but writes an upload of any size to disk
    before a view is asked. A body without a length counts as none.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and len(length) < 10 and int(length) <= MOST_BYTES:
            return get_response(request)
        return HttpResponse(
            f"Too large: a request may bring {MOST_BYTES:,} bytes.\n",
            content_type="text/plain; charset=utf-8",
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )

    return middleware
