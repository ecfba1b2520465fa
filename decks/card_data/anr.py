"""Read the shipped tables of Android: Netrunner: cards, printings and formats."""

from pathlib import Path

from decks.card_data.fields import Fields
from decks.card_data.files import an_object, document, objects, rows
from decks.card_data.public import Source, card_data
from decks.card_data.records import CardData

CARD_COLUMNS = ["code", "title", "stripped_title", "side", "faction", "type", "influence_cost"]
CARD_COLUMNS += ["agenda_points", "advancement_requirement", "cost", "strength", "memory_cost"]
CARD_COLUMNS += ["trash_cost", "minimum_deck_size", "influence_limit", "deck_limit", "is_unique"]
CARD_COLUMNS += ["subtypes", "card_sets", "card_id"]
PRINTING_COLUMNS = ["id", "card_id", "card_set_id", "position", "quantity"]


def read(cards_file: Path, printings_file: Path, formats_file: Path) -> CardData:
    """Read all three tables. Raises DamagedSource."""
    formats = an_object(document(formats_file), formats_file.name)
    source = an_object(formats.values.get("source"), f"{formats_file.name} source")
    cards = [_card(row) for row in rows(cards_file, CARD_COLUMNS)]

    def listed(kind: str) -> list[Fields]:
        return list(objects(formats.values.get(kind), f"{formats.where} {kind}"))

    return card_data(
        Source(
            name=source.text("repository", 200),
            date=source.date("commit_date"),
            cards=cards,
            printings=list(rows(printings_file, PRINTING_COLUMNS)),
            sets=listed("card_sets"),
            cycles=listed("card_cycles"),
            factions=listed("factions"),
            pools=listed("card_pools"),
            formats=listed("formats"),
            restrictions=[_restriction(one) for one in listed("restrictions")],
            subtypes={name: name for card in cards for name in card.texts("subtypes")},
        )
    )


def _card(row: Fields) -> Fields:
    """Map a CSV row to the field names of the public repository; subtypes stay names."""
    cells = row.values
    return Fields(
        row.where,
        {
            **cells,
            "id": cells["card_id"],
            "side_id": cells["side"],
            "faction_id": cells["faction"],
            "card_type_id": cells["type"],
            "subtypes": [name for name in row.raw("subtypes").split(" - ") if name],
        },
    )


def _restriction(fields: Fields) -> Fields:
    values = fields.values
    return Fields(
        fields.where,
        {
            **values,
            "subtypes": {"banned": values.get("banned_subtypes")},
            "universal_faction_cost": values.get("universal_influence"),
        },
    )
