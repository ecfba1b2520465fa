"""The form of an undo rule, and the objects of a log entry that undo rules share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from core.errors import Refusal
from tournaments.event.permissions import Actor
from tournaments.models import LogEntry, Pairing, Registration, Round, Tournament
from tournaments.results.queries import Impact


class CannotUndo(Refusal):
    """A later change depends on this change, or its subject no longer exists."""


@dataclass(frozen=True)
class UndoRule:
    """Undo rule for a kind of change.

    `can` is the permission the change itself requires. `describe` returns the effect of the undo as
    text. `act` (entry, actor, reason) performs it through the services and logs at least one
    change. `track` selects log entries on the same subject; a later entry in force blocks the undo.
    `impact` returns the impact on standings, if any.
    """

    can: Callable[[Actor, Tournament], bool]
    describe: Callable[[LogEntry], str]
    act: Callable[[LogEntry, Actor, str], Any]
    track: Callable[[LogEntry], Q]
    impact: Callable[[LogEntry], Impact | None] = lambda _: None


def round_of(entry: LogEntry) -> Round:
    """Return the round of the entry. Raises CannotUndo if it no longer exists."""
    if entry.round is None:
        raise CannotUndo("This round was discarded, so there is nothing to undo.")
    return entry.round


def pairing_of(entry: LogEntry) -> Pairing:
    """Return the table of the entry. Raises CannotUndo if it no longer exists."""
    if entry.pairing is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return entry.pairing


def registration_of(entry: LogEntry) -> Registration:
    """Return the registration of the entry. Raises CannotUndo if it no longer exists."""
    if entry.registration is None:
        raise CannotUndo("This player is no longer on the roster.")
    return entry.registration


def with_same(about: str, *actions: str) -> Callable[[LogEntry], Q]:
    """Match entries of these actions with the same "round", "pairing" or "registration"."""
    return lambda entry: Q(action__in=actions, **{about: getattr(entry, f"{about}_id")})


def with_actions(*actions: str) -> Callable[[LogEntry], Q]:
    return lambda _entry: Q(action__in=actions)
