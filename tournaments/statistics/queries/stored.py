"""Stored counts of events, and their sum."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from matches import queries as match_queries
from tournaments.models import EventTallies, Tournament
from tournaments.statistics.queries import counts, decks
from tournaments.statistics.queries.scope import Scope, who_played
from tournaments.statistics.rules.stored import Figures, TalliesSum, as_figures
from tournaments.statistics.rules.tallies import Tallies

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


def figures_of(scope: Scope) -> Figures:
    """Count these events, completely enough for a sum."""
    tallies = counts.tallies_of(scope)
    if counts.has_sides(scope.game):
        # Left out for single events without identities or cards, but needed in the sum.
        tallies = replace(tallies, meetings=decks.meetings(scope), decks=decks.open_decks(scope))
    players = who_played(scope.events).values_list("player", flat=True).distinct()
    return as_figures(tallies, list(players))


def add_figures(total: TalliesSum, rows: QuerySet[Any]) -> None:
    """Add the figures of these rows, with only a few rows in memory at a time."""
    for figures in rows.values_list("figures", flat=True).iterator():
        total.add(figures)


def added_up(scope: Scope) -> Tallies:
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
        total.add(figures_of(replace(live, with_decks=[key for key in uncounted if key in over])))
    if not counts.has_sides(scope.game):
        factions = {id_: one.name for id_, one in match_queries.factions().items()}
        return total.tallies(factions)
    tallies = total.tallies(dict(decks.factions(scope.game, total.identities)))
    return replace(
        tallies,
        meetings=tallies.meetings if tallies.entries else [],
        decks=tallies.decks if tallies.cards else {},
    )
