"""A result into the tables: points by seat, roles or factions by game.

What judges took (Match.losses) is put on whatever is settled, by whichever way it was told.
"""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from matches import records
from matches.models import Game, GameSeat, Match, MatchState, Seat
from matches.scoring import GameResult, MatchResult, Points, Role, Share, added

Shares = Mapping[int, Sequence[Share]]


def settle(match: Match, told: MatchResult, state: MatchState) -> Match:
    """Write what was told with what judges took, and its points; a former result is gone.

    Wants a locked match.
    """
    result = records.with_losses(match, told)
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    games = {game.number: game for game in result.games}
    for game in match.games.all():
        _write_game(game, games.get(game.number), seats, shares)
        if not match.rule.has_roles:
            _write_pod(game, result, seats, shares)
    for position, seat in seats.items():
        seat.points = added(shares[position])
        seat.typed_points = result.totals[position - 1] if result.totals else None
    Seat.objects.bulk_update(seats.values(), ["points", "typed_points"])
    match.flags = sorted(flag.value for flag in result.flags)
    match.settled_at = timezone.now()
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def unsettle(match: Match, state: MatchState) -> Match:
    """Take the result of a locked match out again; roles and factions stay as they are."""
    match.games.update(end="", winner=None)
    GameSeat.objects.filter(game__match=match).update(
        agenda_points=None, victory_points=None, points=None
    )
    match.seats.update(points=None, typed_points=None)
    match.flags, match.settled_at = [], None
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def _write_game(
    game: Game, result: GameResult | None, seats: Mapping[int, Seat], shares: Shares
) -> None:
    """A game that is not told keeps its roles and loses its result."""
    if result is None:
        game.end, game.winner = "", None
        game.save(update_fields=["end", "winner"])
        game.seats.update(agenda_points=None, victory_points=None, points=None)
        return
    game.end = result.end.value
    game.winner = seats[result.position(result.winner)] if result.winner else None
    game.save(update_fields=["end", "winner"])
    GameSeat.objects.filter(game=game).delete()
    GameSeat.objects.bulk_create(
        GameSeat(
            game=game,
            seat=seats[result.position(role)],
            role=role.value,
            agenda_points=result.agenda_points(role),
            points=_points(shares, result.position(role), game.number),
        )
        for role in Role
    )


def _write_pod(game: Game, result: MatchResult, seats: Mapping[int, Seat], shares: Shares) -> None:
    """Victory points by seat; factions that are not told stay as they were drafted."""
    by_seat = {played.seat_id: played for played in game.seats.all()}
    for position, seat in seats.items():
        played = by_seat[seat.pk]
        played.victory_points = result.victory_points[position - 1]
        played.points = _points(shares, position, game.number)
        if result.factions:
            played.faction = result.factions[position - 1]
    GameSeat.objects.bulk_update(by_seat.values(), ["victory_points", "points", "faction"])


def _points(shares: Shares, position: int, number: int) -> Points:
    return added(part for part in shares[position] if part.game == number)
