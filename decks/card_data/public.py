"""Build card data from the format of the public repository (its folder "v2")."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from decks.card_data import anr_records
from decks.card_data.fields import Fields
from decks.card_data.files import objects
from decks.card_data.records import (
    CardData,
    CardRecord,
    CycleRecord,
    PoolRecord,
    RestrictionRecord,
    SetRecord,
    SnapshotRecord,
)
from decks.games import ANR


@dataclass(frozen=True)
class Source:
    """Unchecked objects of a source by kind.

    Each format contains its `snapshots`; `subtypes` are names by id.
    """

    name: str
    date: datetime.date | None
    cards: Sequence[Fields]
    printings: Sequence[Fields]
    sets: Sequence[Fields]
    cycles: Sequence[Fields]
    factions: Sequence[Fields]
    pools: Sequence[Fields]
    formats: Sequence[Fields]
    restrictions: Sequence[Fields]
    subtypes: Mapping[str, str] = field(default_factory=dict)


def card_data(source: Source) -> CardData:
    """Build the records of a source. Raises DamagedSource."""
    cycles = tuple(_cycles(source.cycles))
    sets = tuple(map(anr_records.set_record, source.sets))
    printings = tuple(map(anr_records.printing_record, source.printings))
    cards = [_card(one, source.subtypes) for one in source.cards]
    restrictions = tuple(_restriction(one, source.subtypes) for one in source.restrictions)
    return CardData(
        game=ANR.id,
        source=source.name,
        source_date=source.date,
        factions=tuple(map(anr_records.faction_record, source.factions)),
        cycles=cycles,
        sets=sets,
        cards=anr_records.with_set_names(cards, printings, sets),
        aliases=anr_records.aliases_of(source.cards, cards),
        printings=printings,
        formats=tuple(map(anr_records.format_record, source.formats)),
        pools=tuple(_pools(source.pools, sets, cycles)),
        restrictions=restrictions,
        snapshots=tuple(_snapshots(source.formats, restrictions)),
    )


def _card(fields: Fields, names: Mapping[str, str]) -> CardRecord:
    subtypes = [subtype_name(one, names) for one in fields.texts("subtypes")]
    return anr_records.card_record(fields, subtypes)


def subtype_name(id_: str, names: Mapping[str, str]) -> str:
    """Printed name of a subtype; for an unknown subtype, its id as words."""
    return names.get(id_) or " ".join(word.capitalize() for word in id_.split("_"))


def _cycles(cycles: Sequence[Fields]) -> Iterator[CycleRecord]:
    """Fill in missing positions from the list order, which is chronological."""
    for place, fields in enumerate(cycles):
        if fields.number("position") is None:
            fields = replace(fields, values={**fields.values, "position": place})
        yield anr_records.cycle_record(fields)


def _pools(
    pools: Sequence[Fields], sets: Sequence[SetRecord], cycles: Sequence[CycleRecord]
) -> Iterator[PoolRecord]:
    """Expand the cycles of each pool to all their sets."""
    of_cycle: dict[str, set[str]] = {one.id: set() for one in cycles}
    for one in sets:
        of_cycle.setdefault(one.cycle, set()).add(one.id)
    for fields in pools:
        named = fields.texts("card_cycle_ids")
        if unknown := [one for one in named if one not in of_cycle]:
            raise fields.damage(f'the cycle "{unknown[0]}" is not in the source')
        implied = (of_cycle[cycle] for cycle in named)
        yield PoolRecord(
            id=fields.identifier("id", 80),
            name=fields.text("name", 100),
            format=fields.identifier("format_id", 40),
            sets=frozenset(fields.texts("card_set_ids")).union(*implied),
            where=fields.where,
        )


def _restriction(fields: Fields, names: Mapping[str, str]) -> RestrictionRecord:
    subtypes = fields.inside("subtypes").texts("banned")
    return RestrictionRecord(
        id=fields.identifier("id", 80),
        name=fields.text("name", 100),
        format=fields.identifier("format_id", 40),
        effective_from=fields.required_date("date_start"),
        banned_subtypes=frozenset(subtype_name(one, names).casefold() for one in subtypes),
        point_limit=fields.number("point_limit", 100),
        entries=frozenset(anr_records.entries(fields)),
        where=fields.where,
    )


def _snapshots(
    formats: Sequence[Fields], restrictions: Sequence[RestrictionRecord]
) -> Iterator[SnapshotRecord]:
    begins = {one.id: one.effective_from for one in restrictions}
    for format_ in formats:
        snapshots = objects(format_.values.get("snapshots"), f"{format_.where} snapshots")
        for position, fields in enumerate(snapshots):
            restriction = fields.identifier("restriction_id", 80, required=False)
            yield SnapshotRecord(
                id=fields.identifier("id", 60),
                format=format_.identifier("id", 40),
                position=position,
                effective_from=anr_records.later(
                    fields.required_date("date_start"), begins.get(restriction)
                ),
                pool=fields.identifier("card_pool_id", 80),
                restriction=restriction,
                where=fields.where,
            )
