"""Stored counts of events, and their sum."""

from calendar import monthrange
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet, Sum, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, TruncMonth
from django.utils import timezone

from tournaments.models import EventTallies, MonthTallies, SiteTallies, Tournament, Visibility
from tournaments.statistics import queries
from tournaments.statistics.queries import (
    Scope,
    event_counts_by_game,
    finished_public_events,
    registrations_that_played,
    scope_of,
    usual_game,
)
from tournaments.statistics.tallies import StoredTallies, Tallies, TalliesSum, tallies_as_json

# Rows per query, so that no query takes long with many events.
ROWS_AT_ONCE = 500


def events_to_count() -> QuerySet[Tournament]:
    """Return finished events with missing or outdated counts, latest first."""
    old = (
        Q(tallies=None) | ~Q(tallies__version=F("version")) | Q(tallies__until__lte=timezone.now())
    )
    events = Tournament.objects.filter(old, finished_at__isnull=False, practice_of=None)
    return events.order_by("-finished_at", "-pk")


def scope_of_finished(game: str, events: Collection[int]) -> Scope:
    return Scope(
        game=game,
        events=events,
        with_decks=events,
        number=len(events),
        hides_small=False,
        mark="",
    )


def figures_of_scope(scope: Scope) -> StoredTallies:
    """Count these events, completely enough for a sum."""
    tallies = queries.count_scope(scope)
    if queries.has_sides(scope.game):
        # Left out for single events without identities or cards, but needed in the sum.
        tallies = replace(
            tallies,
            meetings=queries.match_up_counts(scope),
            decks=queries.public_deck_counts(scope),
        )
    players = registrations_that_played(scope.events).values_list("player", flat=True).distinct()
    return tallies_as_json(tallies, list(players))


def add_figures(total: TalliesSum, rows: QuerySet[Any]) -> None:
    # The figures of all rows at once could exceed the memory.
    for figures in rows.values_list("figures", flat=True).iterator():
        total.add(figures)


def sum_of_scope(scope: Scope) -> Tallies:
    """Add up the stored counts of the scope, and count the events without any."""
    total = TalliesSum()
    if scope.totals is not None:
        add_figures(total, scope.totals)
    stored = sorted(scope.stored)
    for start in range(0, len(stored), ROWS_AT_ONCE):
        rows = EventTallies.objects.filter(tournament__in=stored[start : start + ROWS_AT_ONCE])
        add_figures(total, rows)
    if uncounted := [key for key in scope.events if key not in scope.stored]:
        over = set(scope.with_decks)
        live = scope_of_finished(scope.game, uncounted)
        total.add(
            figures_of_scope(replace(live, with_decks=[key for key in uncounted if key in over]))
        )
    if not queries.has_sides(scope.game):
        return total.tallies(queries.pod_faction_names())
    tallies = total.tallies(queries.faction_names(scope.game, total.identities))
    return replace(
        tallies,
        meetings=tallies.meetings if tallies.entries else [],
        decks=tallies.decks if tallies.cards else {},
    )


# Stored sums of event counts: per month, and for the whole site.


# Maximum of events added up in a request; larger sites show the stored sums.
ADDED_UP_LIVE = 500
FORMAT_ID = Coalesce(KT("deck_rules__format_id"), Value(""), output_field=TextField())


class MonthKey(NamedTuple):
    game: str
    # "" for events without a format.
    format_id: str
    # The first day.
    month: date


class SiteKey(NamedTuple):
    game: str
    # "" for all formats.
    format_id: str


class SumState(NamedTuple):
    events: int
    newest_at: datetime
    # The sum of the versions of the events.
    versions: int


def required_month_sums() -> dict[MonthKey, SumState]:
    counted = finished_public_events().filter(tallies__isnull=False)
    months = counted.annotate(format_id=FORMAT_ID, month=TruncMonth("starts_on"))
    rows = months.values_list(*MonthKey._fields)
    states = rows.annotate(Count("pk"), Max("tallies__counted_at"), Sum("tallies__version"))
    return {MonthKey(*row[:3]): SumState(*row[3:]) for row in states}


