"""Card data as plain records, used to compare a source with the database.

`where` is the position in the source and is ignored in comparisons. Records reference each other by
source id: sets, pools and ban lists by `id`, cards by `key`.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from core.text import comparison_key
from decks.titles import folded_title


def _where() -> Any:
    return field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class CardRecord:
    """One card title. Figures are digits, "X" or empty; numbers are None if not applicable.

    `set_name` is the set of the latest printing; `slug` is the URL slug.
    """

    title: str
    slug: str
    side: str
    type: str
    card_id: str = ""
    faction: str = ""
    set_name: str = ""
    rarity: str = ""
    subtypes: str = ""
    difficulty: str = ""
    agenda_points: int | None = None
    cost: str = ""
    strength: str = ""
    memory: str = ""
    trash_cost: str = ""
    influence_cost: int | None = None
    minimum_deck_size: int | None = None
    influence_limit: int | None = None
    deck_limit: int | None = None
    is_unique: bool = False
    where: str = _where()

    @cached_property
    def title_key(self) -> str:
        return comparison_key(self.title)

    @cached_property
    def folded_title(self) -> str:
        return folded_title(self.title)

    @property
    def key(self) -> str:
        """Reference to the card: the id, or the title key if the id is empty."""
        return self.card_id or self.title_key


@dataclass(frozen=True)
class AliasRecord:
    """Alternative spelling of a card title."""

    alias: str
    card: str
    where: str = _where()

    @cached_property
    def alias_key(self) -> str:
        return comparison_key(self.alias)

    @property
    def folded_alias(self) -> str:
        return folded_title(self.alias)


@dataclass(frozen=True)
class FactionRecord:
    id: str
    name: str
    side: str
    is_mini: bool
    where: str = _where()


@dataclass(frozen=True)
class CycleRecord:
    id: str
    name: str
    position: int
    where: str = _where()


@dataclass(frozen=True)
class SetRecord:
    id: str
    name: str
    cycle: str
    type: str
    released_on: datetime.date | None
    size: int | None
    where: str = _where()


@dataclass(frozen=True)
class PrintingRecord:
    """A card in a set; `code` is text such as "01004"."""

    code: str
    card: str
    card_set: str
    position: int
    quantity: int
    where: str = _where()


@dataclass(frozen=True)
class PoolRecord:
    id: str
    name: str
    format: str
    sets: frozenset[str] = frozenset()
    where: str = _where()


@dataclass(frozen=True)
class EntryRecord:
    """Ban list entry. `kind` is a RestrictionKind; `value` is its points or influence."""

    card: str
    kind: str
    value: int | None = None


@dataclass(frozen=True)
class RestrictionRecord:
    """Ban list; subtypes are in lower case."""

    id: str
    name: str
    format: str
    effective_from: datetime.date
    banned_subtypes: frozenset[str] = frozenset()
    point_limit: int | None = None
    entries: frozenset[EntryRecord] = frozenset()
    where: str = _where()


@dataclass(frozen=True)
class SnapshotRecord:
    """A pool and its ban list (empty: none) from a date on.

    `position` is the index within its format in the source.
    """

    id: str
    format: str
    position: int
    effective_from: datetime.date
    pool: str
    restriction: str = ""
    where: str = _where()


@dataclass(frozen=True)
class FormatRecord:
    id: str
    name: str
    position: int
    where: str = _where()


class WithId(Protocol):
    """A record that is referenced by its id."""

    @property
    def id(self) -> str: ...
    @property
    def where(self) -> str: ...


@dataclass(frozen=True)
class CardData:
    """All card data of one game, from a source or the database."""

    game: str
    source: str = ""
    source_date: datetime.date | None = None
    factions: tuple[FactionRecord, ...] = ()
    cycles: tuple[CycleRecord, ...] = ()
    sets: tuple[SetRecord, ...] = ()
    cards: tuple[CardRecord, ...] = ()
    aliases: tuple[AliasRecord, ...] = ()
    printings: tuple[PrintingRecord, ...] = ()
    formats: tuple[FormatRecord, ...] = ()
    pools: tuple[PoolRecord, ...] = ()
    restrictions: tuple[RestrictionRecord, ...] = ()
    snapshots: tuple[SnapshotRecord, ...] = ()

    def with_ids(self) -> tuple[Sequence[WithId], ...]:
        """Return the records of each kind that has an id."""
        return (
            *(self.factions, self.cycles, self.sets, self.formats),
            *(self.pools, self.restrictions, self.snapshots),
        )
