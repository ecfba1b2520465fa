"""Table, seat and points of a player."""

from matches.models import Match
from matches.scoring.results import MatchResult
from tests.factories.tournaments import tables_of
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Registration, Round
from tournaments.results import services as results_services


def table_with(round_: Round, place: Registration) -> Pairing:
    return next(
        table
        for table in tables_of(round_)
        if table.match is not None and table.match.seat_of(place.player) is not None
    )


def match_of(round_: Round, place: Registration) -> Match:
    match = table_with(round_, place).match
    return Match.objects.get(pk=match.pk)


def points(round_: Round, place: Registration) -> tuple[object, object]:
    """Return the points of the player and of the opponent."""
    seats = list(match_of(round_, place).seats.order_by("position"))
    own_seat, opponent_seat = sorted(seats, key=lambda seat: seat.player_id != place.player_id)
    return own_seat.points, opponent_seat.points


def position(round_: Round, place: Registration) -> int:
    seat = match_of(round_, place).seat_of(place.player)
    return seat.position


def report_as_both(round_: Round, place: Registration, result: MatchResult) -> None:
    """Report this result as both players."""
    pairing = table_with(round_, place)
    for seat in pairing.match.seats.select_related("player"):
        results_services.report_result(pairing, seat, result, Actor(player=seat.player))
