"""Initial values and suggestions for the form of a new event."""

from dataclasses import dataclass
from typing import Any

from engine.round_plan import MIN_PLAYERS_FOR_CUT, USUAL_CUTS, suggested_rounds
from engine.systems import SYSTEMS, SystemKind
from players.models import User
from tournaments.models import StaffRole, Tournament

MAX_ROUNDS_SUGGESTED = 10


def usual_settings(owner: User) -> dict[str, Any]:
    """Return what a new event has in common with the newest event of this owner."""
    own = Tournament.objects.filter(staff__user=owner, staff__role=StaffRole.OWNER)
    newest = own.filter(practice_of=None, import_touched_at=None).order_by("-pk").first()
    if newest is None:
        return {}
    usual = {name: getattr(newest, name) for name in ("game", "location", "time_zone", "language")}
    start, end = newest.start_time, newest.end_time
    if start is not None:
        usual["start_time"] = start
        # An end after midnight would need the last day, too.
        if end is not None and end > start:
            usual["end_time"] = end
    return {**usual, "format_id": newest.deck_rules.get("format_id", "")}


@dataclass(frozen=True)
class RoundPlanSteps:
    """The suggestions of engine.round_plan as steps, for static/js/new_event.js."""

    # The largest field for 1, 2, 3 ... rounds.
    limits: tuple[int, ...]
    # Smallest field and size of a cut, such as "32:16", largest first.
    cuts: tuple[str, ...]
    # Systems with suggested rounds.
    systems: tuple[str, ...]


def round_plan_steps() -> RoundPlanSteps:
    limits = [2**rounds for rounds in range(1, MAX_ROUNDS_SUGGESTED + 1)]
    assert [suggested_rounds(limit) for limit in limits] == [*range(1, MAX_ROUNDS_SUGGESTED + 1)]
    return RoundPlanSteps(
        limits=tuple(limits),
        cuts=tuple(f"{least}:{size}" for least, size in USUAL_CUTS if least >= MIN_PLAYERS_FOR_CUT),
        systems=tuple(id_ for id_, way in SYSTEMS.items() if way.kind is SystemKind.SWISS),
    )