def stored_month_sums() -> dict[MonthKey, SumState]:
    rows = MonthTallies.objects.values_list(*MonthKey._fields, *SumState._fields)
    return {MonthKey(*row[:3]): SumState(*row[3:]) for row in rows}


def required_site_sums() -> dict[SiteKey, SumState]:
    months = MonthTallies.objects.order_by()
    state = (Sum("events"), Max("newest_at"), Sum("versions"))
    games: Iterable[Any] = months.values_list("game", Value("")).annotate(*state)
    formats: Iterable[Any] = months.values_list("game", "format_id").annotate(*state)
    with_format = (row for row in formats if row[1])
    return {SiteKey(*row[:2]): SumState(*row[2:]) for row in [*games, *with_format]}


def stored_site_sums() -> dict[SiteKey, SumState]:
    rows = SiteTallies.objects.values_list(*SiteKey._fields, *SumState._fields)
    return {SiteKey(*row[:2]): SumState(*row[2:]) for row in rows}


def figures_of_month(key: MonthKey) -> StoredTallies:
    day = {"starts_on__year": key.month.year, "starts_on__month": key.month.month}
    events = finished_public_events().filter(game=key.game, **day).annotate(format_id=FORMAT_ID)
    keys = events.filter(format_id=key.format_id).values("pk")
    total = TalliesSum()
    add_figures(total, EventTallies.objects.filter(tournament__in=keys))
    return tallies_as_json(total.tallies({}), total.players)


def figures_of_site(key: SiteKey) -> StoredTallies:
    total = TalliesSum()
    add_figures(total, _months_of_format(MonthTallies.objects.filter(game=key.game), key.format_id))
    return tallies_as_json(total.tallies({}), ())


def _months_of_format(months: QuerySet[MonthTallies], format_id: str) -> QuerySet[MonthTallies]:
    return months.filter(format_id=format_id) if format_id else months


def late_events_by_game() -> dict[str, int]:
    """Count the public events that changed since they were counted, by game."""
    late = events_to_count().filter(visibility=Visibility.PUBLIC)
    return dict(late.order_by().values_list("game").annotate(Count("pk")))


@dataclass(frozen=True)
class SiteEvents:
    # A large site uses stored sums.
    is_large: bool
    usual_game: str


def site_events() -> SiteEvents:
    by_game = event_counts_by_game(finished_public_events()[: ADDED_UP_LIVE + 1])
    is_large = sum(by_game.values()) > ADDED_UP_LIVE
    stored = SiteTallies.objects.filter(format_id="").order_by("-events", "game")
    largest = stored.values_list("game", flat=True).first() if is_large else None
    return SiteEvents(is_large, largest or usual_game(by_game))


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
    filters = {"game": game, "format": format_id, "since": since, "until": until}
    events = finished_public_events().matching(filters)
    if not is_large:
        return scope_of(events, game)
    divided = Q(pk__in=())
    totals: QuerySet[Any] = SiteTallies.objects.filter(game=game, format_id=format_id)
    if since or until:
        totals = _months_of_format(MonthTallies.objects.filter(game=game), format_id)
    if since:
        totals = totals.filter(month__gte=since)
        if since.day > 1:
            divided |= _starts_in_month(since)
    if until and until.day == monthrange(until.year, until.month)[1]:
        totals = totals.filter(month__lte=until)
    elif until:
        totals = totals.filter(month__lt=until.replace(day=1))
        divided |= _starts_in_month(until)
    head = SiteTallies.objects.filter(game=game, format_id="").defer("figures").first()
    late = head.late if head else finished_public_events().filter(game=game).count()
    state = (head.events, head.newest_at, head.versions) if head else ()
    scope = scope_of(events.filter(divided), game)
    return replace(
        scope,
        mark=repr((scope.mark, *filters.values(), late, state)),
        late=late,
        counted_at=head.checked_at if head else None,
        totals=totals,
    )


def _starts_in_month(day: date) -> Q:
    return Q(starts_on__year=day.year, starts_on__month=day.month)
