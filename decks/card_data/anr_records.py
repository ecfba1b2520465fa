"""Build Android: Netrunner records from the checked fields of a source."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from decks.card_data.fields import Fields, slug_of
from decks.card_data.records import (
    AliasRecord,
    CardRecord,
    CycleRecord,
    EntryRecord,
    FactionRecord,
    FormatRecord,
    PrintingRecord,
    SetRecord,
)
from decks.games import ANR
from decks.titles import folded_title

# Display order; sources list formats by name.
FORMATS = ("standard", "startup", "system_gateway", "eternal", "snapshot", "ram")
# Kind of restriction entry: key in the source, for kinds with a number.
WEIGHED = {
    "points": "points",
    "universal_influence": "universal_faction_cost",
    "global_penalty": "global_penalty",
}


def card_record(fields: Fields, subtypes: Sequence[str]) -> CardRecord:
    title = fields.text("title", 120)
    side = _side_of(fields)
    joined = " - ".join(subtypes)
    if len(joined) > 120:
        raise fields.damage("subtypes have more than 120 characters")
    return CardRecord(
        title=title,
        slug=slug_of(fields, title),
        side=side,
        type=_type_of(fields, side),
        card_id=fields.identifier("id", 140),
        faction=fields.identifier("faction_id", 40),
        subtypes=joined,
        difficulty=fields.figure("advancement_requirement"),
        agenda_points=fields.number("agenda_points", 100),
        cost=fields.figure("cost"),
        strength=fields.figure("strength"),
        memory=fields.figure("memory_cost"),
        trash_cost=fields.figure("trash_cost"),
        influence_cost=fields.number("influence_cost", 100),
        minimum_deck_size=fields.number("minimum_deck_size"),
        influence_limit=fields.number("influence_limit"),
        deck_limit=fields.number("deck_limit", 100),
        is_unique=fields.flag("is_unique"),
        where=fields.where,
    )


def _type_of(fields: Fields, side: str) -> str:
    """Some sources prefix the type of an identity with its side."""
    type_ = fields.raw("card_type_id").removeprefix(f"{side}_")
    if type_ not in ANR.types_of(side):
        raise fields.damage(f'no card of the {side} side has the type "{type_[:40]}"')
    return type_


def _side_of(fields: Fields) -> str:
    side = fields.raw("side_id")
    if side not in ANR.sides:
        raise fields.damage(f'side_id is corp or runner, not "{side[:40]}"')
    return side


def aliases_of(rows: Sequence[Fields], cards: Sequence[CardRecord]) -> tuple[AliasRecord, ...]:
    """Return plain-letter titles that `folded_title` would not match anyway."""
    return tuple(
        AliasRecord(stripped, card.key, where=fields.where)
        for fields, card in zip(rows, cards, strict=True)
        if (stripped := fields.text("stripped_title", 120, required=False))
        and folded_title(stripped) != card.folded_title
    )


def faction_record(fields: Fields) -> FactionRecord:
    return FactionRecord(
        id=fields.identifier("id", 40),
        name=fields.text("name", 60),
        side=_side_of(fields),
        is_mini=fields.flag("is_mini"),
        where=fields.where,
    )


def cycle_record(fields: Fields) -> CycleRecord:
    return CycleRecord(
        id=fields.identifier("id", 60),
        name=fields.text("name", 80),
        position=fields.required_number("position"),
        where=fields.where,
    )


def set_record(fields: Fields) -> SetRecord:
    return SetRecord(
        id=fields.identifier("id", 60),
        name=fields.text("name", 80),
        cycle=fields.identifier("card_cycle_id", 60, required=False),
        type=fields.identifier("card_set_type_id", 20, required=False),
        released_on=fields.date("date_release"),
        size=fields.number("size"),
        where=fields.where,
    )


def printing_record(fields: Fields) -> PrintingRecord:
    return PrintingRecord(
        code=fields.identifier("id", 10),
        card=fields.identifier("card_id", 140),
        card_set=fields.identifier("card_set_id", 60),
        position=fields.required_number("position", 10_000),
        quantity=fields.required_number("quantity", 100),
        where=fields.where,
    )


def entries(fields: Fields) -> Iterator[EntryRecord]:
    """Yield banned and restricted cards, then cards with a value such as points."""
    for kind in ("banned", "restricted"):
        for card in fields.texts(kind):
            yield EntryRecord(card, kind)
    for kind, name in WEIGHED.items():
        for value, cards in fields.texts_by_number(name):
            for card in cards:
                yield EntryRecord(card, kind, value)


def format_record(fields: Fields) -> FormatRecord:
    """Build a format record; unknown formats sort last, by name."""
    id_ = fields.identifier("id", 40)
    position = FORMATS.index(id_) if id_ in FORMATS else len(FORMATS)
    return FormatRecord(id_, fields.text("name", 60), position, where=fields.where)


def later(own: datetime.date, listed: datetime.date | None) -> datetime.date:
    """Return the start of a snapshot, which some sources date before its ban list.

    Source: DECK_RULES, "Doubts in the source".
    """
    return max(own, listed) if listed else own


def with_set_names(
    cards: Iterable[CardRecord], printings: Iterable[PrintingRecord], sets: Iterable[SetRecord]
) -> tuple[CardRecord, ...]:
    """Set the `set_name` of each card to the set of its latest printing."""
    by_id = {one.id: one for one in sets}
    latest: dict[str, tuple[datetime.date, str, str]] = {}
    for printing in printings:
        if (card_set := by_id.get(printing.card_set)) is None:
            continue
        released = card_set.released_on or datetime.date.max
        mark = (released, printing.code, card_set.name)
        latest[printing.card] = max(mark, latest.get(printing.card, mark))
    return tuple(
        replace(card, set_name=latest[card.key][2]) if card.key in latest else card
        for card in cards
    )
