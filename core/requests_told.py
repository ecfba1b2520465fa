"""Each request gets a number, which every line about it and its answer carry; and is counted."""

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPStatus
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core import metrics

HEADER = "X-Request-ID"
NUMBER = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
NOWHERE = "nowhere"
"""The route of an address that does not exist."""

logger = logging.getLogger("datafort.requests")
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_number: ContextVar[str] = ContextVar("number", default="")

GetResponse = Callable[[HttpRequest], HttpResponse]


def current() -> str:
    """The number of the request this thread answers; "" where it answers none."""
    return _number.get()


def current_request() -> HttpRequest | None:
    """The request this thread answers."""
    return _request.get()


def route_of(request: HttpRequest) -> str:
    """The name of the address, without what stands in it: no slug, no name, no secret."""
    match = getattr(request, "resolver_match", None)
    return (match.view_name or match.route) if match else NOWHERE


def requests_told(get_response: GetResponse) -> GetResponse:
    """The outermost middleware: one line for each request, without its address.

    What is asked again and again (polls, pages) is told at the level DEBUG, all that writes or
    goes wrong at INFO.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        number = _number_of(request)
        tokens = _request.set(request), _number.set(number)
        began = perf_counter()
        try:
            response = get_response(request)
            _tell(request, response, perf_counter() - began)
        finally:
            _request.reset(tokens[0])
            _number.reset(tokens[1])
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            # A poll that finds nothing new weighs as little as it can.
            response[HEADER] = number
        return response

    return middleware


def _number_of(request: HttpRequest) -> str:
    """That of the proxy, where there is one that is trusted."""
    told = request.headers.get(HEADER, "")
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT and NUMBER.fullmatch(told):
        return told
    return secrets.token_hex(8)


def _tell(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    route, method = route_of(request), request.method or ""
    metrics.count_request(route, method, response.status_code, seconds)
    is_usual = method in ("GET", "HEAD") and response.status_code < 400
    told = {
        "method": method,
        "route": route,
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
    }
    logger.log(logging.DEBUG if is_usual else logging.INFO, "request", extra=told)
