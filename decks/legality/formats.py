"""What a format allows on a day: snapshots of a card pool and a ban list."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from decks.legality import wording


@dataclass(frozen=True)
class PoolFacts:
    """The sets of a pool. A card is in the pool if one of its printings is of such a set."""

    id: str
    name: str
    set_ids: frozenset[str]


@dataclass(frozen=True)
class RestrictionFacts:
    """A ban list; cards are named by `card_id`, subtypes in lower case.

    `points` are counted once a title up to `point_limit` (None: no card costs points);
    `universal_influence` is charged for each copy, in faction too; `global_penalty` lowers the
    influence limit for each copy.
    """

    id: str
    name: str
    effective_from: datetime.date
    banned: frozenset[str] = frozenset()
    banned_subtypes: frozenset[str] = frozenset()
    restricted: frozenset[str] = frozenset()
    points: Mapping[str, int] = field(default_factory=dict)
    point_limit: int | None = None
    universal_influence: Mapping[str, int] = field(default_factory=dict)
    global_penalty: Mapping[str, int] = field(default_factory=dict)

    @property
    def changes_influence(self) -> bool:
        return bool(self.universal_influence or self.global_penalty)


@dataclass(frozen=True)
class SnapshotFacts:
    """What a format allowed from a day on, until the next snapshot of it.

    `format_id` says which format, for the few rules that hold in one format only.
    """

    id: str
    effective_from: datetime.date
    pool: PoolFacts
    restriction: RestrictionFacts | None
    format_id: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What is in force, by name: the pool, and the ban list if there is one."""
        pool = f"card pool {self.pool.name}"
        return (pool, self.restriction.name) if self.restriction else (pool,)


@dataclass(frozen=True)
class FormatFacts:
    """A format with its snapshots as the source lists them."""

    id: str
    name: str
    snapshots: tuple[SnapshotFacts, ...]

    @cached_property
    def timeline(self) -> tuple[SnapshotFacts, ...]:
        """The snapshots that were ever in force, by their first day.

        Of two that begin on one day the later in the list holds.
        """
        by_day = {one.effective_from: one for one in self.snapshots}
        return tuple(by_day[day] for day in sorted(by_day))

    def on(self, date: datetime.date) -> SnapshotFacts | None:
        """The snapshot in force on the day: the one that began last.

        Source: docs/decks.md. None before the first one began.
        """
        begun = (one for one in reversed(self.timeline) if one.effective_from <= date)
        return next(begun, None)


@dataclass(frozen=True)
class Outdated:
    """Card data from before a day: what came between the two is not known.

    `newest` is the newest ban list of the format, if it has one.
    """

    as_of: datetime.date
    date: datetime.date
    newest: RestrictionFacts | None

    def as_document(self) -> dict[str, str]:
        """The public JSON of `check_deck`."""
        return {"as_of": self.as_of.isoformat(), "message": self.in_words()}

    def in_words(self) -> str:
        """What a reader has to look up themself."""
        known = (
            f"The newest ban list known is {self.newest.name}, in force since "
            f"{wording.day(self.newest.effective_from)}."
            if self.newest
            else "No ban list of it is known."
        )
        return (
            f"The card data of this site is from {wording.day(self.as_of)}, before "
            f"{wording.day(self.date)}. Newer cards and ban lists are not known here. {known}"
        )


def outdated(
    format_: FormatFacts, as_of: datetime.date | None, date: datetime.date
) -> Outdated | None:
    """What to say of data older than the day; None for data that is as new, or of no known day."""
    if as_of is None or as_of >= date:
        return None
    lists = [one.restriction for one in format_.timeline if one.restriction]
    return Outdated(as_of, date, lists[-1] if lists else None)


class FormatTable:
    """The formats of a game by id, in the order pages list them.

    `as_of` is the day of the data they are from; None where the source names none.
    """

    def __init__(
        self, formats: Iterable[FormatFacts] = (), as_of: datetime.date | None = None
    ) -> None:
        self._formats = {one.id: one for one in formats}
        self.as_of = as_of

    def __iter__(self) -> Iterator[FormatFacts]:
        return iter(self._formats.values())

    def find(self, format_id: str) -> FormatFacts | None:
        """The format of this id."""
        return self._formats.get(format_id)
