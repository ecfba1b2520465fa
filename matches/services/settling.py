"""A result into the tables: points by seat, roles or factions by game.

What judges took (Match.losses) is put on whatever is settled, by whichever way it was told.
"""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from matches import records
from matches.models import Game, GameSeat, Match, MatchState, Seat
from matches.scoring import GameResult, MatchResult, Points, Role, ScoringRule, Share, added

Shares = Mapping[int, Sequence[Share]]


def settle(match: Match, told: MatchResult, state: MatchState) -> Match:
    """Write what was told with what judges took, and its points; a former result is gone.

    Wants a locked match; what is fetched of it is afterwards as it was written.
    """
    result = records.with_losses(match, told)
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    games = list(match.games.all())
    played = [one for game in games for one in _played(game, match.rule, result, seats, shares)]
    for game in games:
        game.save(update_fields=["end", "winner"])
    _seat_anew(played)
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


def _played(
    game: Game,
    rule: ScoringRule,
    result: MatchResult,
    seats: Mapping[int, Seat],
    shares: Shares,
) -> list[GameSeat]:
    """Put the result on this game; its seats as they are to be, in the order of the table.

    A game that is not told keeps its roles and loses its result.
    """
    by_seat = {played.seat_id: played for played in game.seats.all()}
    at = {position: by_seat[seat.pk] for position, seat in seats.items()}
    told = next((one for one in result.games if one.number == game.number), None)
    game.end, game.winner = "", None
    for position, played in at.items():
        played.agenda_points = played.victory_points = None
        counts = told or not rule.has_roles
        played.points = _points(shares, position, game.number) if counts else None
    if not rule.has_roles:
        _set_places(at, result)
    elif told:
        game.end = told.end.value
        game.winner = seats[told.position(told.winner)] if told.winner else None
        _set_roles(at, told)
    return list(at.values())


def _set_roles(at: Mapping[int, GameSeat], told: GameResult) -> None:
    for role in Role:
        played = at[told.position(role)]
        played.role, played.agenda_points = role.value, told.agenda_points(role)


def _set_places(at: Mapping[int, GameSeat], result: MatchResult) -> None:
    """Victory points by seat; factions that are not told stay as they were drafted."""
    for position, played in at.items():
        played.victory_points = result.victory_points[position - 1]
        if result.factions:
            played.faction = result.factions[position - 1]


def _seat_anew(played: list[GameSeat]) -> None:
    """All get up before anybody sits down: a role is played by one seat only."""
    GameSeat.objects.filter(pk__in=[one.pk for one in played]).delete()
    for one in played:
        one.pk = None
    GameSeat.objects.bulk_create(played)


def _points(shares: Shares, position: int, number: int) -> Points:
    return added(part for part in shares[position] if part.game == number)
