"""An exception handler that fails a test on a 409 missing from the description."""

from typing import Any

from rest_framework.response import Response

from core.api_errors import exception_handler as as_served
from core.api_viewsets import ApiViewSet


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Handle the error as in production, and check the `refusals` of the action."""
    response, view = as_served(error, context), context.get("view")
    is_conflict = response is not None and response.status_code == 409
    if is_conflict and isinstance(view, ApiViewSet) and view.endpoint is not None:
        action_name = f"{type(view).__name__}.{view.action}"
        assert error.code in view.endpoint.codes, f"{action_name} does not name {type(error)}"  # type: ignore[attr-defined]
    return response
