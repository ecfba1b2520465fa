"""Check-in for day 2, and dropping the missing players."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from tournaments.event import attendance, history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import BATCH
from tournaments.models import DroppedBy, LogAction, Registration, Tournament


class NotDayTwo(Refusal):
    """Day 2 does not begin now, or its check-in is not open."""


class MissingHaveChanged(Refusal):
    """The list of missing players changed since it was shown."""


@transaction.atomic
def open_check_in(tournament: Tournament, actor: Actor) -> None:
    """Open check-in for day 2; all its players check in again. Idempotent. Raises NotDayTwo."""
    locked = history.lock_unfinished(tournament)
    if not queries.begins_day_two(locked):
        raise NotDayTwo(_too_early(locked))
    if locked.day_two_opened_at is not None:
        return
    locked.registrations.exclude(day_two_at=None).update(day_two_at=None)
    _set_opened(locked, actor, is_open=True)


@transaction.atomic
def close_check_in(tournament: Tournament, actor: Actor) -> None:
    """Close check-in that was opened by mistake.

    Raises NotDayTwo if it is not open.
    """
    locked = history.lock_unfinished(tournament)
    if not queries.day_two_check_in_is_open(locked):
        raise NotDayTwo("Check-in for day 2 is not open.")
    _set_opened(locked, actor, is_open=False)


def begin_anew(tournament: Tournament, actor: Actor) -> None:
    """Discard the check-ins because day 2 begins with a different round.

    Requires a locked event. Does nothing if check-in was not opened.
    """
    if tournament.day_two_opened_at is not None:
        tournament.registrations.exclude(day_two_at=None).update(day_two_at=None)
        _set_opened(tournament, actor, is_open=False)


def _set_opened(tournament: Tournament, actor: Actor, *, is_open: bool) -> None:
    tournament.day_two_opened_at = timezone.now() if is_open else None
    tournament.save(update_fields=["day_two_opened_at"])
    action = LogAction.DAY_TWO_CHECK_IN_OPENED if is_open else LogAction.DAY_TWO_CHECK_IN_CLOSED
    history.record(tournament, actor, action)


def _too_early(tournament: Tournament) -> str:
    if tournament.day_two_on is None:
        return "This event has no day 2. Set its date in the settings."
    if tournament.day_two_round is not None:
        return (
            f"Day 2 begins with round {tournament.day_two_round}. Check-in opens once the round "
            "before it is closed, until it is paired."
        )
    return "Day 2 begins with the cut. Check-in opens once the last round before it is closed."


def mark(tournament: Tournament, places: Sequence[Registration], actor: Actor) -> int:
    """Check players in for day 2 while that is open; return how many were not before.

    Requires a locked event.
    """
    if not queries.day_two_check_in_is_open(tournament):
        return 0
    wanted = [one.pk for one in places]
    here = list(queries.day_two_missing(tournament).filter(pk__in=wanted))
    for one in here:
        one.day_two_at = timezone.now()
    Registration.objects.bulk_update(here, ["day_two_at"], batch_size=BATCH)
    changes = [history.Change(one) for one in here]
    history.record_all(tournament, actor, LogAction.CHECKED_IN_FOR_DAY_TWO, changes)
    return len(here)


def unmark(tournament: Tournament, registration: Registration, actor: Actor) -> bool:
    """Undo the check-in for day 2. Requires a locked event.

    Returns True if the player plays on day 2 and its check-in is open; then the day 1 check-in
    remains.
    """
    if not queries.day_two_check_in_is_open(tournament):
        return False
    here = queries.day_two_players(tournament).filter(pk=registration.pk)
    if here.exclude(day_two_at=None).update(day_two_at=None):
        history.record(tournament, actor, LogAction.DAY_TWO_CHECK_IN_TAKEN_BACK, registration)
    return here.exists()


@transaction.atomic
def drop_missing(tournament: Tournament, numbers: Collection[int], actor: Actor) -> int:
    """Drop all players not checked in for day 2, and return their number.

    Each drop can be undone separately. `numbers` are the players on the confirmed list. Raises
    NotDayTwo, and MissingHaveChanged if the list differs by now.
    """
    locked = history.lock_unfinished(tournament)
    if not queries.day_two_check_in_is_open(locked):
        raise NotDayTwo("Check-in for day 2 is not open.")
    missing = list(queries.day_two_missing(locked))
    if {one.number for one in missing} != set(numbers):
        raise MissingHaveChanged("The list has changed. Check the names again, then drop them.")
    attendance.move(locked, missing, actor, attendance.leaving(DroppedBy.DAY_TWO))
    return len(missing)
