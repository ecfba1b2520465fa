"""Build the input of the deck rules from card data."""

import datetime
from collections import defaultdict
from collections.abc import Mapping

from decks.card_data.records import CardData, CardRecord, EntryRecord, RestrictionRecord
from decks.legality.card_table import CardTable
from decks.legality.formats import (
    FormatFacts,
    FormatTable,
    PoolFacts,
    RestrictionFacts,
    SnapshotFacts,
)
from decks.legality.records import CardFacts, PrintingFacts


def card_table(data: CardData, ids: Mapping[str, int]) -> CardTable:
    """Build the card table; `ids` are the primary keys by title key."""
    printings = _printings(data)
    facts = {
        card.key: _card(card, ids[card.title_key], printings.get(card.key, ()))
        for card in data.cards
    }
    return CardTable(facts.values(), [(one.alias, facts[one.card]) for one in data.aliases])


def format_table(data: CardData) -> FormatTable:
    """Build the formats with their snapshots in chronological order."""
    pools = {pool.id: PoolFacts(pool.id, pool.name, pool.sets) for pool in data.pools}
    lists = {one.id: restriction(one) for one in data.restrictions}
    snapshots: dict[str, list[SnapshotFacts]] = defaultdict(list)
    # Sources append some snapshots after later ones, so sort by date before position.
    for one in sorted(data.snapshots, key=lambda one: (one.effective_from, one.position)):
        facts = SnapshotFacts(
            one.id, one.effective_from, pools[one.pool], lists.get(one.restriction), one.format
        )
        snapshots[one.format].append(facts)
    formats = sorted(data.formats, key=lambda one: (one.position, one.name))
    facts_of = (FormatFacts(one.id, one.name, tuple(snapshots[one.id])) for one in formats)
    return FormatTable(facts_of, data.source_date)


def _printings(data: CardData) -> Mapping[str, tuple[PrintingFacts, ...]]:
    released = {one.id: one.released_on or datetime.date.max for one in data.sets}
    printings: dict[str, list[PrintingFacts]] = defaultdict(list)
    for one in sorted(data.printings, key=lambda one: (released[one.card_set], one.code)):
        printings[one.card].append(PrintingFacts(one.code, one.card_set, one.quantity))
    return {card: tuple(found) for card, found in printings.items()}


def _card(card: CardRecord, number: int, printings: tuple[PrintingFacts, ...]) -> CardFacts:
    return CardFacts(
        id=number,
        title=card.title,
        title_key=card.title_key,
        side=card.side,
        type=card.type,
        agenda_points=card.agenda_points or 0,
        subtypes=card.subtypes,
        card_id=card.card_id,
        faction=card.faction,
        influence_cost=card.influence_cost,
        minimum_deck_size=card.minimum_deck_size,
        influence_limit=card.influence_limit,
        deck_limit=card.deck_limit,
        is_unique=card.is_unique,
        cost=card.cost,
        strength=card.strength,
        difficulty=card.difficulty,
        printings=printings,
    )


def restriction(one: RestrictionRecord) -> RestrictionFacts:
    """Build a ban list for the rules, including lists that no snapshot uses."""
    entries: dict[str, list[EntryRecord]] = defaultdict(list)
    for entry in one.entries:
        entries[entry.kind].append(entry)

    def named(kind: str) -> frozenset[str]:
        return frozenset(entry.card for entry in entries[kind])

    def charged(kind: str) -> dict[str, int]:
        listed = sorted(entries[kind], key=lambda entry: entry.card)
        return {entry.card: entry.value for entry in listed if entry.value is not None}

    return RestrictionFacts(
        id=one.id,
        name=one.name,
        effective_from=one.effective_from,
        banned=named("banned"),
        banned_subtypes=one.banned_subtypes,
        restricted=named("restricted"),
        points=charged("points"),
        point_limit=one.point_limit,
        universal_influence=charged("universal_influence"),
        global_penalty=charged("global_penalty"),
    )
