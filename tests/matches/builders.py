"""Matches of made-up players, and what stands in their rows."""

from typing import Any

from decks.games import GAMES
from matches import services
from matches.models import Game, GameSeat, Match, Seat
from matches.scoring.results import MatchResult
from matches.services import locked_match
from players.models import Player


def game_of(rule: str) -> str:
    """The game that is scored by this rule."""
    return next(game.id for game in GAMES.values() if game.is_scored_by(rule))


def made(rule: str, *names: str, factions: tuple[str, ...] = ()) -> Match:
    """A match by this rule, of new players in this order."""
    players = tuple(Player.objects.create(name=name).pk for name in names)
    wanted = services.MatchRequest(players, rule, game_of(rule), factions)
    return services.create_matches([wanted])[0]


def now(match: Match) -> Match:
    """The match as its row is now."""
    return Match.objects.get(pk=match.pk)


def points(match: Match) -> list[Any]:
    """Of each seat, in order."""
    return list(match.seats.order_by("position").values_list("points", flat=True))


def decide(match: Match, result: MatchResult, **how: Any) -> Match:
    """Staff enter the result, and have seen the newest version."""
    match.refresh_from_db()
    return services.decide_result(
        locked_match(match), result, None, seen_version=match.version, **how
    )


def back(match: Match, memory: services.MatchSnapshot) -> Match:
    """The match as it was remembered."""
    match.refresh_from_db()
    return services.restore_match(match, memory, seen_version=match.version)


def rows(match: Match) -> list[Any]:
    """All that a result writes, without keys that come anew."""
    seats = Seat.objects.filter(match=match).order_by("position")
    games = Game.objects.filter(match=match).order_by("number")
    played = GameSeat.objects.filter(game__match=match).order_by("game", "seat__position")
    columns = ("game", "seat", "role", "faction", "agenda_points", "victory_points", "points")
    return [
        list(Match.objects.filter(pk=match.pk).values("state", "flags")),
        list(seats.values("player", "points", "typed_points")),
        list(games.values("number", "end", "winner")),
        list(played.values(*columns)),
    ]
