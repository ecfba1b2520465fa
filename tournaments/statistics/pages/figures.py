"""Statistics of a set of events: a single event, a season or the site."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.core.cache import caches
from django.db.models import QuerySet

from decks.games import GAMES
from tournaments.models import Tournament
from tournaments.statistics import queries
from tournaments.statistics.queries import Scope
from tournaments.statistics.rules.charts import Chart
from tournaments.statistics.rules.overview import charts_of
from tournaments.statistics.rules.tallies import Count

KEPT_SECONDS = 600


@dataclass(frozen=True)
class Statistics:
    """The counts of events of a game, and their charts in page order.

    With `hides_small` an event is still being played, so small groups of decks are left out.
    `late_events` have changed since they were counted: their older figures are shown, or none yet.
    If there are any, and on a large site, the figures date from `counted_at`.
    """

    game: str
    count: Count
    charts: tuple[Chart, ...]
    hides_small: bool
    late_events: int = 0
    counted_at: datetime | None = None

    @property
    def game_name(self) -> str:
        return GAMES[self.game].name


def statistics_of(events: QuerySet[Tournament], game: str = "") -> Statistics:
    """Return the statistics of these events, restricted to a single game.

    `events` are any events the reader may open. The default for `game` is the game of most events.
    The result is the same for all readers. Identities and decks count where the public sees them
    (`event.visibility`), and only for finished events. The page of a single event counts its own
    decks during play, without groups under `LEAST_GROUP`. The number of queries is constant. The
    result is cached until an event changes.
    """
    usual = game or queries.usual_game(queries.events_by_game(events))
    return statistics_of_scope(queries.scope_of(events, usual))


def statistics_of_scope(scope: Scope) -> Statistics:
    """Return the statistics of a scope, cached by its mark."""
    key = f"statistics:{sha256(scope.mark.encode()).hexdigest()}"
    kept: Statistics | None = caches["pages"].get(key)
    if kept is None:
        kept = _made(scope)
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept


def statistics_of_event(tournament: Tournament) -> Statistics:
    return statistics_of(Tournament.objects.filter(pk=tournament.pk), tournament.game)


def _made(scope: Scope) -> Statistics:
    adds_up = scope.stored or scope.totals is not None
    tallies = queries.added_up(scope) if adds_up else queries.tallies_of(scope)
    return Statistics(
        game=scope.game,
        count=tallies.count,
        charts=charts_of(tallies),
        hides_small=tallies.hides_small,
        late_events=scope.late,
        counted_at=scope.counted_at,
    )
