"""What the rounds of an event brought a player; of one of them, or of all in one go."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)

from matches import queries as match_queries
from matches.models import Match, Seat
from matches.scoring import Faction, scoring_rule
from players.models import Player
from tournaments import queries
from tournaments.models import Pairing, Registration, Round, RoundState, Tournament
from tournaments.sheets.tables import FACTIONS, SeatLine, TableLine, table_line

LONG = ("round__certificate", "round__relaxations")
"""What no player is told of a round."""


@dataclass(frozen=True)
class RoundLine:
    """What one round brought a player; their table had `extra_minutes` besides the room."""

    round: Round
    table: TableLine
    me: SeatLine
    opponents: tuple[SeatLine, ...]
    match: Match | None
    pairing: Pairing
    extra_minutes: int = 0


def round_lines(registration: Registration) -> list[RoundLine]:
    """A player's published rounds, first to last; a constant number of queries."""
    factions = _factions(registration.tournament)
    seats = _numbered_seats(registration.tournament_id)
    tables = _published(registration.tournament, factions, seats)
    return _lines(tables.filter(_of(registration.player, registration)), registration, factions)


def round_lines_in(rounds: Iterable[int], registration: Registration) -> list[RoundLine]:
    """The same of the published among these rounds, by primary keys."""
    factions = _factions(registration.tournament)
    seats = _numbered_seats(registration.tournament_id)
    tables = _published(registration.tournament, factions, seats).filter(round__in=rounds)
    return _lines(tables.filter(_of(registration.player, registration)), registration, factions)


def _lines(
    pairings: Iterable[Pairing], registration: Registration, factions: Mapping[str, Faction]
) -> list[RoundLine]:
    tables = list(pairings)
    numbers = {seat.player_id: seat.number for entry in tables for seat in _seats(entry)}
    return [_line(pairing, numbers, registration.player, factions) for pairing in tables]


def round_lines_of_all(tournament: Tournament) -> dict[int, list[RoundLine]]:
    """The same of everybody who was seated or had a bye, by player.

    A constant number of queries, and the rows of each table and player once.
    """
    factions = _factions(tournament)
    pairings = list(_published(tournament, factions, Seat.objects.all()).defer("cost"))
    # Afterwards: whoever sits there is among them.
    places = {place.player_id: place for place in tournament.registrations.select_related("player")}
    numbers = {player: place.number for player, place in places.items()}
    lines: dict[int, list[RoundLine]] = {}
    for pairing in pairings:
        for seat in _seats(pairing):
            seat.player = places[seat.player_id].player
        there = [seat.player for seat in _seats(pairing)] or [_with_the_bye(pairing)]
        for player in there:
            lines.setdefault(player.pk, []).append(_line(pairing, numbers, player, factions))
    return lines


def _line(
    pairing: Pairing, numbers: Mapping[int, int], me: Player, factions: Mapping[str, Faction]
) -> RoundLine:
    table = table_line(pairing, numbers, me, factions)
    return RoundLine(
        round=pairing.round,
        table=table,
        me=next(seat for seat in table.seats if seat.is_me),
        opponents=tuple(seat for seat in table.seats if not seat.is_me),
        match=pairing.match,
        pairing=pairing,
        extra_minutes=pairing.extra_minutes,
    )


def _factions(tournament: Tournament) -> Mapping[str, Faction]:
    """Those of the pods of an event; none where seats have roles."""
    has_roles = scoring_rule(tournament.scoring_rule).has_roles
    return {} if has_roles else match_queries.factions()


def _seats(pairing: Pairing) -> Iterable[Any]:
    """The seats at a table with what was fetched of them; none of a bye."""
    return pairing.match.seats.all() if pairing.match is not None else ()


def _with_the_bye(pairing: Pairing) -> Player:
    assert pairing.bye is not None
    return pairing.bye.player


def _of(player: Player, place: Registration) -> Q:
    """Where this player sits, or has the bye."""
    mine = Seat.objects.filter(player=player).order_by().values("match")
    return Q(match__in=mine) | Q(bye=place)


def _numbered_seats(tournament: int) -> QuerySet[Seat]:
    """Seats with their players; each has its `number` in the event."""
    entries = Registration.objects.filter(tournament=tournament, player=OuterRef("player"))
    numbers = Subquery(entries.order_by().values("number")[:1])
    return Seat.objects.select_related("player").annotate(number=numbers)


def _published(
    tournament: Tournament, factions: Mapping[str, Faction], seats: QuerySet[Seat]
) -> QuerySet[Pairing]:
    """The tables and byes of the published rounds, first to last, with `seats` as they are asked
    for."""
    return (
        Pairing.objects.filter(round__stage__tournament=tournament)
        .exclude(round__state=RoundState.DRAFT)
        .select_related(*queries.PAIRING_RELATED)
        .defer(*LONG)
        .prefetch_related(Prefetch("match__seats", seats), *([FACTIONS] if factions else []))
        .order_by("round__stage__number", "round__number")
    )
