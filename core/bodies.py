"""What a request may bring along, and how much."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict

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


def fields_without_nul(get_response: GetResponse) -> GetResponse:
    """Keep NULs away from the database: nobody types one, and PostgreSQL does not take it.

    A search is made without it; what would be written is answered 400. The API reads its own
    fields and says so in its own form.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):
            return get_response(request)
        if _has_nul(request.GET):
            request.GET = cast(Any, _without_nul(request.GET))
        if _has_nul(request.POST):
            raise BadRequest("A field holds a NUL.")
        return get_response(request)

    return middleware


def _has_nul(fields: QueryDict) -> bool:
    return any("\0" in text for name, values in fields.lists() for text in (name, *values))


def _without_nul(fields: QueryDict) -> QueryDict:
    pairs = [(name, value) for name, values in fields.lists() for value in values]
    clean = [(name.replace("\0", ""), value.replace("\0", "")) for name, value in pairs]
    return QueryDict(urlencode(clean))
