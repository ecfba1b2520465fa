"""Why a draft may not be used as it is: the event has moved on, or it is not what was seen."""

from typing import TypeAlias

from core.errors import Refusal
from tournaments.event import queries
from tournaments.models import LogEntry, Registration, Round, Tournament
from tournaments.rounds import elimination

Moved: TypeAlias = dict[str, list[int]]

MOST_TOLD = 3
"""So many changes are named one by one."""


class DraftIsOld(Refusal):
    """The field has changed since the draft was made."""


class DraftHasChanged(Refusal):
    """Somebody else changed the draft meanwhile."""


def refuse_unseen(tournament: Tournament, seen: int | None) -> None:
    """Raise DraftHasChanged, with what changed, when the draft is not the one that was seen.

    `seen` is `queries.newest_draft_change` when the page was made; None asks nothing.
    """
    if seen is None or seen == queries.newest_draft_change(tournament):
        return
    changes = [str(entry) for entry in queries.draft_changes_since(tournament, seen)]
    told = ", ".join(changes[:MOST_TOLD])
    more = f" and {len(changes) - MOST_TOLD} more" if len(changes) > MOST_TOLD else ""
    raise DraftHasChanged(
        f"Somebody changed this draft while you had it open: {told}{more}. "
        "Look at it as it is now, then do it again."
    )


def refuse_old(
    round_: Round, *, leave_out_latecomers: bool = False, again: LogEntry | None = None
) -> None:
    """Raise DraftIsOld when results, the bracket or the players are not those it was made from.

    `again` is the entry of taking the round back: results that had changed while it was public,
    and players who had come or left, are no news.
    """
    if queries.results_changed_since_draft(round_, again.at if again else None):
        raise DraftIsOld(
            "A result of an earlier round was changed since this draft was made. "
            "Pair the round again."
        )
    if round_.stage.way.is_elimination and not elimination.is_draft_of_now(round_):
        raise DraftIsOld("The bracket has changed since this draft was made. Pair the round again.")
    known: Moved = again.before.get("moved", {}) if again else {}
    gone, arrived = queries.changes_since_draft(round_)
    if left := [one for one in gone if one.number not in known.get("gone", ())]:
        raise DraftIsOld(f"{_names(left)} left since this draft was made. Pair the round again.")
    came = [one for one in arrived if one.number not in known.get("arrived", ())]
    if came and not leave_out_latecomers:
        raise DraftIsOld(
            f"{_names(came)} checked in since this draft was made. Pair the round again, or "
            "publish without them; they will play from the next round."
        )


def moved_since_draft(round_: Round) -> Moved:
    """The numbers of those who left and of those who arrived, as `refuse_old` looks for them."""
    gone, arrived = queries.changes_since_draft(round_)
    return {"gone": [one.number for one in gone], "arrived": [one.number for one in arrived]}


def _names(registrations: list[Registration]) -> str:
    return ", ".join(str(registration.player) for registration in registrations)
