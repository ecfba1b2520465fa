"""Stored sums of event counts: per month, and for the whole site.

A sum is outdated if its events differ in number, sum of counted versions, or time of the last
count. An event that becomes public, or moves to another month, is counted again because its version
changed.
"""

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet, Sum, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, TruncMonth

from tournaments.event.queries import matching
from tournaments.models import EventTallies, MonthTallies, SiteTallies, Visibility
from tournaments.statistics.queries.scope import (
    Scope,
    events_by_game,
    over_and_public,
    scope_of,
    usual_game,
)
from tournaments.statistics.queries.stored import add_figures, events_to_count
from tournaments.statistics.rules.stored import Figures, TalliesSum, as_figures

# Maximum of events added up in a request; larger sites show the stored sums.
ADDED_UP_LIVE = 500
FORMAT = Coalesce(KT("deck_rules__format_id"), Value(""), output_field=TextField())


class MonthKey(NamedTuple):
    """A month by its first day, with game and format; "" for events without a format."""

    game: str
    format_id: str
    month: date


class SiteKey(NamedTuple):
    """All months of a game and a format; "" for all formats."""

    game: str
    format_id: str


class SumState(NamedTuple):
    """Number of events in a sum, time of the last count, and sum of versions."""

    events: int
    newest_at: datetime
    versions: int


def months_of_events() -> dict[MonthKey, SumState]:
    """Return the monthly sums that the counted events require."""
    counted = over_and_public().filter(tallies__isnull=False)
    months = counted.annotate(format_id=FORMAT, month=TruncMonth("starts_on"))
    rows = months.values_list(*MonthKey._fields)
    states = rows.annotate(Count("pk"), Max("tallies__counted_at"), Sum("tallies__version"))
    return {MonthKey(*row[:3]): SumState(*row[3:]) for row in states}


def stored_months() -> dict[MonthKey, SumState]:
    rows = MonthTallies.objects.values_list(*MonthKey._fields, *SumState._fields)
    return {MonthKey(*row[:3]): SumState(*row[3:]) for row in rows}


def sites_of_months() -> dict[SiteKey, SumState]:
    """Return the sums of the site that the stored months require."""
    months = MonthTallies.objects.order_by()
    state = (Sum("events"), Max("newest_at"), Sum("versions"))
    games: Iterable[Any] = months.values_list("game", Value("")).annotate(*state)
    formats: Iterable[Any] = months.values_list("game", "format_id").annotate(*state)
    with_format = (row for row in formats if row[1])
    return {SiteKey(*row[:2]): SumState(*row[2:]) for row in [*games, *with_format]}


def stored_sites() -> dict[SiteKey, SumState]:
    rows = SiteTallies.objects.values_list(*SiteKey._fields, *SumState._fields)
    return {SiteKey(*row[:2]): SumState(*row[2:]) for row in rows}


def figures_of_month(key: MonthKey) -> Figures:
    day = {"starts_on__year": key.month.year, "starts_on__month": key.month.month}
    events = over_and_public().filter(game=key.game, **day).annotate(format_id=FORMAT)
    keys = events.filter(format_id=key.format_id).values("pk")
    total = TalliesSum()
    add_figures(total, EventTallies.objects.filter(tournament__in=keys))
    return as_figures(total.tallies({}), total.players)


def figures_of_site(key: SiteKey) -> Figures:
    total = TalliesSum()
    add_figures(total, _of_format(MonthTallies.objects.filter(game=key.game), key.format_id))
    return as_figures(total.tallies({}), ())


def _of_format(months: QuerySet[MonthTallies], format_id: str) -> QuerySet[MonthTallies]:
    return months.filter(format_id=format_id) if format_id else months


def late_by_game() -> dict[str, int]:
    """Count the public events that changed since they were counted, by game."""
    late = events_to_count().filter(visibility=Visibility.PUBLIC)
    return dict(late.order_by().values_list("game").annotate(Count("pk")))


@dataclass(frozen=True)
class SiteEvents:
    """Size and usual game of the site's finished public events. A large site uses stored sums."""

    is_large: bool
    usual_game: str


def site_events() -> SiteEvents:
    """Return the size of the site and its most frequent game."""
    found = events_by_game(over_and_public()[: ADDED_UP_LIVE + 1])
    is_large = sum(found.values()) > ADDED_UP_LIVE
    stored = SiteTallies.objects.filter(format_id="").order_by("-events", "game")
    largest = stored.values_list("game", flat=True).first() if is_large else None
    return SiteEvents(is_large, largest or usual_game(found))


def scope_of_site(
    game: str,
    format_id: str = "",
    since: date | None = None,
    until: date | None = None,
    *,
    is_large: bool,
) -> Scope:
    """Select the finished public events of a game that match.

    On a large site, use stored sums for whole months. Add up single events only in a first or last
    month that the dates cut.
    """
    wanted = {"game": game, "format": format_id, "since": since, "until": until}
    events = matching(over_and_public(), wanted)
    if not is_large:
        return scope_of(events, game)
    divided = Q(pk__in=())
    totals: QuerySet[Any] = SiteTallies.objects.filter(game=game, format_id=format_id)
    if since or until:
        totals = _of_format(MonthTallies.objects.filter(game=game), format_id)
    if since:
        totals = totals.filter(month__gte=since)
        if since.day > 1:
            divided |= _in_month(since)
    if until and until.day == monthrange(until.year, until.month)[1]:
        totals = totals.filter(month__lte=until)
    elif until:
        totals = totals.filter(month__lt=until.replace(day=1))
        divided |= _in_month(until)
    head = SiteTallies.objects.filter(game=game, format_id="").defer("figures").first()
    late = head.late if head else over_and_public().filter(game=game).count()
    state = (head.events, head.newest_at, head.versions) if head else ()
    scope = scope_of(events.filter(divided), game)
    return replace(
        scope,
        mark=repr((scope.mark, *wanted.values(), late, state)),
        late=late,
        counted_at=head.checked_at if head else None,
        totals=totals,
    )


def _in_month(day: date) -> Q:
    return Q(starts_on__year=day.year, starts_on__month=day.month)
