"""A result into the tables: points by seat, roles or factions by game.

What judges took (Match.losses) is put on whatever is settled, by whichever way it was reported.
"""

from collections.abc import Mapping, Sequence

from django.db.models import prefetch_related_objects
from django.utils import timezone

from matches import records
from matches.models import GameSeat, Match, MatchState, Seat
from matches.scoring import GameRow, MatchResult, Points, Share, added, to_rows

Rows = Mapping[tuple[int, int], GameRow]
"""By number of the game and position of the seat."""
Shares = Mapping[int, Sequence[Share]]


def settle(match: Match, reported: MatchResult, state: MatchState) -> Match:
    """Write what was reported with what judges took, and its points; a former result is gone.

    Wants a locked match; what is fetched of it is afterwards as it was written.
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


def _write_games(match: Match, rows: Rows, seats: Mapping[int, Seat], shares: Shares) -> None:
    """Each game with its seats, in the order of the table."""
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
    """All get up before anybody sits down: a role is played by one seat only."""
    GameSeat.objects.filter(pk__in=[one.pk for one in played]).delete()
    for one in played:
        one.pk = None
    GameSeat.objects.bulk_create(played)


def _points(shares: Shares, position: int, number: int) -> Points:
    return added(part for part in shares[position] if part.game == number)
