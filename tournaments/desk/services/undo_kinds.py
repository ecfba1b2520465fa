"""What every kind of change that can be taken back says of itself."""

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
    """Something later stands on the change, or what it was about is gone."""


@dataclass(frozen=True)
class Kind:
    """One kind of change, and the way back.

    `can` is the ability the change itself wants, `says` the sentence of what taking it back will
    do, `act` does it through the services (entry, actor, reason) and records at least one change.
    `track` finds the entries that moved the same thing: a later one in force stands on this one.
    `touches` says what else is another thing then, where that is more than a sentence.
    """

    can: Ability
    says: Callable[[LogEntry], str]
    act: Callable[[LogEntry, Actor, str], Any]
    track: Callable[[LogEntry], Q]
    touches: Callable[[LogEntry], Impact | None] = lambda _: None


def round_of(entry: LogEntry) -> Round:
    """The round it is about. Raises CannotUndo when that is gone."""
    if entry.round is None:
        raise CannotUndo("This round was discarded, so there is nothing to undo.")
    return entry.round


def pairing_of(entry: LogEntry) -> Pairing:
    """The table it is about. Raises CannotUndo when that is gone."""
    if entry.pairing is None:
        raise CannotUndo("This table was re-paired since, so there is nothing to undo.")
    return entry.pairing


def place_of(entry: LogEntry) -> Registration:
    """The place in the event it is about. Raises CannotUndo when that is gone."""
    if entry.registration is None:
        raise CannotUndo("This player is not on the roster any more.")
    return entry.registration


def on_same(about: str, *actions: str) -> Callable[[LogEntry], Q]:
    """Entries of these actions on the same "round", "pairing" or "registration"."""
    return lambda entry: Q(action__in=actions, **{about: getattr(entry, f"{about}_id")})


def of_event(*actions: str) -> Callable[[LogEntry], Q]:
    """Entries of these actions, whatever they are about."""
    return lambda _entry: Q(action__in=actions)
