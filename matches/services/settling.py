"""Writing a result to the tables: points by seat, roles or factions by game.

Losses imposed by judges (Match.losses) are applied to every settled result.
"""

from collections.abc import Mapping, Sequence

from django.db.models import prefetch_related_objects
from django.utils import timezone

from matches import records
from matches.models import GameSeat, Match, MatchState, Seat
from matches.scoring import GameRow, MatchResult, Points, Share, added, to_rows

# By number of the game and position of the seat.
Rows = Mapping[tuple[int, int], GameRow]
Shares = Mapping[int, Sequence[Share]]


def settle(match: Match, reported: MatchResult, state: MatchState) -> Match:
    """Replace the result of a match by a reported result with the judges' losses.

    Requires a locked match, and updates its fetched rows.
    """
    prefetch_related_objects([match], "seats", "games__seats")
    result = records.with_losses(match, reported)
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    rows = {(row.number, row.position): row for row in to_rows(result, records.rows(match))}
    _write_games(match, rows, seats, shares)
    for position, seat in seats.items():
        seat.points = added(shares[position])
        seat.typed_points = result.totals[position - 1] if result.totals else None
        seat.save(update_fields=["points", "typed_points"])
    match.flags = sorted(flag.value for flag in result.flags)
    match.settled_at = timezone.now()
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def unsettle(match: Match, state: MatchState) -> Match:
    """Remove the result of a locked match; roles and factions are unchanged."""
    match.games.update(end="", winner=None)
    GameSeat.objects.filter(game__match=match).update(
        agenda_points=None, victory_points=None, points=None
    )
    match.seats.update(points=None, typed_points=None)
    match.flags, match.settled_at = [], None
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def _write_games(match: Match, rows: Rows, seats: Mapping[int, Seat], shares: Shares) -> None:
    played: list[GameSeat] = []
    for game in match.games.all():
        by_seat = {one.seat_id: one for one in game.seats.all()}
        for position, seat in seats.items():
            row, one = rows[game.number, position], by_seat[seat.pk]
            game.end, game.winner = row.end, seats[row.winner] if row.winner else None
            one.role, one.faction = row.role, row.faction
            one.agenda_points, one.victory_points = row.agenda_points, row.victory_points
            counts = row.end or not match.rule.has_roles
            one.points = _points(shares, position, game.number) if counts else None
            played.append(one)
        game.save(update_fields=["end", "winner"])
    _seat_anew(played)


def _seat_anew(played: list[GameSeat]) -> None:
    # Delete first: (game, role) is unique.
    GameSeat.objects.filter(pk__in=[one.pk for one in played]).delete()
    for one in played:
        one.pk = None
    GameSeat.objects.bulk_create(played)


def _points(shares: Shares, position: int, number: int) -> Points:
    return added(part for part in shares[position] if part.game == number)
