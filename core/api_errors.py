"""Error responses of the API, all in one format."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler
from rest_framework.views import set_rollback

from core.errors import Refusal
from core.idempotency import KeyNotUsable, KeyUsedOtherwise
from core.rate_limits import throttled_error

Row = TypeVar("Row", bound=models.Model)

REFUSAL_STATUSES = {
    KeyNotUsable: status.HTTP_400_BAD_REQUEST,
    KeyUsedOtherwise: status.HTTP_422_UNPROCESSABLE_ENTITY,
}


def not_found(noun: str, key: object) -> Http404:
    """Return the 404 for an object that does not exist or is hidden: both have the same text."""
    return Http404(f"{noun} {key} was not found.")


def get_or_404(rows: models.QuerySet[Row], noun: str, **lookup: object) -> Row:
    """Return the row, or raise a 404 with the last lookup value: "Round 9 was not found."."""
    try:
        return get_object_or_404(rows, **lookup)
    except Http404 as error:
        raise not_found(noun, [*lookup.values()][-1]) from error


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return {"code", "detail", "errors"}; a refusal is a 409 by default."""
    if isinstance(error, Refusal):
        set_rollback()
        body = {"code": error.code, "detail": str(error), "errors": error.details}
        return Response(body, status=REFUSAL_STATUSES.get(type(error), status.HTTP_409_CONFLICT))
    response = default_handler(error, context)
    if response is not None:
        response.data = _error_document(error, response.data)
    return response


def _error_document(error: Exception, data: Any) -> dict[str, Any]:
    if isinstance(error, Http404):
        return {"code": "not_found", "detail": str(error) or "Not found.", "errors": {}}
    if isinstance(error, PermissionDenied):
        return {
            "code": "permission_denied",
            "detail": "You do not have permission to do this.",
            "errors": {},
        }
    if isinstance(error, exceptions.ValidationError):
        errors = data if isinstance(data, dict) else {"request": data}
        return {"code": "invalid", "detail": _validation_detail(errors), "errors": errors}
    if isinstance(error, exceptions.Throttled):
        return throttled_error(getattr(error, "wait", None) or 1)
    code = error.default_code if isinstance(error, exceptions.APIException) else "error"
    return {"code": code, "detail": str(data.get("detail", error)), "errors": {}}


def _validation_detail(errors: Mapping[str, Any]) -> str:
    field_errors = [*_field_errors(errors)]
    missing = sorted({path for path, code in field_errors if code == "required"})
    invalid = sorted({path for path, code in field_errors if code != "required"} - {*missing})
    sentences = [f"Missing: {', '.join(missing)}."] if missing else []
    sentences += [f"Invalid value: {', '.join(invalid)}."] if invalid else []
    return " ".join([*sentences, "See errors for details."])


def _field_errors(errors: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of each invalid field, such as `players.0.name`, with the error code."""
    if isinstance(errors, Mapping):
        for key, inner in errors.items():
            yield from _field_errors(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(errors, list):
        for index, inner in enumerate(errors):
            # The errors of a list's items are a list themselves, with {} for a valid item.
            is_item = isinstance(inner, Mapping | list)
            yield from _field_errors(inner, f"{path}.{index}" if is_item else path)
    else:
        yield path, getattr(errors, "code", "invalid")


@csrf_exempt
def slash_missing(request: HttpRequest) -> HttpResponse:
    """Redirect to the address with a trailing slash; 308 keeps the method and body of a write."""
    # The body names the address too, for clients that do not follow redirects.
    address = request.get_full_path(force_append_slash=True)
    if request.method in SAFE_METHODS:
        return HttpResponsePermanentRedirect(address)
    detail = _(
        "Nothing was changed, because this address must end with a slash. Send the "
        "request to %(address)s."
    ) % {"address": address}
    body = {"code": "slash_missing", "detail": detail, "errors": {}}
    return HttpResponsePermanentRedirect(
        address,
        preserve_request=True,
        content=JSONRenderer().render(body),
        content_type="application/json",
    )


class PreconditionFailed(exceptions.APIException):
    """The object no longer has the ETag in `If-Match`."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"
    default_detail = gettext_lazy(
        "This has changed since you read it. Read it again, then repeat your change."
    )
