"""What programs that watch the site ask: does it live, can it work, what does it count.

They are asked from within, by whatever name and without https, so they are answered before
anything else looks at the request: no session is read, and a site whose data is away answers.
"""

import hmac
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.urls import resolve
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView
from django_prometheus.middleware import PrometheusAfterMiddleware
from prometheus_client import generate_latest

PATHS = frozenset({"/livez", "/readyz", "/metrics"})
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

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


class RequestMetrics(PrometheusAfterMiddleware):
    """As django-prometheus counts, but without a series for each method somebody makes up."""

    def label_metric(self, metric, request, response=None, **labels):  # type: ignore[no-untyped-def]
        if labels.get("method", "GET") not in METHODS:
            labels["method"] = "other"
        return super().label_metric(metric, request, response, **labels)


@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 while people can work, 503 while not; why is for the token or for this machine."""
    from tournaments.operations import pages  # the checks are slow to load

    document = pages.document(with_details=has_token(request) or is_from_here(request))
    is_red = document["status"] == "red"
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_red else HTTPStatus.OK
    return JsonResponse(document, status=status)


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """The counts, for who has the token; without one in the settings there is no such page."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound("Page not found.\n", content_type="text/plain")
    if not has_token(request):
        return HttpResponse(
            "The token is missing or wrong.\n",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
            content_type="text/plain",
        )
    from tournaments.operations import pages  # the checks are slow to load

    response: HttpResponse = ExportToDjangoView(request)
    response.write(generate_latest(pages.SITE))
    return response


def has_token(request: HttpRequest) -> bool:
    """Whether it brings `Authorization: Bearer` with the token of the settings."""
    wanted: str = settings.METRICS_TOKEN
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(wanted) and hmac.compare_digest(sent.encode(), wanted.encode())


def is_from_here(request: HttpRequest) -> bool:
    """Whether it comes from a program on this machine, and from nobody behind a proxy on it."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
