"""Addresses for programs that watch the site, answered before anything else looks at the request.

They are asked from within, by whatever name and without https: neither the host nor the scheme
of the request is judged, no session is read, and a site whose data is away still answers.
"""

import hmac
from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import resolve

PATHS = frozenset({"/livez", "/readyz", "/metrics"})
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via")

GetResponse = Callable[[HttpRequest], HttpResponse]


def probes_first(get_response: GetResponse) -> GetResponse:
    """Answer these addresses here; all others go on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info not in PATHS:
            return get_response(request)
        request.resolver_match = resolve(request.path_info)
        response: HttpResponse = request.resolver_match.func(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response

    return middleware


def has_token(request: HttpRequest) -> bool:
    """Whether it brings `Authorization: Bearer` with the token of the settings."""
    wanted: str = settings.METRICS_TOKEN
    told = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(wanted) and hmac.compare_digest(told.encode(), wanted.encode())


def is_from_here(request: HttpRequest) -> bool:
    """Whether it comes from a program on this machine, and from nobody behind a proxy on it."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
