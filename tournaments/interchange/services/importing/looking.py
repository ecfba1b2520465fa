"""What the rounds of a file come to, computed from the file: nothing is written for a preview."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from engine.standings import standings
from engine.systems import CUTS, STORED, SystemKind
from matches.models import SETTLED
from matches.scoring import Role, exact
from players.models import Player
from tournaments.event import field
from tournaments.event.queries.standings import Closed, ClosedBye, ClosedTable
from tournaments.event.snapshots import tie_breakers_of
from tournaments.interchange.exports.whole_event import standing_line
from tournaments.interchange.formats.own.results import result_of
from tournaments.interchange.services.importing.storing import registration
from tournaments.interchange.services.importing.tables import Told
from tournaments.models import RoundState, Tournament


def standings_of(event: Told, tournament: Tournament) -> list[dict[str, Any]]:
    """The lines `whole_event.standings` would print, had the event been stored."""
    rounds = list(_closed_rounds(event))
    if not rounds:
        return []
    last = rounds[-1][1]["number"]
    past = field.history_of(_closed_tables(event)).up_to(last)
    players = sorted(event["players"], key=lambda told: int(told["id"]))
    places = (registration(tournament, told, Player()) for told in players)
    records = field.records_among(places, past, last)
    table = standings(records, tie_breakers_of(tournament), seed=tournament.seed)
    return [standing_line(int(one.id), one.rank, one.match_points, one.values) for one in table]


def _closed_rounds(event: Told) -> Iterator[tuple[Told, Told]]:
    """Each with its stage before it, in order, without the cut."""
    for stage in sorted(event["stages"], key=lambda told: int(told["number"])):
        if stage["system"] not in CUTS:
            for round_ in sorted(stage["rounds"], key=lambda told: int(told["number"])):
                if round_["state"] == RoundState.CLOSED:
                    yield stage, round_


def _closed_tables(event: Told) -> Iterator[Closed]:
    for stage, round_ in _closed_rounds(event):
        in_pods = STORED[stage["system"]].kind is SystemKind.PODS
        for pairing in round_["pairings"]:
            match, number = pairing["match"], round_["number"]
            if match is None:
                yield ClosedBye(number, pairing["bye"], pairing["points"])
            else:
                yield _table(match, number, in_pods=in_pods)


def _table(match: Told, number: int, *, in_pods: bool) -> ClosedTable:
    first = min(match["games"], key=lambda game: game["number"])
    return ClosedTable(
        round=number,
        in_pods=in_pods,
        is_settled=match["state"] in SETTLED,
        points={seat["id"]: _points(seat["points"]) for seat in match["seats"]},
        corp=next((seat["id"] for seat in first["seats"] if seat["role"] == Role.CORP), None),
        result=result_of(match, has_roles=not in_pods),
    )


def _points(told: Any) -> Any:
    return None if told is None else exact(Fraction(told))
