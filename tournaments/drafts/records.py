"""What the module of a system reads and answers; players go by their number in the event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from tournaments import field as field_of_event
from tournaments.models import Registration, Stage
from tournaments.pairing import Entrant, Reason
from tournaments.standings import PlayerId


@dataclass(frozen=True)
class KeptTable:
    """A table that stays as it is; `players` in the order of their seats."""

    number: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True)
class KeptBye:
    """A bye that stays."""

    player: PlayerId


Kept: TypeAlias = KeptTable | KeptBye


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

    A `locked` one is there already and is not written again.
    """

    number: int
    players: tuple[PlayerId, ...]
    cost: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    locked: bool = False
    bracket_game: int | None = None


@dataclass(frozen=True)
class NewBye:
    """Who sits out; a `locked` one is there already."""

    player: PlayerId
    cost: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    locked: bool = False


@dataclass(frozen=True)
class Drafted:
    """The answer: tables and byes, the rules that gave way, and the certificate as an object."""

    tables: tuple[NewTable, ...]
    byes: tuple[NewBye, ...] = ()
    relaxations: tuple[Reason, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)
