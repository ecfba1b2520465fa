"""What one version of an event says to all its players alike: asked once, however many look.

Only what everybody may read is kept here; what is of one player stays with their request.
"""

from dataclasses import dataclass

from tournaments import queries
from tournaments.models import Round, Tournament
from tournaments.systems import SystemKind


@dataclass(frozen=True)
class Hall:
    """The newest published round with its stage; how many are `planned`, None where no page says.

    `has_meeting` until round 1 says where everybody sits.
    """

    round: Round | None
    planned: int | None
    has_meeting: bool


def hall_of(tournament: Tournament) -> Hall:
    """The hall at the version of this row or a newer one; no query while it is kept."""
    hall = queries.kept_for_version("hall", tournament, _hall_of)
    if hall.round is not None:
        hall.round.stage.tournament = tournament
    return hall


def _hall_of(tournament: Tournament) -> Hall:
    rounds = queries.visible_rounds(tournament).select_related("stage")
    round_ = rounds.defer("certificate", "relaxations").last()
    return Hall(
        round=round_,
        planned=_planned(tournament, round_),
        has_meeting=round_ is None and queries.meeting_is_on(tournament),
    )


def _planned(tournament: Tournament, round_: Round | None) -> int | None:
    if round_ is None or round_.stage.way.is_elimination:
        return None
    is_fixed = round_.stage.way.kind is not SystemKind.ROUND_ROBIN
    return (tournament.planned_rounds if is_fixed else None) or queries.round_target(tournament)
