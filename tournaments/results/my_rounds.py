"""A player's results round by round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects

from matches import records as matches_records
from matches.models import Match, Seat
from matches.scoring.results import FactionFacts
from matches.scoring.rules import scoring_rule
from players.models import Player
from tournaments.models import Pairing, Registration, Round, RoundState
from tournaments.models.rounds import PAIRING_RELATED
from tournaments.rounds.cut import get_advancing_player_id
from tournaments.rounds.pages import FACTION_PREFETCH, SeatLine, TableLine, table_line

# Large columns that players' pages do not show.
LARGE_ROUND_COLUMNS = ("round__certificate", "round__relaxations")


@dataclass(frozen=True)
class RoundLine:
    """A player's result in one round; `extra_minutes` of the table are beyond those of the room."""

    round: Round
    table: TableLine
    me: SeatLine
    opponents: tuple[SeatLine, ...]
    match: Match | None
    pairing: Pairing
    extra_minutes: int = 0
    # In a cut, where points alone may not tell; None while it is open.
    has_won_match: bool | None = None

    @property
    def title(self) -> str:
        return self.table.round_title or self.round.title


def round_lines(registration: Registration) -> list[RoundLine]:
    """Return a player's published rounds in order; a constant number of queries."""
    has_roles = scoring_rule(registration.tournament.scoring_rule).has_roles
    factions = {} if has_roles else matches_records.factions_by_id()
    tables = _published_pairings(registration)
    pairings = list(tables if has_roles else tables.prefetch_related(FACTION_PREFETCH))
    matches = [pairing.match for pairing in pairings if pairing.match is not None]
    if any(match.rule.has_one_game for match in matches):
        prefetch_related_objects(matches, "seats__games")
    # Share one object per stage, so that the bracket that names its rounds is read once.
    stages = {pairing.round.stage_id: pairing.round.stage for pairing in pairings}
    for pairing in pairings:
        pairing.round.stage = stages[pairing.round.stage_id]
    seats: list[Any] = [seat for match in matches for seat in match.seats.all()]
    numbers = {seat.player_id: seat.number for seat in seats}
    return [_round_line(pairing, numbers, registration.player, factions) for pairing in pairings]


def _round_line(
    pairing: Pairing, numbers: Mapping[int, int], me: Player, factions: Mapping[str, FactionFacts]
) -> RoundLine:
    table = table_line(pairing, numbers, me, factions)
    winner = None
    if pairing.match is not None and pairing.round.is_in_cut:
        winner = get_advancing_player_id(pairing)
    return RoundLine(
        round=pairing.round,
        table=table,
        me=next(seat for seat in table.seats if seat.is_me),
        opponents=tuple(seat for seat in table.seats if not seat.is_me),
        match=pairing.match,
        pairing=pairing,
        extra_minutes=pairing.extra_minutes,
        has_won_match=None if winner is None else winner == me.pk,
    )


def _published_pairings(registration: Registration) -> QuerySet[Pairing]:
    entries = Registration.objects.filter(
        tournament=registration.tournament_id, player=OuterRef("player")
    )
    number = Subquery(entries.order_by().values("number")[:1])
    numbered_seats = Seat.objects.select_related("player").annotate(number=number)
    own_seats = Seat.objects.filter(player=registration.player_id).order_by()
    return (
        Pairing.objects.filter(
            Q(match__in=own_seats.values("match")) | Q(bye=registration),
            round__stage__tournament=registration.tournament_id,
        )
        .exclude(round__state=RoundState.DRAFT)
        .select_related(*PAIRING_RELATED, "round__stage", "advances")
        .defer(*LARGE_ROUND_COLUMNS)
        .prefetch_related(Prefetch("match__seats", numbered_seats))
        .order_by("round__stage__number", "round__number")
    )
