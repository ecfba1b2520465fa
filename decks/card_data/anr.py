"""The shipped tables of Android: Netrunner: cards, printings, and one document of formats."""

from collections.abc import Iterator
from pathlib import Path

from decks.card_data import anr_records
from decks.card_data.fields import Fields
from decks.card_data.files import an_object, document, objects, rows
from decks.card_data.records import (
    CardData,
    PoolRecord,
    RestrictionRecord,
    SnapshotRecord,
)

CARD_COLUMNS = ["code", "title", "stripped_title", "side", "faction", "type", "influence_cost"]
CARD_COLUMNS += ["agenda_points", "advancement_requirement", "cost", "strength", "memory_cost"]
CARD_COLUMNS += ["trash_cost", "minimum_deck_size", "influence_limit", "deck_limit", "is_unique"]
CARD_COLUMNS += ["subtypes", "card_sets", "card_id"]
PRINTING_COLUMNS = ["code", "card_id", "card_set", "position", "quantity"]


def read(cards_file: Path, printings_file: Path, formats_file: Path) -> CardData:
    """All that the three tables say. Raises DamagedSource."""
    formats = an_object(document(formats_file), formats_file.name)
    source = an_object(formats.values.get("source"), f"{formats_file.name} source")
    sets = tuple(anr_records.set_record(one, {}) for one in _listed(formats, "card_sets"))
    printings = tuple(
        anr_records.printing_record(row, "code", "card_set")
        for row in rows(printings_file, PRINTING_COLUMNS)
    )
    card_rows = list(rows(cards_file, CARD_COLUMNS))
    cards = [anr_records.card_record(row, {}, _subtypes(row)) for row in card_rows]
    restrictions = tuple(_restriction(one) for one in _listed(formats, "restrictions"))
    return CardData(
        game="anr",
        source=source.text("repository", 200),
        source_date=source.date("commit_date"),
        factions=tuple(map(anr_records.faction_record, _listed(formats, "factions"))),
        cycles=tuple(map(anr_records.cycle_record, _listed(formats, "card_cycles"))),
        sets=sets,
        cards=anr_records.with_set_names(cards, printings, sets),
        aliases=anr_records.aliases_of(card_rows, cards),
        printings=printings,
        formats=tuple(map(anr_records.format_record, _listed(formats, "formats"))),
        pools=tuple(_pool(one) for one in _listed(formats, "card_pools")),
        restrictions=restrictions,
        snapshots=tuple(_snapshots(formats, restrictions)),
    )


def _listed(fields: Fields, name: str) -> Iterator[Fields]:
    return objects(fields.values.get(name), f"{fields.where} {name}")


def _subtypes(row: Fields) -> list[str]:
    text = row.text("subtypes", 120, required=False)
    return text.split(" - ") if text else []


def _pool(fields: Fields) -> PoolRecord:
    return PoolRecord(
        id=fields.identifier("id", 80),
        name=fields.text("name", 100),
        format=fields.identifier("format", 40),
        sets=frozenset(fields.texts("sets")),
        where=fields.where,
    )


def _restriction(fields: Fields) -> RestrictionRecord:
    return RestrictionRecord(
        id=fields.identifier("id", 80),
        name=fields.text("name", 100),
        format=fields.identifier("format", 40),
        effective_from=fields.required_date("from"),
        banned_subtypes=frozenset(map(str.casefold, fields.texts("banned_subtypes"))),
        point_limit=fields.number("point_limit", 100),
        entries=frozenset(anr_records.entries(fields, {})),
        where=fields.where,
    )


def _snapshots(
    document: Fields, restrictions: tuple[RestrictionRecord, ...]
) -> Iterator[SnapshotRecord]:
    begins = {one.id: one.effective_from for one in restrictions}
    for format_ in _listed(document, "formats"):
        for position, fields in enumerate(_listed(format_, "snapshots")):
            restriction = fields.identifier("restriction", 80, required=False)
            yield SnapshotRecord(
                id=fields.identifier("id", 60),
                format=format_.identifier("id", 40),
                position=position,
                effective_from=anr_records.later(
                    fields.required_date("from"), begins.get(restriction)
                ),
                pool=fields.identifier("pool", 80),
                restriction=restriction,
                where=fields.where,
            )
