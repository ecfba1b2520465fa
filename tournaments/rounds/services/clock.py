"""Pause, resume and adjust the clock of a running round.

Repeated clicks are harmless. Pausing twice pauses once. A request to add minutes carries the
minutes added so far, so a resent click counts once.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from core.text import counted
from engine.clock import Clock, ClockState, paused, resumed
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Pairing, Round
from tournaments.rounds.services import rounds
from tournaments.rounds.services.rounds import WrongState

MOST_ROUND_MINUTES = 600
MOST_TABLE_MINUTES = 60
FIELDS = ("paused_at", "paused_seconds")


class ClockMoved(Refusal):
    """Another user changed the clock since the page was made."""


class OutOfMeasure(Refusal):
    """The minutes are outside the limits of a round or a table."""


@transaction.atomic
def pause(round_: Round, actor: Actor) -> None:
    """Pause the clock. Pausing twice keeps the first moment. Raises WrongState."""
    tournament, round_ = rounds.lock_round(round_)
    clock = queries.clock_of(round_)
    if clock.state is ClockState.PAUSED:
        return
    if clock.state is not ClockState.RUNNING:
        raise WrongState(f"The clock of round {round_.number} is not running.")
    _keep(round_, paused(clock, timezone.now()))
    history.record(tournament, actor, LogAction.CLOCK_PAUSED, round_)


@transaction.atomic
def resume(round_: Round, actor: Actor, seen: int | None = None) -> None:
    """Resume a paused clock; a running clock is unchanged.

    `seen` is the `pause_mark` of the page: a later pause is not ended.

    Raises WrongState and ClockMoved.
    """
    tournament, round_ = rounds.lock_round(round_)
    clock = queries.clock_of(round_)
    if clock.state is ClockState.RUNNING:
        return
    if clock.state is not ClockState.PAUSED:
        raise WrongState(f"The clock of round {round_.number} is not paused.")
    if seen is not None and seen != queries.pause_mark(round_):
        raise ClockMoved("The clock was paused again. Check it, then resume.")
    _keep(round_, resumed(clock, timezone.now()))
    history.record(tournament, actor, LogAction.CLOCK_RESUMED, round_)


def _keep(round_: Round, clock: Clock) -> None:
    round_.paused_at, round_.paused_seconds = clock.paused_at, clock.paused_seconds
    round_.save(update_fields=FIELDS)


@transaction.atomic
def add(round_: Round, minutes: int, actor: Actor, seen: int | None = None) -> None:
    """Add minutes for the whole room; a negative number takes minutes away.

    `seen` is the number of added minutes when the page was made. Does nothing if the same change
    was made since.

    Raises WrongState, ClockMoved and OutOfMeasure.
    """
    tournament, round_ = rounds.lock_round(round_)
    _refuse_without_clock(round_)
    had = round_.extra_minutes
    if _is_done(seen, minutes, had):
        return
    whole = tournament.round_minutes + had + minutes
    if not 1 <= whole <= MOST_ROUND_MINUTES:
        raise OutOfMeasure(
            f"Round {round_.number} would last {counted(whole, 'minute')}. It can last 1 to "
            f"{MOST_ROUND_MINUTES}."
        )
    round_.extra_minutes = had + minutes
    round_.save(update_fields=["extra_minutes"])
    action = LogAction.MINUTES_ADDED if minutes > 0 else LogAction.MINUTES_TAKEN
    history.record(tournament, actor, action, round_, **_minutes(had, round_))


@transaction.atomic
def add_to_table(
    pairing: Pairing, minutes: int, actor: Actor, reason: str = "", seen: int | None = None
) -> None:
    """Add minutes for one table, on top of those of the room; a negative number takes them back.

    `seen` as in `add`. Raises WrongState, ClockMoved and OutOfMeasure.
    """
    tournament, round_ = rounds.lock_round(pairing.round)
    _refuse_without_clock(round_)
    tables = Pairing.objects.select_for_update(of=("self",))
    locked = tables.filter(pk=pairing.pk, bye=None).first()
    if locked is None:
        raise WrongState("This table was re-paired. Check who sits where now.")
    locked.round = round_
    had = locked.extra_minutes
    if _is_done(seen, minutes, had):
        return
    if not 0 <= had + minutes <= MOST_TABLE_MINUTES:
        raise OutOfMeasure(
            f"Table {locked.table_number} would have {had + minutes} more minutes than the room. "
            f"It can have 0 to {MOST_TABLE_MINUTES}."
        )
    locked.extra_minutes = had + minutes
    locked.save(update_fields=["extra_minutes"])
    values = _minutes(had, locked)
    history.record(tournament, actor, LogAction.TABLE_GIVEN_TIME, locked, reason=reason, **values)


def _refuse_without_clock(round_: Round) -> None:
    if not round_.is_played:
        state = "a draft" if round_.is_draft else "closed"
        raise WrongState(f"Round {round_.number} is {state}, so it has no clock.")


def _is_done(seen: int | None, minutes: int, had: int) -> bool:
    """Return True if the same click was sent before and its minutes were added.

    Raises ClockMoved if the minutes were changed differently since the page was made.
    """
    if seen is None or seen == had:
        return False
    if had == seen + minutes:
        return True
    raise ClockMoved("The time was changed meanwhile. Check it, then try again.")


def _minutes(had: int, subject: Round | Pairing) -> dict[str, Any]:
    return {
        "before": {"extra_minutes": had},
        "after": {"extra_minutes": subject.extra_minutes},
    }
