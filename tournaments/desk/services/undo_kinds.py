"""Undo rules, and lookups for the subject of a log entry."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from core.errors import Refusal
from tournaments.event.actors import Actor
from tournaments.models import LogEntry, Pairing, Registration, Round, Tournament
from tournaments.results.queries.impact import Impact

Ability = Callable[[Actor, Tournament], bool]


class CannotUndo(Refusal):
    """A later change depends on this change, or its subject no longer exists."""


@dataclass(frozen=True)
class Kind:
    """Undo rule for a kind of change.

    `can` is the permission the change itself requires. `says` describes the effect of the undo.
    `act` (entry, actor, reason) performs it through the services and logs at least one change.
    `track` selects log entries on the same subject; a later one in force blocks the undo. `touches`
    returns the impact on standings, if any.
    """

    can: Ability
    says: Callable[[LogEntry], str]
    act: Callable[[LogEntry, Actor, str], Any]
    track: Callable[[LogEntry], Q]
    touches: Callable[[LogEntry], Impact | None] = lambda _: None


def round_of(entry: LogEntry) -> Round:
    """The round of the entry. Raises CannotUndo if it no longer exists."""
    if entry.round is None:
        raise CannotUndo("This round was discarded, so there is nothing to undo.")
    return entry.round


def pairing_of(entry: LogEntry) -> Pairing:
    """The table of the entry. Raises CannotUndo if it no longer exists."""
    if entry.pairing is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return entry.pairing


def place_of(entry: LogEntry) -> Registration:
    """The registration of the entry. Raises CannotUndo if it no longer exists."""
    if entry.registration is None:
        raise CannotUndo("This player is not on the roster any more.")
    return entry.registration


def on_same(about: str, *actions: str) -> Callable[[LogEntry], Q]:
    """Match entries of these actions with the same "round", "pairing" or "registration"."""
    return lambda entry: Q(action__in=actions, **{about: getattr(entry, f"{about}_id")})


def of_event(*actions: str) -> Callable[[LogEntry], Q]:
    """Match all entries of these actions."""
    return lambda _entry: Q(action__in=actions)
