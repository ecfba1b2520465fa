"""What the module of a system reads and answers; players go by their number in the event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from engine.pairing import Entrant, LockedBye, LockedPod, PairedBye, Reason
from engine.standings import PlayerId
from tournaments.event import field as field_of_event
from tournaments.models import Registration, Stage

Kept: TypeAlias = LockedPod | LockedBye
"""A table of any system, in the order of its seats, or a bye that stays as it is."""


@dataclass(frozen=True)
class Wanted:
    """The round to be made.

    `registrations` are all who are to be in it, those at kept tables among them, by number.
    """

    stage: Stage
    number: int
    seed: int
    registrations: tuple[Registration, ...]
    kept: tuple[Kept, ...] = ()

    @cached_property
    def entrants(self) -> list[Entrant]:
        """The field with what closed rounds made of it; asks the database once."""
        return field_of_event.entrants(self.stage.tournament, self.registrations)


@dataclass(frozen=True)
class NewTable:
    """A table with its price and reasons; the first seat is Corp in game 1 where there are roles.

    A `locked` one, like a locked bye, is there already and is not written again.
    """

    number: int
    players: tuple[PlayerId, ...]
    cost: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    locked: bool = False
    bracket_game: int | None = None


@dataclass(frozen=True)
class Drafted:
    """The answer: tables and byes, the rules that gave way, and the certificate as an object."""

    tables: tuple[NewTable, ...]
    byes: tuple[PairedBye, ...] = ()
    relaxations: tuple[Reason, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)


def kept_alone(wanted: Wanted) -> Drafted:
    """Kept tables and byes, and nobody else seated: a round paired by hand begins so."""
    tables = [one for one in wanted.kept if isinstance(one, LockedPod)]
    byes = [one for one in wanted.kept if isinstance(one, LockedBye)]
    return Drafted(
        tables=tuple(NewTable(table.number, table.seats, locked=True) for table in tables),
        byes=tuple(PairedBye(bye.player, {}, (), locked=True) for bye in byes),
    )
