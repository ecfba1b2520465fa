"""What every API answer shares: pages of lists and one shape of error."""

import re
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler
from rest_framework.views import set_rollback

from core.errors import Refusal
from core.idempotency import KeyNotUsable, KeyUsedOtherwise

REFUSED_WITH = {
    KeyNotUsable: status.HTTP_400_BAD_REQUEST,
    KeyUsedOtherwise: status.HTTP_422_UNPROCESSABLE_ENTITY,
}
COUNTING_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class Pagination(PageNumberPagination):
    """Lists answer {"count", "next", "previous", "results"}.

    A number that is none is a 400 that says what is allowed; a page behind the
    last one is a 404.
    """

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500
    last_page_strings = ()
    invalid_page_message = "There is no page {page_number}. Page 1 is always there."
    page_query_description = "Which page of the list, from 1."
    page_size_query_description = f"How many results on a page, from 1 to {max_page_size}."

    @property
    def parameters(self) -> list[str]:
        """The names of the query parameters that choose a page."""
        return [self.page_query_param, self.page_size_query_param]

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        limits = {self.page_query_param: None, self.page_size_query_param: self.max_page_size}
        wrong = {
            name: [f"Give a whole number from 1{f' to {most}' if most else ''}."]
            for name, most in limits.items()
            if not _is_number(request.query_params.get(name, "1"), most)
        }
        if wrong:
            raise exceptions.ValidationError(wrong)
        return super().paginate_queryset(queryset, request, view)


def _is_number(typed: str, most: int | None) -> bool:
    return bool(COUNTING_NUMBER.fullmatch(typed)) and (most is None or int(typed) <= most)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Errors answer {"code", "detail", "errors"}; a refusal is a 409 unless told otherwise."""
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
        return {"code": "not_found", "detail": "There is nothing at this address.", "errors": {}}
    if isinstance(error, PermissionDenied):
        return {"code": "permission_denied", "detail": "You may not do this.", "errors": {}}
    if isinstance(error, exceptions.ValidationError):
        errors = data if isinstance(data, dict) else {"request": data}
        detail = f"Not right: {', '.join(sorted(errors))}. See errors for what is allowed."
        return {"code": "invalid", "detail": detail, "errors": errors}
    if isinstance(error, exceptions.Throttled):
        seconds = f"{getattr(error, 'wait', None) or 1:.0f} seconds"
        detail = f"Too many requests. Ask again in {seconds}, as Retry-After says."
        return {"code": "throttled", "detail": detail, "errors": {}}
    code = error.default_code if isinstance(error, exceptions.APIException) else "error"
    return {"code": code, "detail": str(data.get("detail", error)), "errors": {}}


class PreconditionFailed(exceptions.APIException):
    """The thing is no longer as the ETag in `If-Match` says."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"
    default_detail = "This has changed since you read it. Read it again, then decide."
