"""A round of a cut: every game of the bracket that can be played now."""

from collections.abc import Iterator, Mapping
from itertools import count

from matches.scoring import Role, scoring_rule
from tournaments.bracket import Bracket, Game, NextGame
from tournaments.bracket.words import ROLES_BY, source_in_words
from tournaments.drafts.records import Drafted, KeptTable, NewTable, Wanted
from tournaments.elimination import CHOICE_IS_OPEN, games_to_play
from tournaments.models import Stage
from tournaments.pairing import Reason
from tournaments.standings import PlayerId


def make(wanted: Wanted) -> Drafted:
    """Tables for the games that can be played. Raise NoGameToPlay when there are none."""
    cut, games = games_to_play(wanted.stage)
    kept = {frozenset(one.players): one.number for one in wanted.kept if isinstance(one, KeptTable)}
    free = (number for number in count(1) if number not in kept.values())
    tables = [_table(game, cut.bracket, wanted.stage, kept, free) for game in games]
    return Drafted(tables=tuple(sorted(tables, key=lambda table: table.number)))


def _table(
    game: NextGame,
    bracket: Bracket,
    stage: Stage,
    kept: Mapping[frozenset[PlayerId], int],
    free: Iterator[int],
) -> NewTable:
    players = tuple(
        seat.id for seat in sorted(game.seats, key=lambda seat: seat.role is Role.RUNNER)
    )
    there = kept.get(frozenset(players))
    reasons = [Reason("bracket", players, _why(bracket.by_number[game.number]))]
    if scoring_rule(stage.scoring_rule).has_roles:
        reasons.append(_roles(game, players))
    return NewTable(
        next(free) if there is None else there,
        players,
        reasons=tuple(reasons),
        locked=there is not None,
        bracket_game=game.number,
    )


def _roles(game: NextGame, players: tuple[PlayerId, ...]) -> Reason:
    if game.chooser is not None:
        text = "{0} is the higher seed and chooses who is Corp in game 1."
        return Reason(CHOICE_IS_OPEN, (game.chooser,), text)
    return Reason("roles", players, f"{{0}} is Corp in game 1: {ROLES_BY[game.roles_by]}.")


def _why(game: Game) -> str:
    first, second = (source_in_words(source) for source in game.sources)
    return f"Game {game.number} of the bracket: {first} against {second}."
