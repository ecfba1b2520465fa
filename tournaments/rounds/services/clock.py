"""The clock of a round after its start: paused, going on, given time or taken; all in the log.

Two who press at once do no harm: a pause is a pause, and who adds minutes says how many there
were, so that the same click sent twice counts once.
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
    """Somebody changed the clock since the page was made."""


class OutOfMeasure(Refusal):
    """So many minutes no round and no table can have."""


@transaction.atomic
def pause(round_: Round, actor: Actor) -> None:
    """The clock is paused. Paused twice, it keeps the first moment. Raises WrongState."""
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
    """The clock goes on from where it stood; one that is running runs on.

    `seen` is the `pause_mark` of the page: a pause made since then stays.

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
    """Give the whole room minutes, or take some with a number below zero.

    `seen` are the minutes that had been added when the page was made; who asks for what has
    been done meanwhile changes nothing.

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
    """Give one table minutes besides those of the room; a number below zero takes them back.

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
    """Whether the minutes asked for were added since they were `seen`: the same click again."""
    if seen is None or seen == had:
        return False
    if had == seen + minutes:
        return True
    raise ClockMoved("The time was changed meanwhile. Check it, then try again.")


def _minutes(had: int, subject: Round | Pairing) -> dict[str, Any]:
    """The minutes of a round or a table before and after, as the log keeps them."""
    return {
        "before": {"extra_minutes": had},
        "after": {"extra_minutes": subject.extra_minutes},
    }
