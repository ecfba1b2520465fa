"""The form of an undo rule, and the objects of a log entry that undo rules share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from core.errors import Refusal
from tournaments.event.permissions import Actor
from tournaments.models import LogEntry, Pairing, Registration, Round, Tournament
from tournaments.results.queries import Impact


class CannotUndo(Refusal):
    """A later change depends on this change, or its subject no longer exists."""


@dataclass(frozen=True)
class UndoRule:
    """Undo rule for a kind of change."""

    # The permission that the change itself requires.
    can: Callable[[Actor, Tournament], bool]
    # The effect of the undo as text.
    describe: Callable[[LogEntry], str]
    # Undo by (entry, actor, reason) through the services; logs at least one change.
    act: Callable[[LogEntry, Actor, str], Any]
    # Select log entries on the same subject: a later entry in force blocks the undo.
    track: Callable[[LogEntry], Q]
    # The impact on standings, if any.
    impact: Callable[[LogEntry], Impact | None] = lambda _: None


# Each of these raises CannotUndo if the object no longer exists.


def round_of(entry: LogEntry) -> Round:
    if entry.round is None:
        raise CannotUndo(gettext("This round was discarded, so there is nothing to undo."))
    return entry.round


def pairing_of(entry: LogEntry) -> Pairing:
    if entry.pairing is None:
        raise CannotUndo(
            gettext("This table has been re-paired since, so there is nothing to undo.")
        )
    return entry.pairing


def registration_of(entry: LogEntry) -> Registration:
    if entry.registration is None:
        raise CannotUndo(gettext("This player is no longer on the roster."))
    return entry.registration


def with_same(about: str, *actions: str) -> Callable[[LogEntry], Q]:
    """Match entries of these actions with the same "round", "pairing" or "registration"."""
    return lambda entry: Q(action__in=actions, **{about: getattr(entry, f"{about}_id")})


def with_actions(*actions: str) -> Callable[[LogEntry], Q]:
    return lambda _entry: Q(action__in=actions)
