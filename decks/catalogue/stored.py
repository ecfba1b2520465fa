"""Read the card data of a game from the database as records."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from decks.card_data.records import CardData, EntryRecord, PoolRecord, RestrictionRecord
from decks.catalogue import kinds
from decks.models import CardPool, Catalogue, RestrictionEntry


def stored(game: str) -> CardData:
    cards, formats = stored_cards(game), stored_formats(game)
    return replace(
        cards,
        factions=kinds.FACTIONS.read(game),
        cycles=kinds.CYCLES.read(game),
        formats=formats.formats,
        pools=formats.pools,
        restrictions=formats.restrictions,
        snapshots=formats.snapshots,
    )


def stored_cards(game: str) -> CardData:
    return CardData(
        game=game,
        sets=kinds.SETS.read(game),
        cards=kinds.CARDS.read(game),
        aliases=kinds.ALIASES.read(game),
        printings=kinds.PRINTINGS.read(game),
    )


def stored_formats(game: str) -> CardData:
    loaded = Catalogue.objects.filter(game=game).first()
    return CardData(
        game=game,
        source_date=loaded.source_date if loaded else None,
        formats=kinds.FORMATS.read(game),
        pools=tuple(_pools(game)),
        restrictions=tuple(_restrictions(game)),
        snapshots=kinds.SNAPSHOTS.read(game),
    )


def _pools(game: str) -> Iterator[PoolRecord]:
    sets: dict[str, set[str]] = defaultdict(set)
    rows = CardPool.sets.through.objects.filter(cardpool__format__game=game)
    for pool_id, set_id in rows.values_list("cardpool__pool_id", "cardset__set_id"):
        sets[pool_id].add(set_id)
    return (replace(one, sets=frozenset(sets[one.id])) for one in kinds.POOLS.read(game))


def _restrictions(game: str) -> Iterator[RestrictionRecord]:
    entries: dict[str, set[EntryRecord]] = defaultdict(set)
    rows = RestrictionEntry.objects.filter(restriction__format__game=game).order_by()
    columns = ("restriction__restriction_id", kinds.CARD_KEY, "kind", "value")
    for list_id, *entry in rows.values_list(*columns):
        entries[list_id].add(EntryRecord(*entry))
    for one in kinds.RESTRICTIONS.read(game):
        subtypes = frozenset(one.banned_subtypes)
        yield replace(one, banned_subtypes=subtypes, entries=frozenset(entries[one.id]))
