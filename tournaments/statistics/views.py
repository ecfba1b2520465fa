"""Views of statistics: of an event, and of all finished public events."""

from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.csv_tables import CSV
from core.downloads import attached
from core.kept_pages import is_stranger, rendered_once
from core.rate_limits import rate_limited
from tournaments.statistics import queries
from tournaments.statistics.exports import statistics_csv
from tournaments.statistics.forms import StatisticsForm
from tournaments.statistics.pages.drawing import sections_of
from tournaments.statistics.pages.figures import (
    Statistics,
    statistics_of_event,
    statistics_of_scope,
)
from tournaments.statistics.queries import Scope
from tournaments.statistics.rules.rates import LEAST_FOR_A_RATE, LEAST_GROUP
from tournaments.web.views.access import EventRequest
from tournaments.web.views.polling import event_page, look, polled


@require_safe
@polled
def event(request: EventRequest) -> HttpResponse:
    """Show the statistics of an event; during play as far as known."""
    context = shown(statistics_of_event(request.event))
    return event_page(request, "tournaments/statistics/event.html", "statistics", context)


@require_safe
@polled
def event_csv(request: EventRequest) -> HttpResponse:
    data = statistics_csv(statistics_of_event(request.event).charts)
    return attached(data, f"{request.event.slug}-statistics.csv", CSV)


@require_safe
@rate_limited("expensive")
@conditional_page
def site(request: HttpRequest) -> HttpResponse:
    """Show the statistics of a game, by default of the most frequent; filters are in the URL.

    All anonymous readers share a page that is rendered once per state of its events.
    """
    form, scope = _asked(request)
    if is_stranger(request):
        place = repr((scope.mark, request.get_host(), request.get_full_path(), look()))
        key = f"statistics:{sha256(place.encode()).hexdigest()}"
        response = rendered_once(request, key, 1, lambda: (1, _site_page(request, form, scope)))
    else:
        response = _site_page(request, form, scope)
    patch_cache_control(response, no_cache=True)
    return response


def _site_page(request: HttpRequest, form: StatisticsForm, scope: Scope) -> HttpResponse:
    context = {"form": form, **shown(statistics_of_scope(scope))}
    return render(request, "tournaments/statistics/site.html", context)


@require_safe
@rate_limited("expensive")
def site_csv(request: HttpRequest) -> HttpResponse:
    _, scope = _asked(request)
    response = attached(statistics_csv(statistics_of_scope(scope).charts), "statistics.csv", CSV)
    patch_cache_control(response, no_cache=True)
    return response


def _asked(request: HttpRequest) -> tuple[StatisticsForm, Scope]:
    site = queries.site_events()
    form = StatisticsForm(request.GET, site.usual_game)
    return form, queries.scope_of_site(**form.wanted, is_large=site.is_large)


def shown(statistics: Statistics) -> dict[str, Any]:
    """Return the context of `_statistics.html`."""
    return {
        "statistics": statistics,
        "sections": sections_of(statistics.charts),
        "least": LEAST_FOR_A_RATE,
        "least_group": LEAST_GROUP,
    }
