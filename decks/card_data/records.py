"""Card data as plain records, used to compare a source with the database.

`where` is the position in the source and is ignored in comparisons. Records reference each other by
source id: sets, pools and ban lists by `id`, cards by `key`.
"""

import dataclasses
import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from core.text import comparison_key
from decks.card_data.fields import source_damage
from decks.titles import folded_title


def _where_field() -> Any:
    return field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class CardRecord:
    """A card title. Figures are digits, "X" or empty; numbers are None if not applicable."""

    title: str
    slug: str
    side: str
    type: str
    card_id: str = ""
    faction: str = ""
    # Set of the latest printing.
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
    where: str = _where_field()

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
    alias: str
    card: str
    where: str = _where_field()

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
    where: str = _where_field()


@dataclass(frozen=True)
class CycleRecord:
    id: str
    name: str
    position: int
    where: str = _where_field()


@dataclass(frozen=True)
class SetRecord:
    id: str
    name: str
    cycle: str
    type: str
    released_on: datetime.date | None
    size: int | None
    where: str = _where_field()


@dataclass(frozen=True)
class PrintingRecord:
    # Text such as "01004".
    code: str
    card: str
    card_set: str
    position: int
    quantity: int
    where: str = _where_field()


@dataclass(frozen=True)
class PoolRecord:
    id: str
    name: str
    format: str
    sets: frozenset[str] = frozenset()
    where: str = _where_field()


@dataclass(frozen=True)
class EntryRecord:
    card: str
    # Value of RestrictionKind.
    kind: str
    # Points or influence.
    value: int | None = None


@dataclass(frozen=True)
class RestrictionRecord:
    id: str
    name: str
    format: str
    effective_from: datetime.date
    # In lower case.
    banned_subtypes: frozenset[str] = frozenset()
    point_limit: int | None = None
    entries: frozenset[EntryRecord] = frozenset()
    where: str = _where_field()


@dataclass(frozen=True)
class SnapshotRecord:
    id: str
    format: str
    # Index within its format in the source.
    position: int
    effective_from: datetime.date
    pool: str
    # Empty without a ban list.
    restriction: str = ""
    where: str = _where_field()


@dataclass(frozen=True)
class FormatRecord:
    id: str
    name: str
    position: int
    where: str = _where_field()


@dataclass(frozen=True)
class CardData:
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


# Consistency


KINDS_WITH_IDS = (
    "factions",
    "cycles",
    "sets",
    "formats",
    "pools",
    "restrictions",
    "snapshots",
)


def check_references(data: CardData) -> CardData:
    """Return `data` unchanged. Raises DamagedSource for duplicates and dangling references."""
    _refuse_duplicates(data)
    for where, kind, name, known in _references(data):
        if name not in known:
            raise source_damage(where, f'{kind} "{name}" is not in the source')
    by_key = {card.key: card for card in data.cards}
    by_title = {card.title_key: card for card in data.cards}
    for alias in data.aliases:
        card = by_key.get(alias.card)
        if card is None:
            raise source_damage(alias.where, f"no card is called {alias.card}")
        if by_title.get(alias.alias_key, card) is not card:
            raise source_damage(alias.where, f"{alias.alias} is a card of its own")
    return data


def _refuse_duplicates(data: CardData) -> None:
    _refuse_repeats((card.where, card.title_key, card.title) for card in data.cards)
    _refuse_repeats((card.where, card.slug, card.title) for card in data.cards)
    _refuse_repeats((card.where, card.card_id, card.card_id) for card in data.cards if card.card_id)
    _refuse_repeats((printing.where, printing.code, printing.code) for printing in data.printings)
    for kind in KINDS_WITH_IDS:
        _refuse_repeats((record.where, record.id, record.id) for record in getattr(data, kind))
    for list_ in data.restrictions:
        entries = ((entry.card, entry.kind) for entry in list_.entries)
        _refuse_repeats((list_.where, f"{card} {kind}", card) for card, kind in entries)


def _refuse_repeats(keys: Iterable[tuple[str, str, str]]) -> None:
    """Raise DamagedSource for a duplicate key; `keys` are (where, key, text) tuples."""
    known: set[str] = set()
    for where, key, words in keys:
        if key in known:
            raise source_damage(where, f"{words} stands in the source already")
        known.add(key)


def _references(data: CardData) -> Iterator[tuple[str, str, str, Iterable[str]]]:
    """Yield (where, kind, name, known names) for every reference between records."""
    cards = {card.key for card in data.cards}
    ids = {kind: {record.id for record in getattr(data, kind)} for kind in KINDS_WITH_IDS}
    for card in data.cards:
        if card.faction:
            yield card.where, "the faction", card.faction, ids["factions"]
    for card_set in data.sets:
        if card_set.cycle:
            yield card_set.where, "the cycle", card_set.cycle, ids["cycles"]
    for printing in data.printings:
        yield printing.where, "the card", printing.card, cards
        yield printing.where, "the set", printing.card_set, ids["sets"]
    for pool in data.pools:
        yield pool.where, "the format", pool.format, ids["formats"]
        yield from ((pool.where, "the set", id_, ids["sets"]) for id_ in sorted(pool.sets))
    for list_ in data.restrictions:
        yield list_.where, "the format", list_.format, ids["formats"]
        entries = sorted({entry.card for entry in list_.entries})
        yield from ((list_.where, "the card", key, cards) for key in entries)
    for snapshot in data.snapshots:
        yield snapshot.where, "the format", snapshot.format, ids["formats"]
        yield snapshot.where, "the pool", snapshot.pool, ids["pools"]
        if snapshot.restriction:
            yield snapshot.where, "the list", snapshot.restriction, ids["restrictions"]


