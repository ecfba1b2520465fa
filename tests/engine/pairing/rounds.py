"""Couples of a paired round, and entrants with past meetings."""

from engine.pairing.records import Entrant, PairedRound, PastMeeting
from engine.standings.records import PlayerId
from matches.scoring.results import Role


def tables(round_: PairedRound) -> list[tuple[int, set[PlayerId]]]:
    return [(table.number, {table.corp, table.runner}) for table in round_.pairings]


def couples(round_: PairedRound) -> set[frozenset[PlayerId]]:
    return {frozenset((table.corp, table.runner)) for table in round_.pairings}


def sitting_out(round_: PairedRound) -> list[PlayerId]:
    return [bye.player for bye in round_.byes]


def met(
    first: PlayerId, second: PlayerId, *roles: Role, points: tuple[int, int] = (0, 0)
) -> list[Entrant]:
    """Two players who have met, with the roles of the first."""
    return [
        Entrant(first, points[0], opponents=tuple(PastMeeting(second, role) for role in roles)),
        Entrant(
            second, points[1], opponents=tuple(PastMeeting(first, role.other) for role in roles)
        ),
    ]
