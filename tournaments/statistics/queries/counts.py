"""All counts of a set of events, depending on the kind of game."""

from decks.games import GAMES
from matches import queries as match_queries
from matches.scoring import scoring_rule
from tournaments.statistics.queries import decks, games
from tournaments.statistics.queries.scope import Scope
from tournaments.statistics.rules.tallies import Tallies


def has_sides(game: str) -> bool:
    """Return True if this game is Corp against Runner."""
    return scoring_rule(GAMES[game].scoring_rules[0]).has_roles


def tallies_of(scope: Scope) -> Tallies:
    """Count the games of the scope by side, or by seat for tables of more than two players."""
    return counted(scope) if has_sides(scope.game) else counted_at_tables(scope)


def counted(scope: Scope) -> Tallies:
    """Count everything about games between Corp and Runner; a constant number of queries."""
    entries = list(decks.entries(scope))
    titles = {entry.identity for entry in entries}
    cards = list(decks.cards(scope))
    return Tallies(
        count=games.count(scope),
        endings=list(games.endings(scope)),
        meetings=decks.meetings(scope) if titles else [],
        entries=entries,
        cards=cards,
        decks=decks.open_decks(scope) if cards else {},
        rounds=list(games.rounds(scope)),
        cut=games.cut(scope),
        factions=decks.factions(scope.game, titles),
        hides_small=scope.hides_small,
    )


def counted_at_tables(scope: Scope) -> Tallies:
    """Count everything about a game that is played in pods."""
    return Tallies(
        count=games.count(scope),
        factions={id_: one.name for id_, one in match_queries.factions().items()},
        sittings=list(games.sittings(scope)),
        rounds=list(games.rounds(scope)),
        cut=games.cut(scope),
        hides_small=scope.hides_small,
    )
