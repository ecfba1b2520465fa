"""Database queries that count the games of a set of events."""

from tournaments.statistics.queries.counts import has_sides, tallies_of
from tournaments.statistics.queries.scope import (
    Scope,
    events_by_game,
    over_and_public,
    scope_of,
    scopes_by_game,
    usual_game,
)
from tournaments.statistics.queries.stored import (
    added_up,
    events_to_count,
    figures_of,
    scope_of_finished,
)
from tournaments.statistics.queries.totals import scope_of_site, site_events

__all__ = [
    "Scope",
    "added_up",
    "events_by_game",
    "events_to_count",
    "figures_of",
    "has_sides",
    "over_and_public",
    "scope_of",
    "scope_of_finished",
    "scope_of_site",
    "scopes_by_game",
    "site_events",
    "tallies_of",
    "usual_game",
]
