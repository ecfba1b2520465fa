"""A round of a cut: every game of the bracket that can be played now."""

from matches.scoring import Role, scoring_rule
from tournaments.bracket import Game, NextGame
from tournaments.bracket.words import ROLES_BY, source_in_words
from tournaments.drafts.records import Drafted, NewTable, Wanted
from tournaments.elimination import CHOICE_IS_OPEN, Cut, games_to_play
from tournaments.models import RegistrationState
from tournaments.pairing import Reason
from tournaments.standings import PlayerId


def make(wanted: Wanted) -> Drafted:
    """Tables for the games that can be played. Raise NoGameToPlay when there are none."""
    cut, games = games_to_play(wanted.stage)
    return Drafted(
        tables=tuple(_table(cut, game, number) for number, game in enumerate(games, start=1))
    )


def _table(cut: Cut, game: NextGame, number: int) -> NewTable:
    corp_first = sorted(game.seats, key=lambda seat: seat.role is Role.RUNNER)
    players = tuple(seat.id for seat in corp_first)
    reasons = [Reason("bracket", players, _why(cut.bracket.by_number[game.number]))]
    if scoring_rule(cut.stage.scoring_rule).has_roles:
        reasons.append(_roles(game, players))
    reasons += [
        Reason("left", (player,), "{0} has left the event. Enter a concession or a no-show.")
        for player in players
        if cut.registrations[int(player)].state == RegistrationState.DROPPED
    ]
    return NewTable(number, players, reasons=tuple(reasons), bracket_game=game.number)


def _roles(game: NextGame, players: tuple[PlayerId, ...]) -> Reason:
    if game.chooser is not None:
        text = "{0} is the higher seed and chooses who is Corp in game 1."
        return Reason(CHOICE_IS_OPEN, (game.chooser,), text)
    return Reason("roles", players, f"{{0}} is Corp in game 1: {ROLES_BY[game.roles_by]}.")


def _why(game: Game) -> str:
    first, second = (source_in_words(source) for source in game.sources)
    return f"Game {game.number} of the bracket: {first} against {second}."
