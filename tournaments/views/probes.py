"""What programs that watch the site ask: does it live, can it work, what does it count."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.views.decorators.http import require_safe

from core import metrics
from core.probes import has_token, is_from_here
from tournaments.sheets.readiness import readiness
from tournaments.sheets.site_gauges import site_gauges


@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 while people can work, 503 while not; why is for the token or for this machine."""
    found = readiness()
    document = found.document(with_details=has_token(request) or is_from_here(request))
    status = HTTPStatus.OK if found.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse(document, status=status)


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """The counts, for who has the token; without one in the settings there is no such page."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound(
            "There is nothing at this address.\n", content_type="text/plain"
        )
    if not has_token(request):
        return HttpResponse(
            "The token is missing or wrong.\n",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
            content_type="text/plain",
        )
    return HttpResponse(metrics.exposition(site_gauges()), content_type=metrics.CONTENT_TYPE)
