"""How many rounds an event will have."""

from math import ceil, log2

from engine.systems import SystemKind
from tournaments.event.queries.arriving import players
from tournaments.event.queries.round_robin import fixed_order, rounds_of_round_robin
from tournaments.event.queries.rounds import current_stage
from tournaments.models import RegistrationState, Stage, Tournament


def suggested_rounds(players: int) -> int:
    """ceil(log2 players): enough for one unbeaten player at most; 1 for a field of two."""
    return max(1, ceil(log2(players))) if players > 1 else 1


def expected_rounds(stage: Stage, field: int) -> int:
    """How many rounds so many players will play in the stage that is played now.

    As planned, else as its system suggests.

    A round robin suggests what it takes that everybody meets everybody, and never has more.
    """
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return stage.tournament.planned_rounds or suggested_rounds(field)
    return rounds_of_round_robin(stage, max(2, len(fixed_order(stage)) or field))


def round_target(tournament: Tournament) -> int:
    """How many rounds there will be before a cut, by the field as it is."""
    playing = players(tournament).exclude(state=RegistrationState.REGISTERED).count()
    return expected_rounds(current_stage(tournament), playing or players(tournament).count())
