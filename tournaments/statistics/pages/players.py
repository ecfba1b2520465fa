"""Statistics of a player in a set of events: charts and opponents."""

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
    """A player in a game: charts, and tables won, drawn and lost by match points.

    At a table of several players, each of them counts as a separate opponent.
    """

    game: str
    events: int
    charts: tuple[Chart, ...]
    opponents: tuple[Opponent, ...]

    @property
    def game_name(self) -> str:
        return GAMES[self.game].name

    @property
    def won(self) -> int:
        """The number of opponents with fewer points, counted per table."""
        return sum(one.won for one in self.opponents)

    @property
    def drawn(self) -> int:
        """The number of opponents with equal points, counted per table."""
        return sum(one.drawn for one in self.opponents)

    @property
    def lost(self) -> int:
        """The number of opponents with more points, counted per table."""
        return sum(one.lost for one in self.opponents)


def records_of_player(
    player: Player, events: QuerySet[Tournament], *, own: bool = False
) -> tuple[PlayerRecord, ...]:
    """Return the player's record for each game in these events, most played first.

    The caller selects the events: the player took part, the reader may open them, and the player
    allows showing them. Settled results of published rounds count. Identities count where the
    public sees them and the event is over. With `own`, for the player's private page, all of the
    player's identities count.

    Opponents have their stored names; callers leave out opponents who hide their names. The number
    of queries does not depend on the number of events or opponents.
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
