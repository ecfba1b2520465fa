"""The one shape in which the API answers errors."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler
from rest_framework.views import set_rollback

from core.errors import Refusal
from core.idempotency import KeyNotUsable, KeyUsedOtherwise
from core.text import counted

REFUSED_WITH = {
    KeyNotUsable: status.HTTP_400_BAD_REQUEST,
    KeyUsedOtherwise: status.HTTP_422_UNPROCESSABLE_ENTITY,
}


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Errors answer {"code", "detail", "errors"}; a refusal is a 409 by default."""
    if isinstance(error, Refusal):
        set_rollback()
        body = {"code": error.code, "detail": str(error), "errors": error.details}
        return Response(body, status=REFUSED_WITH.get(type(error), status.HTTP_409_CONFLICT))
    response = default_handler(error, context)
    if response is not None:
        response.data = _problem(error, response.data)
    return response


def _problem(error: Exception, data: Any) -> dict[str, Any]:
    if isinstance(error, Http404):
        return {"code": "not_found", "detail": "Page not found.", "errors": {}}
    if isinstance(error, PermissionDenied):
        return {"code": "permission_denied", "detail": "You may not do this.", "errors": {}}
    if isinstance(error, exceptions.ValidationError):
        errors = data if isinstance(data, dict) else {"request": data}
        detail = f"Invalid value: {', '.join(sorted(errors))}. See errors for what is allowed."
        return {"code": "invalid", "detail": detail, "errors": errors}
    if isinstance(error, exceptions.Throttled):
        seconds = counted(round(getattr(error, "wait", None) or 1), "second")
        detail = f"Too many requests. Try again in {seconds} (see Retry-After)."
        return {"code": "throttled", "detail": detail, "errors": {}}
    code = error.default_code if isinstance(error, exceptions.APIException) else "error"
    return {"code": code, "detail": str(data.get("detail", error)), "errors": {}}


class PreconditionFailed(exceptions.APIException):
    """The thing is no longer as the ETag in `If-Match` says."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"
    default_detail = "This has changed since you read it. Read it again before you change it."
