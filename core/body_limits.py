"""Limits on the content of requests."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

# Limit for all addresses except those in settings.BODY_LIMITS (ASVS 5.2.1).
MAX_BYTES = 256 * 1024

GetResponse = Callable[[HttpRequest], HttpResponse]


def max_bytes(path: str) -> int:
    try:
        name = resolve(path).view_name
    except Resolver404:
        return MAX_BYTES
    limits: dict[str, int] = settings.BODY_LIMITS
    return limits.get(name, MAX_BYTES)


def is_allowed_length(length: int, path: str) -> bool:
    # Small bodies need no URL look-up.
    least = min(MAX_BYTES, *settings.BODY_LIMITS.values())
    return length <= least or length <= max_bytes(path)


def limit_bodies(get_response: GetResponse) -> GetResponse:
    """Middleware that answers 413 to a body too large for its address, before parsing it."""
    # Django limits the fields of a form, but writes an upload of any size to disk.

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length == "0":
            return get_response(request)
        is_number = length.isdecimal() and len(length) < 10
        if is_number and is_allowed_length(int(length), request.path_info):
            return get_response(request)
        status, most = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, max_bytes(request.path_info)
        detail = _("The request is too large. The limit is %(most)s bytes.") % {
            "most": format(most, ",")
        }
        if request.path_info.startswith("/api/"):
            body = {"code": "too_large", "detail": detail, "errors": {}}
            return JsonResponse(body, status=status)
        if request.accepts("text/html"):
            # Without the request: no user is known yet, and no session was read.
            return HttpResponse(render_to_string("413.html", {"most": most}), status=status)
        return HttpResponse(f"{detail}\n", content_type="text/plain; charset=utf-8", status=status)

    return middleware


def reject_nul_characters(get_response: GetResponse) -> GetResponse:
    """Middleware that removes NUL from searches and answers 400 to forms with it."""
    # PostgreSQL does not accept NUL. The API checks its own fields, in its own format.

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):
            return get_response(request)
        if _has_nul(request.GET):
            fields = [
                (name.replace("\0", ""), value.replace("\0", ""))
                for name, values in request.GET.lists()
                for value in values
            ]
            request.GET = cast(Any, QueryDict(urlencode(fields)))
        if _has_nul(request.POST):
            raise BadRequest(_("A field contains a NUL character. Remove it."))
        return get_response(request)

    return middleware


def _has_nul(fields: QueryDict) -> bool:
    return any("\0" in text for name, values in fields.lists() for text in (name, *values))
