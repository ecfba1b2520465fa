"""The 503 response while the database is down, locked or full."""

# The page for a person repeats the form, ready to be sent again. Polls and programs get a sentence.

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views import defaults

from core import logs
from core.database import DatabaseTrouble, find_trouble

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponse]
# Seconds, for Retry-After.
RETRY_AFTER_SECONDS = {DatabaseTrouble.BUSY: 5, DatabaseTrouble.GONE: 10, DatabaseTrouble.FULL: 60}


class DatabaseOutageMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        trouble = find_trouble(error)
        if trouble is None:
            return None
        logger.error("503 to %s %s: %s", request.method, logs.route_of(request), trouble.name)
        return answer_503(request, trouble)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: 503 if the database failed outside of a view."""
    error = sys.exc_info()[1]
    trouble = find_trouble(error) if error is not None else None
    if trouble is not None:
        return answer_503(request, trouble)
    if not request.path_info.startswith("/api/"):
        return defaults.server_error(request)
    number = logs.request_id()
    detail = gettext(
        "Something went wrong. Report the number %(number)s to the site's administrator."
    ) % {"number": number}
    body = {"code": "error", "detail": detail, "errors": {"request": [number]}}
    return JsonResponse(body, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: 503 if the session could not be saved."""
    trouble = find_trouble(exception)
    if trouble is None:
        return defaults.bad_request(request, exception)
    return answer_503(request, trouble)


def answer_503(request: HttpRequest, trouble: DatabaseTrouble) -> HttpResponse:
    """Return a page, JSON for a program, or a sentence for a poll."""
    response = _unavailable_response(request, trouble)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS[trouble])
    response["Cache-Control"] = "no-store"
    return response


def _unavailable_response(request: HttpRequest, trouble: DatabaseTrouble) -> HttpResponse:
    status, words = HTTPStatus.SERVICE_UNAVAILABLE, gettext(trouble.value)
    if request.path_info.startswith("/api/") or not request.accepts("text/html"):
        detail = gettext("%(words)s Your request may not have been saved. Try again later.") % {
            "words": words
        }
        return JsonResponse({"code": "unavailable", "detail": detail, "errors": {}}, status=status)
    if "X-Fragment" in request.headers or "HX-Request" in request.headers:
        return HttpResponse(words, content_type="text/plain; charset=utf-8", status=status)
    context = {
        "words": words,
        "again_after": RETRY_AFTER_SECONDS[trouble],
        **_form_context(request),
    }
    # Without the request: its user is in the database.
    return HttpResponse(render_to_string("503.html", context), status=status)


def _form_context(request: HttpRequest) -> dict[str, object]:
    """Return the fields of the submitted form for the page, without passwords and files."""
    if request.method in ("GET", "HEAD"):
        return {"is_form": False}
    about = {"is_form": True, "address": request.get_full_path()}
    try:
        # Includes the CSRF token: the page gets no new token.
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        files = bool(request.FILES)
    except (BadRequest, SuspiciousOperation, OSError):
        # The body cannot be read, or there is no space to store it.
        return about
    if files:
        return {**about, "has_files": True}
    if any("password" in name.lower() for name, _ in fields):
        return about
    return {**about, "fields": fields}
