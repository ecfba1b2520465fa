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
from tournaments.interchange.exports import calendars
from tournaments.series import pages, permissions, queries
from tournaments.series.pages import SeriesTable
from tournaments.series.queries import ShownPlayer
from tournaments.series.views.access import context_of, series_or_404
from tournaments.statistics.exports import statistics_csv
from tournaments.statistics.views import shown
from tournaments.web.views.access import actor_of

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
def series(request: HttpRequest, series: str) -> HttpResponse:
    found, actor = series_or_404(request, series)
    table = pages.series_table(found)
    page = Paginator(table.lines, pages.LINES).get_page(request.GET.get("page"))
    mine = table.place_in_list(actor.player)
    to_come = queries.shown_events(found).filter(finished_at=None)
    context = context_of(
        found,
        actor,
        table=table,
        page_obj=page,
        shown=pages.series_page(found, table, page, actor.player),
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
def series_csv(request: HttpRequest, series: str) -> HttpResponse:
    """Download the whole table as CSV, with three columns per event."""
    found, _ = series_or_404(request, series)
    table = pages.series_table(found)
    names = queries.shown_players(found, [line.player for line in table.lines])
    data = csv_bytes(_header(table), _rows(table, names))
    return attached(data, f"{found.slug}.csv", CSV)


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
def series_statistics(request: HttpRequest, series: str) -> HttpResponse:
    """Show statistics of the finished events of the series, for their usual game."""
    found, actor = series_or_404(request, series)
    context = context_of(found, actor, **shown(pages.season_statistics(found)))
    response = render(request, "tournaments/series/statistics.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
def series_statistics_csv(request: HttpRequest, series: str) -> HttpResponse:
    found, _ = series_or_404(request, series)
    data = statistics_csv(pages.season_statistics(found).charts)
    response = attached(data, f"{found.slug}-statistics.csv", CSV)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@rate_limited("expensive")
@conditional_page
def series_calendar(request: HttpRequest, series: str) -> HttpResponse:
    found, _ = series_or_404(request, series)
    since = timezone.localdate() - YEAR
    entries = [
        calendars.Entry(
            event,
            shared_url(request, event.get_absolute_url()),
            event.newest_round_at,  # type: ignore[attr-defined]
        )
        for event in event_queries.for_calendar(queries.shown_events(found), since=since)
    ]
    data = calendars.calendar(entries, found.name)
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    patch_cache_control(response, no_cache=True)
    return response
