"""Matches of new players, their reports, and the rows of a result."""

from typing import Any

from decks.games import GAMES
from matches import services
from matches.models import Game, GameSeat, Match, ResultReport, Seat
from matches.scoring.results import MatchResult
from matches.services import locked_match
from players.models import Player


def game_of(rule: str) -> str:
    """Return the game that is scored by this rule."""
    return next(game.id for game in GAMES.values() if game.is_scored_by(rule))


def new_match(rule: str, *names: str, factions: tuple[str, ...] = ()) -> Match:
    players = tuple(Player.objects.create(name=name).pk for name in names)
    request = services.MatchRequest(players, rule, game_of(rule), factions)
    return services.create_matches([request])[0]


def reloaded(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def points(match: Match) -> list[Any]:
    return list(match.seats.order_by("position").values_list("points", flat=True))


def report(match: Match, position: int, result: MatchResult) -> ResultReport | None:
    """Report a result from a seat; return the open report, if any."""
    seat = match.seats.get(position=position)
    services.propose_result(locked_match(match), seat, result)
    return match.reports.filter(state="proposed").first()


def confirm(match: Match, position: int, report: ResultReport | None) -> Match:
    assert report is not None
    seat = match.seats.get(position=position)
    return services.confirm_report(locked_match(match), seat, report.pk)


def dispute(match: Match, position: int, report: ResultReport | None, note: str = "") -> Match:
    assert report is not None
    seat = match.seats.get(position=position)
    return services.dispute_report(locked_match(match), seat, report.pk, note)


def decide(match: Match, result: MatchResult, **options: Any) -> Match:
    """Enter the result as staff who have seen the newest version."""
    version = reloaded(match).version
    return services.decide_result(
        locked_match(match), result, None, seen_version=version, **options
    )


def restore(match: Match, snapshot: services.MatchSnapshot) -> Match:
    match.refresh_from_db()
    return services.restore_match(match, snapshot, seen_version=match.version)


def rows(match: Match) -> list[Any]:
    """Return everything that a result writes, without primary keys."""
    seats = Seat.objects.filter(match=match).order_by("position")
    games = Game.objects.filter(match=match).order_by("number")
    game_seats = GameSeat.objects.filter(game__match=match).order_by("game", "seat__position")
    columns = ("game", "seat", "role", "faction", "agenda_points", "victory_points", "points")
    return [
        list(Match.objects.filter(pk=match.pk).values("state", "flags")),
        list(seats.values("player", "points", "typed_points")),
        list(games.values("number", "end", "winner")),
        list(game_seats.values(*columns)),
    ]
