"""Round robins: the order of the players, which is fixed at the start."""

from engine.pairing.round_robin import rounds_needed
from engine.systems import SystemKind
from tournaments.event.queries.cuts import cut_entries
from tournaments.event.queries.rounds import current_stage, rounds
from tournaments.models import Registration, RoundState, Stage, Tournament


def fixed_order(stage: Stage) -> list[Registration]:
    """The players of a round robin in the order of its table; empty before its first draft."""
    return [entry.registration for entry in cut_entries(stage)]


def order_is_fixed(stage: Stage) -> bool:
    """Whether players have seen a round of this round robin, so that nobody can come in."""
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return False
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def numbers_in_fixed_order(tournament: Tournament) -> frozenset[int] | None:
    """Who is in the round robin that is played now, by number; None where anybody can come in."""
    stage = current_stage(tournament)
    if not order_is_fixed(stage):
        return None
    return frozenset(registration.number for registration in fixed_order(stage))


def number_in_stage(stage: Stage, number: int) -> int:
    """Which round of its stage the round with this number is, 1 for the first."""
    return number - rounds(stage.tournament).filter(stage__number__lt=stage.number).count()


def cycles(stage: Stage, players: int) -> int:
    """How often everybody meets everybody: twice when more rounds are planned than once takes."""
    planned = stage.tournament.planned_rounds or 0
    return 2 if planned > rounds_needed(players) else 1


def rounds_of_round_robin(stage: Stage, players: int) -> int:
    """How many rounds the round robin of this stage has: as planned, and never more than it takes
    until everybody has met everybody."""
    needed = rounds_needed(players, cycles=cycles(stage, players))
    return min(stage.tournament.planned_rounds or needed, needed)


def is_played_out(stage: Stage) -> bool:
    """Whether a round robin has had all its rounds."""
    players = stage.entries.count() if order_is_fixed(stage) else 0
    return players > 1 and stage.rounds.count() >= rounds_needed(
        players, cycles=cycles(stage, players)
    )


def round_robin_of_event(tournament: Tournament) -> Stage | None:
    """The event's round robin, once players have seen a round of it."""
    stages = tournament.stages.filter(system=SystemKind.ROUND_ROBIN).select_related("tournament")
    return next((stage for stage in stages if order_is_fixed(stage)), None)


def is_round_robin(tournament: Tournament) -> bool:
    """Whether the event has a round robin, begun or not."""
    return tournament.stages.filter(system=SystemKind.ROUND_ROBIN).exists()
