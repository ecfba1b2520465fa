"""Monitoring probes and the operations page.

Probes come from the internal network, with any host name and without https. They are answered
before any middleware reads the request, so they need neither a session nor the database.
"""

import hmac
from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from ipaddress import ip_address

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import resolve
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_prometheus.exports import ExportToDjangoView
from django_prometheus.middleware import PrometheusAfterMiddleware
from prometheus_client import generate_latest

from players import factors
from tournaments.event import services as event_services
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import actor_of
from tournaments.models import Job
from tournaments.ops import queries
from tournaments.web.staff_pages import READ, WRITE, show_refusals

PROBE_PATHS = frozenset({"/livez", "/readyz", "/metrics"})
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via")
KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

View = Callable[..., HttpResponse]
GetResponse = Callable[[HttpRequest], HttpResponse]


def probes_first(get_response: GetResponse) -> GetResponse:
    """Middleware that answers probe URLs itself and passes all other requests on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info not in PROBE_PATHS:
            return get_response(request)
        request.resolver_match = resolve(request.path_info)
        response: HttpResponse = request.resolver_match.func(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response

    return middleware


class RequestMetrics(PrometheusAfterMiddleware):
    """Like django-prometheus, but unknown HTTP methods share one series."""

    def label_metric(self, metric, request, response=None, **labels):  # type: ignore[no-untyped-def]
        if labels.get("method", "GET") not in KNOWN_METHODS:
            labels["method"] = "other"
        return super().label_metric(metric, request, response, **labels)


@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """Liveness probe: answers if the process runs, without further checks."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Readiness probe: 200 or 503. Details require the token or a request from this machine."""
    from tournaments.ops import pages  # the checks are slow to load

    document = pages.health_document(with_details=has_token(request) or is_local_request(request))
    is_red = document["status"] == "red"
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_red else HTTPStatus.OK
    return JsonResponse(document, status=status)


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Metrics, which require the token; 404 if the settings have none."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound("Page not found.\n", content_type="text/plain")
    if not has_token(request):
        return HttpResponse(
            "The token is missing or wrong.\n",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
            content_type="text/plain",
        )
    from tournaments.ops import pages  # the checks are slow to load

    response: HttpResponse = ExportToDjangoView(request)
    response.write(generate_latest(pages.SITE_REGISTRY))
    return response


def has_token(request: HttpRequest) -> bool:
    """Check `Authorization: Bearer` against METRICS_TOKEN."""
    expected: str = settings.METRICS_TOKEN
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(expected) and hmac.compare_digest(sent.encode(), expected.encode())


def is_local_request(request: HttpRequest) -> bool:
    """Return True for a direct request from this machine, not one through a proxy."""
    if any(name in request.headers for name in FORWARDING_HEADERS):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def operators_only(methods: Sequence[str]) -> Callable[[View], View]:
    """Require a site administrator with two-factor authentication."""

    def decorate(view: View) -> View:
        @never_cache
        @require_http_methods(methods)
        @login_required
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            user = request.user
            if not user.is_authenticated or not user.is_superuser:
                raise PermissionDenied
            if not factors.is_administrator(user):
                messages.warning(
                    request, _("Set up two-factor authentication to open the operations page.")
                )
                return redirect("mfa_index")
            return view(request, *args, **kwargs)

        return wrapper

    return decorate


@operators_only(READ)
def operations_page(request: HttpRequest) -> HttpResponse:
    from tournaments.ops import pages  # the checks are slow to load

    page = pages.operations_page()
    context = {
        "page": page,
        "problems": page.problems,
        "processes": pages.process_states(),
        "settings": pages.site_settings(),
        "versions": pages.versions(),
        "disks": [{"label": pages.DISK_ROLES[space.role], "space": space} for space in page.disks],
        "shown_logins": page.refused_logins.newest[: pages.MAX_LOGINS_LISTED],
        "checked_at": timezone.now(),
    }
    return render(request, "tournaments/ops/operations.html", context)


@operators_only(WRITE)
def retry_job(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(Job, pk=pk)
    with show_refusals(request):
        event_services.retry_job(job, actor_of(request))
        messages.success(request, _("The job has been queued again."))
    return redirect("tournaments:operations")


@operators_only(WRITE)
def retry_jobs(request: HttpRequest) -> HttpResponse:
    from tournaments.ops import pages  # the checks are slow to load

    retried = 0
    refusals: set[str] = set()
    for job in queries.failed_jobs()[: pages.MAX_ROWS_PER_TABLE]:
        try:
            event_services.retry_job(job, actor_of(request))
            retried += 1
        except EventIsFinished as refusal:
            refusals.add(f"{job.tournament}: {refusal}")
    message = ngettext(
        "%(number)d job has been queued again.", "%(number)d jobs have been queued again.", retried
    )
    messages.success(request, message % {"number": retried})
    for reason in sorted(refusals):
        messages.error(request, reason)
    return redirect("tournaments:operations")


@operators_only(WRITE)
def delete_job(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(Job, pk=pk)
    with show_refusals(request):
        event_services.delete_job(job, actor_of(request))
        messages.success(request, _("The job was deleted."))
    return redirect("tournaments:operations")
