"""Public views of a series: table, events, files and calendar."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.csv_tables import CSV, csv_bytes
from core.downloads import attached
from core.rate_limits import rate_limited
from core.site_address import shared_url
from tournaments.event import queries as event_queries
from tournaments.event.actors import actor_of
from tournaments.interchange.exports import calendars
from tournaments.series import pages, permissions, queries
from tournaments.series.pages import SeriesTable
from tournaments.series.queries import ShownPlayer
from tournaments.series.views.access import SeriesRequest, context_of, series_view
from tournaments.statistics.exports import statistics_csv
from tournaments.statistics.views import shown

ON_A_PAGE = 50
YEAR = timedelta(days=366)


@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    """List public series, newest first, and those that this person runs."""
    actor = actor_of(request)
    found = permissions.known_to(actor).order_by("-pk")
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    figures = queries.figures_of(list(page))
    context = {"page_obj": page, "lines": [(one, figures[one.pk]) for one in page]}
    return render(request, "tournaments/series/list.html", context)


@require_safe
@rate_limited("search")
@conditional_page
@series_view
def series(request: SeriesRequest) -> HttpResponse:
    found, player = request.series, request.actor.player
    table = pages.series_table(found)
    page = Paginator(table.lines, pages.LINES).get_page(request.GET.get("page"))
    mine = table.place_in_list(player)
    to_come = queries.shown_events(found).filter(finished_at=None)
    context = context_of(
        request,
        table=table,
        page_obj=page,
        shown=pages.series_page(found, table, page, player),
        mine=table.lines[mine - 1] if mine else None,
        my_page=(mine - 1) // pages.LINES + 1 if mine else None,
        to_come=to_come[: pages.COLUMNS],
        counting=pages.counting_in_words(found),
        tie_breakers=pages.tie_breakers_in_words(found),
        qualified=pages.qualified_page(found, table.season),
        target=queries.shown_target(found),
    )
    response = render(request, "tournaments/series/series.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@series_view
def series_csv(request: SeriesRequest) -> HttpResponse:
    """Download the whole table as CSV, with three columns per event."""
    table = pages.series_table(request.series)
    names = queries.shown_players(request.series, [line.player for line in table.lines])
    data = csv_bytes(_header(table), _rows(table, names))
    return attached(data, f"{request.series.slug}.csv", CSV)


def _header(table: SeriesTable) -> list[str]:
    heads = ["Place", "Player", "Points", "Events", "Events counted", "Moved"]
    for event in table.events:
        heads += [f"{event.name}: place", f"{event.name}: points", f"{event.name}: counts"]
    return heads


def _rows(table: SeriesTable, names: Mapping[int, ShownPlayer]) -> Iterator[list[object]]:
    for line in table.lines:
        moved = "" if line.moved is None else line.moved
        row: list[object] = [line.place, names[line.player].name, line.points]
        row += [line.played, line.counted, moved]
        for event in table.events:
            cell = line.by_evening.get(event.pk)
            row += [cell.place, cell.points, cell.counts] if cell else ["", "", ""]
        yield row


@require_safe
@rate_limited("expensive")
@conditional_page
@series_view
def series_statistics(request: SeriesRequest) -> HttpResponse:
    """Show statistics of the finished events of the series, for their usual game."""
    context = context_of(request, **shown(pages.season_statistics(request.series)))
    response = render(request, "tournaments/series/statistics.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@series_view
def series_statistics_csv(request: SeriesRequest) -> HttpResponse:
    data = statistics_csv(pages.season_statistics(request.series).charts)
    response = attached(data, f"{request.series.slug}-statistics.csv", CSV)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@conditional_page
@series_view
def series_calendar(request: SeriesRequest) -> HttpResponse:
    since = timezone.localdate() - YEAR
    entries = [
        calendars.Entry(
            event,
            shared_url(request, event.get_absolute_url()),
            event.newest_round_at,  # type: ignore[attr-defined]
        )
        for event in event_queries.for_calendar(queries.shown_events(request.series), since=since)
    ]
    data = calendars.calendar(entries, request.series.name)
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    patch_cache_control(response, no_cache=True)
    return response
