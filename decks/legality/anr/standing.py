"""Legality of one card in each format, on a given day and over time."""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import dropwhile, groupby, pairwise

from decks.legality.anr import pool, restrictions
from decks.legality.formats import FormatFacts, RestrictionFacts, SnapshotFacts
from decks.legality.records import CardFacts

ONE_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Saying:
    """Status of a card: pool membership, bans, and charges per copy."""

    in_pool: bool
    banned: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_legal(self) -> bool:
        return self.in_pool and not self.banned

    @property
    def status(self) -> str:
        """Status as a single word: legal, restricted, banned or outside."""
        if not self.in_pool:
            return "outside"
        if self.banned:
            return "banned"
        return "restricted" if self.notes else "legal"

    @property
    def text(self) -> str:
        """Status as text, such as "Legal, costs 3 points"."""
        state = {"outside": "Not in the card pool", "banned": "Banned"}.get(self.status, "Legal")
        return ", ".join([state, *self.notes])


@dataclass(frozen=True)
class Period:
    """Period in which the status of a card in a format did not change.

    `last` is None if no end is known. `lists` are the names of the ban lists in force, `pools`
    those of the card pools, earliest first.
    """

    format_id: str
    format_name: str
    first: datetime.date
    last: datetime.date | None
    saying: Saying
    lists: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """Names of the first and last list or pool responsible for the status; empty if legal."""
        names = self.pools
        if self.saying.in_pool:
            names = () if self.saying.status == "legal" else self.lists
        return names if len(names) < 2 else (names[0], names[-1])

    def holds_on(self, date: datetime.date) -> bool:
        return self.first <= date and (self.last is None or date <= self.last)


@dataclass(frozen=True)
class Standing:
    """Status of a card in a format on a day; `period` is None before its first pool.

    `next` is the next known change.
    """

    format_id: str
    format_name: str
    period: Period | None
    next: Period | None = None

    @property
    def saying(self) -> Saying:
        return self.period.saying if self.period else Saying(in_pool=False)


def saying(card: CardFacts, snapshot: SnapshotFacts) -> Saying:
    if not pool.allows(card, snapshot):
        return Saying(in_pool=False)
    if restrictions.is_banned(card, snapshot.restriction):
        return Saying(in_pool=True, banned=True)
    notes = _notes(card, snapshot.restriction) if snapshot.restriction else ()
    return Saying(in_pool=True, notes=tuple(notes))


def periods(
    card: CardFacts, format_: FormatFacts, released: datetime.date | None = None
) -> tuple[Period, ...]:
    """Return the history of the card in the format, from its first day in a pool.

    The first pools list sets that came out later. `released`, the date of the card's first
    printing, cuts off earlier days.
    """
    said = [(saying(card, one), one) for one in format_.timeline]
    runs = [
        (words, [snapshot for _, snapshot in run])
        for words, run in groupby(said, key=lambda pair: pair[0])
    ]
    ends: list[datetime.date | None] = [
        following[1][0].effective_from - ONE_DAY for _, following in pairwise(runs)
    ]
    found = (
        _period(format_, words, run, last)
        for (words, run), last in zip(runs, [*ends, None], strict=False)
    )
    shown = _not_before(released, found) if released else found
    return tuple(dropwhile(lambda one: not one.saying.in_pool, shown))


def standings(
    card: CardFacts,
    formats: Iterable[FormatFacts],
    date: datetime.date,
    released: datetime.date | None = None,
) -> tuple[Standing, ...]:
    """Return the status of the card in each format on the day, with the next known change."""
    return tuple(_standing(card, format_, date, released) for format_ in formats)


def is_legal(card: CardFacts, format_: FormatFacts, date: datetime.date) -> bool:
    """True if a deck of the format may include the card on the day."""
    snapshot = format_.on(date)
    return snapshot is not None and saying(card, snapshot).is_legal


def _not_before(released: datetime.date, found: Iterable[Period]) -> Iterator[Period]:
    for one in found:
        if one.last is None or one.last >= released:
            yield replace(one, first=max(one.first, released))


def _standing(
    card: CardFacts, format_: FormatFacts, date: datetime.date, released: datetime.date | None
) -> Standing:
    history = periods(card, format_, released)
    now = next((one for one in history if one.holds_on(date)), None)
    coming = next((one for one in history if one.first > date), None)
    return Standing(format_.id, format_.name, now, coming)


def _period(
    format_: FormatFacts,
    words: Saying,
    run: list[SnapshotFacts],
    last: datetime.date | None,
) -> Period:
    lists = (one.restriction.name for one in run if one.restriction)
    return Period(
        format_.id,
        format_.name,
        run[0].effective_from,
        last,
        words,
        tuple(dict.fromkeys(lists)),
        tuple(dict.fromkeys(one.pool.name for one in run)),
    )


def _notes(card: CardFacts, restriction: RestrictionFacts) -> Iterator[str]:
    name = card.card_id
    if name in restriction.restricted:
        yield "restricted to one title of the list"
    if points := restriction.points.get(name):
        yield f"costs {points} point{'' if points == 1 else 's'}"
    if more := restriction.universal_influence.get(name):
        yield f"each copy costs {more} more influence"
    if less := restriction.global_penalty.get(name):
        yield f"each copy lowers the influence limit by {less}"
