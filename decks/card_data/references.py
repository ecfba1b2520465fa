"""Consistency checks between the records of one source."""

from collections.abc import Iterable, Iterator, Mapping

from decks.card_data.fields import damage
from decks.card_data.records import AliasRecord, CardData, CardRecord, WithId


def checked(data: CardData) -> CardData:
    """Return `data` unchanged. Raises DamagedSource for duplicates and dangling references."""
    _refuse_twins(data)
    for where, kind, name, known in _references(data):
        if name not in known:
            raise damage(where, f'{kind} "{name}" is not in the source')
    _refuse_stolen_spellings(data)
    return data


def _refuse_twins(data: CardData) -> None:
    _refuse_repeats((card.where, card.title_key, card.title) for card in data.cards)
    _refuse_repeats((card.where, card.slug, card.title) for card in data.cards)
    _refuse_repeats((one.where, one.card_id, one.card_id) for one in data.cards if one.card_id)
    _refuse_repeats((one.where, one.code, one.code) for one in data.printings)
    for records in data.with_ids():
        _refuse_repeats((one.where, one.id, one.id) for one in records)
    for list_ in data.restrictions:
        entries = ((entry.card, entry.kind) for entry in list_.entries)
        _refuse_repeats((list_.where, f"{card} {kind}", card) for card, kind in entries)


def _refuse_repeats(keys: Iterable[tuple[str, str, str]]) -> None:
    """Raise DamagedSource for a duplicate key; `keys` are (where, key, text) tuples."""
    known: set[str] = set()
    for where, key, words in keys:
        if key in known:
            raise damage(where, f"{words} stands in the source already")
        known.add(key)


def _references(data: CardData) -> Iterator[tuple[str, str, str, Iterable[str]]]:
    """Yield (where, kind, name, known names) for every reference between records."""
    cards = {card.key for card in data.cards}
    factions, cycles = ids(data.factions), ids(data.cycles)
    sets, formats = ids(data.sets), ids(data.formats)
    pools, restrictions = ids(data.pools), ids(data.restrictions)
    for card in data.cards:
        if card.faction:
            yield card.where, "the faction", card.faction, factions
    for card_set in data.sets:
        if card_set.cycle:
            yield card_set.where, "the cycle", card_set.cycle, cycles
    for printing in data.printings:
        yield printing.where, "the card", printing.card, cards
        yield printing.where, "the set", printing.card_set, sets
    for pool in data.pools:
        yield pool.where, "the format", pool.format, formats
        yield from ((pool.where, "the set", one, sets) for one in sorted(pool.sets))
    for list_ in data.restrictions:
        yield list_.where, "the format", list_.format, formats
        named = sorted({entry.card for entry in list_.entries})
        yield from ((list_.where, "the card", one, cards) for one in named)
    for snapshot in data.snapshots:
        yield snapshot.where, "the format", snapshot.format, formats
        yield snapshot.where, "the pool", snapshot.pool, pools
        if snapshot.restriction:
            yield snapshot.where, "the list", snapshot.restriction, restrictions


def ids(records: Iterable[WithId]) -> set[str]:
    return {record.id for record in records}


def _refuse_stolen_spellings(data: CardData) -> None:
    by_key = {card.key: card for card in data.cards}
    by_title = {card.title_key: card for card in data.cards}
    for alias in data.aliases:
        _refuse_stolen(alias, by_key, by_title)


def _refuse_stolen(
    alias: AliasRecord, by_key: Mapping[str, CardRecord], by_title: Mapping[str, CardRecord]
) -> None:
    card = by_key.get(alias.card)
    if card is None:
        raise damage(alias.where, f"no card is called {alias.card}")
    if by_title.get(alias.alias_key, card) is not card:
        raise damage(alias.where, f"{alias.alias} is a card of its own")