# Differences


Record = TypeVar("Record")


@dataclass(frozen=True)
class FieldChange:
    """A changed field, as text. Sets list only the removed and added members."""

    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.name} {self.old or 'nothing'} -> {self.new or 'nothing'}"


@dataclass(frozen=True)
class RecordDifference(Generic[Record]):
    kind: str
    new: tuple[Record, ...]
    # (old, new)
    changed: tuple[tuple[Record, Record], ...]
    # Missing from the source, but not deleted.
    gone: tuple[Record, ...]
    unchanged: int

    @property
    def is_empty(self) -> bool:
        return not self.new and not self.changed


@dataclass(frozen=True)
class CardDataDifferences:
    """Differences of all kinds, in an order that is safe to write."""

    factions: RecordDifference[Any]
    cycles: RecordDifference[Any]
    sets: RecordDifference[Any]
    cards: RecordDifference[CardRecord]
    aliases: RecordDifference[AliasRecord]
    printings: RecordDifference[Any]
    formats: RecordDifference[Any]
    pools: RecordDifference[Any]
    restrictions: RecordDifference[Any]
    snapshots: RecordDifference[Any]

    def __iter__(self) -> Iterator[RecordDifference[Any]]:
        return (getattr(self, field.name) for field in dataclasses.fields(self))

    @property
    def is_empty(self) -> bool:
        return all(difference.is_empty for difference in self)


def compare_card_data(old: CardData, new: CardData) -> CardDataDifferences:
    def compare(kind: str, name: str = "", key: str = "id") -> RecordDifference[Any]:
        records = getattr(old, name or kind), getattr(new, name or kind)
        return _compare_by_key(kind, *records, attrgetter(key))

    return CardDataDifferences(
        factions=compare("factions"),
        cycles=compare("cycles"),
        sets=compare("sets"),
        cards=_compare_cards(old.cards, new.cards),
        aliases=_compare_aliases(old, new),
        printings=compare("printings", key="code"),
        formats=compare("formats"),
        pools=compare("card pools", "pools"),
        restrictions=compare("ban lists", "restrictions"),
        snapshots=compare("snapshots"),
    )


def record_name(record: Any) -> str:
    if isinstance(record, CardRecord):
        return record.title
    if isinstance(record, AliasRecord):
        return record.alias
    return str(getattr(record, "id", None) or record.code)


def field_changes(old: Any, new: Any) -> Iterator[FieldChange]:
    for column in dataclasses.fields(old):
        before, after = getattr(old, column.name), getattr(new, column.name)
        if not column.compare or before == after:
            continue
        if isinstance(before, frozenset):
            before, after = before - after, after - before
        yield FieldChange(column.name, _value_in_words(before), _value_in_words(after))


def _value_in_words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(_value_in_words, value)))
    if isinstance(value, EntryRecord):
        weight = "" if value.value is None else f" {value.value}"
        return f"{value.card} {value.kind}{weight}"
    return str(value)


def _compare_by_key(
    kind: str, old: Sequence[Record], new: Sequence[Record], key: Callable[[Record], str]
) -> RecordDifference[Record]:
    known = {key(record): record for record in old}
    return _difference_of_pairs(kind, old, [(record, known.get(key(record))) for record in new])


def _difference_of_pairs(
    kind: str, old: Sequence[Record], pairs: Sequence[tuple[Record, Record | None]]
) -> RecordDifference[Record]:
    """`pairs` are (new record, stored record or None)."""
    matched = {id(before) for _, before in pairs if before is not None}
    changed = tuple(
        (before, after) for after, before in pairs if before is not None and before != after
    )
    new = tuple(after for after, before in pairs if before is None)
    gone = tuple(record for record in old if id(record) not in matched)
    return RecordDifference(kind, new, changed, gone, len(pairs) - len(new) - len(changed))


def _compare_cards(
    old: Sequence[CardRecord], new: Sequence[CardRecord]
) -> RecordDifference[CardRecord]:
    """Match cards by id, and by title if the id has changed."""
    ids = {card.card_id for card in new if card.card_id}
    by_id = {card.card_id: card for card in old if card.card_id}
    by_title = {card.title_key: card for card in old if card.card_id not in ids}
    pairs = [(card, by_id.get(card.card_id) or by_title.get(card.title_key)) for card in new]
    return _difference_of_pairs("cards", old, pairs)


def _compare_aliases(old: CardData, new: CardData) -> RecordDifference[AliasRecord]:
    # Compare by title: an alias belongs to a title even if the id of the card changes.
    titles: Mapping[str, str] = {
        card.key: card.title_key for data in (old, new) for card in data.cards
    }

    def key(alias: AliasRecord) -> str:
        return f"{titles[alias.card]}\n{alias.alias_key}"

    difference = _compare_by_key("other spellings", old.aliases, new.aliases, key)
    unchanged = difference.unchanged + len(difference.changed)
    return dataclasses.replace(difference, changed=(), unchanged=unchanged)
