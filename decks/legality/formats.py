"""Formats: snapshots of a card pool and a ban list, each in force from a date on."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from decks.legality import wording


@dataclass(frozen=True)
class PoolFacts:
    """The sets of a pool. A card is in the pool if any of its printings is in such a set."""

    id: str
    name: str
    set_ids: frozenset[str]


@dataclass(frozen=True)
class RestrictionFacts:
    """A ban list; cards are given by `card_id`, subtypes in lower case.

    `points` count once per title, up to `point_limit` (None: no card costs points).
    `universal_influence` is charged for each copy, even in faction. `global_penalty` lowers the
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
    """Pool and ban list of a format from a date until its next snapshot.

    `format_id` is needed for the few rules that apply to a single format.
    """

    id: str
    effective_from: datetime.date
    pool: PoolFacts
    restriction: RestrictionFacts | None
    format_id: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the pool and of the ban list, if any."""
        pool = f"card pool {self.pool.name}"
        return (pool, self.restriction.name) if self.restriction else (pool,)


@dataclass(frozen=True)
class FormatFacts:
    """A format with its snapshots in the order of the source."""

    id: str
    name: str
    snapshots: tuple[SnapshotFacts, ...]

    @cached_property
    def timeline(self) -> tuple[SnapshotFacts, ...]:
        """The snapshots that were ever in force, by start date.

        If two start on the same day, the later in the list applies.
        """
        by_day = {one.effective_from: one for one in self.snapshots}
        return tuple(by_day[day] for day in sorted(by_day))

    def on(self, date: datetime.date) -> SnapshotFacts | None:
        """Return the snapshot in force on the day, or None before the first.

        The snapshot that started last applies. Source: docs/decks.md.
        """
        begun = (one for one in reversed(self.timeline) if one.effective_from <= date)
        return next(begun, None)


@dataclass(frozen=True)
class Outdated:
    """Card data older than the requested day; changes since then are unknown.

    `newest` is the newest ban list of the format, if any.
    """

    as_of: datetime.date
    date: datetime.date
    newest: RestrictionFacts | None

    def as_document(self) -> dict[str, str]:
        return {"as_of": self.as_of.isoformat(), "message": self.in_words()}

    def in_words(self) -> str:
        """Notice for users that newer cards and ban lists may apply."""
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
    """Return a notice if the data is older than the day and its date is known, otherwise None."""
    if as_of is None or as_of >= date:
        return None
    lists = [one.restriction for one in format_.timeline if one.restriction]
    return Outdated(as_of, date, lists[-1] if lists else None)


class FormatTable:
    """The formats of a game by id, in display order.

    `as_of` is the date of the data, or None if the source has no date.
    """

    def __init__(
        self, formats: Iterable[FormatFacts] = (), as_of: datetime.date | None = None
    ) -> None:
        self._formats = {one.id: one for one in formats}
        self.as_of = as_of

    def __iter__(self) -> Iterator[FormatFacts]:
        return iter(self._formats.values())

    def find(self, format_id: str) -> FormatFacts | None:
        return self._formats.get(format_id)
