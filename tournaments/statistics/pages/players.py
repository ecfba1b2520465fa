"""What one player did in a set of events: wins, match-ups, ends, cuts, and against whom."""

from dataclasses import dataclass

from django.db.models import QuerySet

from decks.games import GAMES
from matches import queries as match_queries
from players.models import Player
from tournaments.models import Tournament
from tournaments.statistics import queries
from tournaments.statistics.queries import Scope, has_sides
from tournaments.statistics.queries import games as game_queries
from tournaments.statistics.queries import players as player_queries
from tournaments.statistics.rules import games
from tournaments.statistics.rules.charts import Chart
from tournaments.statistics.rules.players import charts_of_player, into_the_cut
from tournaments.statistics.rules.tallies import Opponent, Tallies


@dataclass(frozen=True)
class PlayerRecord:
    """One player in one game: tables won, drawn and lost by match points, charts, opponents.

    At a table of several, each other player counts as an opponent of their own.
    """

    game: str
    events: int
    charts: tuple[Chart, ...]
    opponents: tuple[Opponent, ...]

    @property
    def game_name(self) -> str:
        """The game in words."""
        return GAMES[self.game].name

    @property
    def won(self) -> int:
        """Against how many opponents they had more points, each table counted."""
        return sum(one.won for one in self.opponents)

    @property
    def drawn(self) -> int:
        """The same with equal points."""
        return sum(one.drawn for one in self.opponents)

    @property
    def lost(self) -> int:
        """The same with fewer points."""
        return sum(one.lost for one in self.opponents)


def records_of_player(
    player: Player, events: QuerySet[Tournament], *, own: bool = False
) -> tuple[PlayerRecord, ...]:
    """What this player did in these events, a record for each game, the most played first.

    The caller says which events: those the player was at, that the reader may open and the player
    wants shown. Settled results of published rounds count. Identities count where a passer-by sees
    them and the event is over; with `own`, for the page only the player sees, all of theirs do.
    Opponents have their stored names: whoever hides theirs is the caller's to leave out. No more
    queries for more events or opponents.
    """
    return tuple(_record(player, scope, own) for scope in queries.scopes_by_game(events))


def _record(player: Player, scope: Scope, own: bool) -> PlayerRecord:
    charts = _charts(player, scope, own)
    opponents = tuple(player_queries.opponents(player, scope))
    return PlayerRecord(scope.game, scope.number, charts, opponents)


def _charts(player: Player, scope: Scope, own: bool) -> tuple[Chart, ...]:
    if has_sides(scope.game):
        return charts_of_player(player_queries.tallies(player, scope, own=own))
    factions = {id_: one.name for id_, one in match_queries.factions().items()}
    sittings = list(game_queries.sittings(scope, player))
    made = games.at_tables(Tallies(sittings=sittings, factions=factions))
    cut = into_the_cut(player_queries.cut(player, scope))
    return tuple(chart for chart in (*made, cut) if chart.lines)
