"""The statistics of a set of events: of one, of a season, of the site."""

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
    """What is counted of some events of one game, and its charts in the order of the page.

    `hides_small`: an event is still played, so small groups of decks are left out.
    `late_events` are not counted since their last change: older figures of them are shown, or none
    yet. Where there are any, and on a large site, the figures are from `counted_at`.
    """

    game: str
    count: Count
    charts: tuple[Chart, ...]
    hides_small: bool
    late_events: int = 0
    counted_at: datetime | None = None

    @property
    def game_name(self) -> str:
        """The game in words."""
        return GAMES[self.game].name


def statistics_of(events: QuerySet[Tournament], game: str = "") -> Statistics:
    """The statistics of these events, as far as they are of one game.

    `events` may be any events the reader may open; without `game` it is the one most of them are
    of. What stands in it depends on no reader: identities and decks count where a passer-by sees
    them (`event.visibility`), and of events that are over; only the page of one event counts its
    own while it is played, without groups under `LEAST_GROUP`. A constant number of queries; the
    finished figures are kept until one of the events changes.
    """
    usual = game or queries.usual_game(queries.events_by_game(events))
    return statistics_of_scope(queries.scope_of(events, usual))


def statistics_of_scope(scope: Scope) -> Statistics:
    """Those of events that were looked up before; kept while their mark is the same."""
    key = f"statistics:{sha256(scope.mark.encode()).hexdigest()}"
    kept: Statistics | None = caches["pages"].get(key)
    if kept is None:
        kept = _made(scope)
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept


def statistics_of_event(tournament: Tournament) -> Statistics:
    """Those of one event, also while it is played."""
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
