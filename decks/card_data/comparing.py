"""Compare the records of a source with the stored records."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from decks.card_data.records import AliasRecord, CardData, CardRecord, EntryRecord, WithId

Record = TypeVar("Record")
Identified = TypeVar("Identified", bound=WithId)


@dataclass(frozen=True)
class FieldChange:
    """One changed field, as text. Sets list only the removed and added members."""

    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.name} {self.old or 'nothing'} -> {self.new or 'nothing'}"


@dataclass(frozen=True)
class Difference(Generic[Record]):
    """Differences in records of one kind.

    `changed` holds (old, new) pairs. `gone` records are missing from the source but are not
    deleted.
    """

    kind: str
    new: tuple[Record, ...]
    changed: tuple[tuple[Record, Record], ...]
    gone: tuple[Record, ...]
    unchanged: int

    @property
    def is_empty(self) -> bool:
        return not self.new and not self.changed


@dataclass(frozen=True)
class Differences:
    """Differences of all kinds, in an order that is safe to write."""

    factions: Difference[Any]
    cycles: Difference[Any]
    sets: Difference[Any]
    cards: Difference[CardRecord]
    aliases: Difference[AliasRecord]
    printings: Difference[Any]
    formats: Difference[Any]
    pools: Difference[Any]
    restrictions: Difference[Any]
    snapshots: Difference[Any]

    def __iter__(self) -> Iterator[Difference[Any]]:
        return (getattr(self, field.name) for field in dataclasses.fields(self))

    @property
    def is_empty(self) -> bool:
        return all(one.is_empty for one in self)


def differences(old: CardData, new: CardData) -> Differences:
    """Return the changes that turn `old` into `new`; both belong to the same game."""
    return Differences(
        factions=_by_id("factions", old.factions, new.factions),
        cycles=_by_id("cycles", old.cycles, new.cycles),
        sets=_by_id("sets", old.sets, new.sets),
        cards=_cards(old.cards, new.cards),
        aliases=_aliases(old, new),
        printings=_compared("printings", old.printings, new.printings, lambda one: one.code),
        formats=_by_id("formats", old.formats, new.formats),
        pools=_by_id("card pools", old.pools, new.pools),
        restrictions=_by_id("ban lists", old.restrictions, new.restrictions),
        snapshots=_by_id("snapshots", old.snapshots, new.snapshots),
    )


def name_of(record: Any) -> str:
    if isinstance(record, CardRecord):
        return record.title
    if isinstance(record, AliasRecord):
        return record.alias
    return str(getattr(record, "id", None) or record.code)


def field_changes(old: Any, new: Any) -> Iterator[FieldChange]:
    for field in dataclasses.fields(old):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if not field.compare or before == after:
            continue
        if isinstance(before, frozenset):
            before, after = before - after, after - before
        yield FieldChange(field.name, _words(before), _words(after))


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(_words, value)))
    if isinstance(value, EntryRecord):
        weight = "" if value.value is None else f" {value.value}"
        return f"{value.card} {value.kind}{weight}"
    return str(value)


def _by_id(
    kind: str, old: Sequence[Identified], new: Sequence[Identified]
) -> Difference[Identified]:
    return _compared(kind, old, new, lambda record: record.id)


def _compared(
    kind: str, old: Sequence[Record], new: Sequence[Record], key: Callable[[Record], str]
) -> Difference[Record]:
    known = {key(record): record for record in old}
    return _matched(kind, old, [(record, known.get(key(record))) for record in new])


def _matched(
    kind: str, old: Sequence[Record], pairs: Sequence[tuple[Record, Record | None]]
) -> Difference[Record]:
    """Build a Difference from (new record, stored record or None) pairs."""
    kept = {id(before) for _, before in pairs if before is not None}
    changed = tuple(
        (before, after) for after, before in pairs if before is not None and before != after
    )
    new = tuple(after for after, before in pairs if before is None)
    gone = tuple(record for record in old if id(record) not in kept)
    return Difference(kind, new, changed, gone, len(pairs) - len(new) - len(changed))


def _cards(old: Sequence[CardRecord], new: Sequence[CardRecord]) -> Difference[CardRecord]:
    """Match cards by id, and by title if the id has changed."""
    ids = {card.card_id for card in new if card.card_id}
    by_id = {card.card_id: card for card in old if card.card_id}
    by_title = {card.title_key: card for card in old if card.card_id not in ids}
    pairs = [(card, by_id.get(card.card_id) or by_title.get(card.title_key)) for card in new]
    return _matched("cards", old, pairs)


def _aliases(old: CardData, new: CardData) -> Difference[AliasRecord]:
    # Compare by title: an alias belongs to a title even if the id of the card changes.
    titles: Mapping[str, str] = {
        card.key: card.title_key for data in (old, new) for card in data.cards
    }

    def key(alias: AliasRecord) -> str:
        return f"{titles[alias.card]}\n{alias.alias_key}"

    found = _compared("other spellings", old.aliases, new.aliases, key)
    return dataclasses.replace(found, changed=(), unchanged=found.unchanged + len(found.changed))
