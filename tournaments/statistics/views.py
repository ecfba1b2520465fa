"""Views of statistics: of an event, and of all finished public events."""

from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page, require_safe

from core.csv_tables import CSV_TYPE
from core.files import attachment_response
from core.page_cache import is_stranger, render_once
from core.rate_limits import rate_limited
from tournaments.statistics import stored_counts
from tournaments.statistics.forms import StatisticsForm
from tournaments.statistics.pages import (
    Statistics,
    sections_of,
    statistics_csv,
    statistics_of_event,
    statistics_of_scope,
)
from tournaments.statistics.queries import Scope
from tournaments.statistics.rules import MIN_FOR_RATE, MIN_GROUP
from tournaments.web.access import EventRequest
from tournaments.web.polling import assets_hash, polled_page, render_event_page


@require_safe
@polled_page
def event_statistics(request: EventRequest) -> HttpResponse:
    """Show the statistics of an event; during play as far as known."""
    context = statistics_context(statistics_of_event(request.event))
    return render_event_page(request, "tournaments/statistics/event.html", "statistics", context)


@require_safe
@polled_page
def event_statistics_csv(request: EventRequest) -> HttpResponse:
    data = statistics_csv(statistics_of_event(request.event).charts)
    return attachment_response(data, f"{request.event.slug}-statistics.csv", CSV_TYPE)


@require_safe
@rate_limited("expensive")
@conditional_page
def site_statistics(request: HttpRequest) -> HttpResponse:
    """Show the statistics of a game, by default of the most frequent; filters are in the URL.

    All anonymous readers share a page that is rendered once per state of its events.
    """
    form, scope = _form_and_scope(request)
    if is_stranger(request):
        place = repr(
            (scope.mark, request.get_host(), request.get_full_path(), get_language(), assets_hash())
        )
        key = f"statistics:{sha256(place.encode()).hexdigest()}"
        response = render_once(
            request, key, 1, lambda: (1, _render_site_page(request, form, scope))
        )
    else:
        response = _render_site_page(request, form, scope)
    patch_cache_control(response, no_cache=True)
    return response


def _render_site_page(request: HttpRequest, form: StatisticsForm, scope: Scope) -> HttpResponse:
    context = {"form": form, **statistics_context(statistics_of_scope(scope))}
    return render(request, "tournaments/statistics/site.html", context)


@require_safe
@rate_limited("expensive")
def site_statistics_csv(request: HttpRequest) -> HttpResponse:
    _, scope = _form_and_scope(request)
    response = attachment_response(
        statistics_csv(statistics_of_scope(scope).charts), "statistics.csv", CSV_TYPE
    )
    patch_cache_control(response, no_cache=True)
    return response


def _form_and_scope(request: HttpRequest) -> tuple[StatisticsForm, Scope]:
    site = stored_counts.site_events()
    form = StatisticsForm(request.GET, site.usual_game)
    return form, stored_counts.scope_of_site(**form.valid_filters, is_large=site.is_large)


def statistics_context(statistics: Statistics) -> dict[str, Any]:
    return {
        "statistics": statistics,
        "sections": sections_of(statistics.charts),
        "least": MIN_FOR_RATE,
        "least_group": MIN_GROUP,
    }
