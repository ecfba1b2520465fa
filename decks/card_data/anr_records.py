"""Records of Android: Netrunner out of the checked fields of any source."""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from decks.titles import folded_title

TYPES = {
    "corp": {"identity", "agenda", "asset", "ice", "operation", "upgrade"},
    "runner": {"identity", "event", "hardware", "program", "resource"},
}
FORMATS = ("standard", "startup", "system_gateway", "eternal", "snapshot", "ram")
"""In the order people look for them; sources list them by name."""
WEIGHED = ("points", "universal_influence", "global_penalty")


def card_record(fields: Fields, names: Mapping[str, str], subtypes: Sequence[str]) -> CardRecord:
    """A card; `names` are what the source calls fields that records call otherwise."""
    title = fields.text("title", 120)
    side = side_of(fields, names.get("side", "side"))
    joined = " - ".join(subtypes)
    if len(joined) > 120:
        raise fields.damage("subtypes have more than 120 characters")
    return CardRecord(
        title=title,
        slug=slug_of(fields, title),
        side=side,
        type=_type_of(fields, names.get("type", "type"), side),
        card_id=fields.identifier(names.get("card_id", "card_id"), 140),
        faction=fields.identifier(names.get("faction", "faction"), 40),
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


def _type_of(fields: Fields, name: str, side: str) -> str:
    """The type of the card; some sources put the side before that of identities."""
    type_ = fields.raw(name).removeprefix(f"{side}_")
    if type_ not in TYPES[side]:
        raise fields.damage(f'no card of the {side} side has the type "{type_[:40]}"')
    return type_


def side_of(fields: Fields, name: str) -> str:
    """Which of "corp" and "runner" the field says."""
    side = fields.raw(name)
    if side not in TYPES:
        raise fields.damage(f'{name} is corp or runner, not "{side[:40]}"')
    return side


def aliases_of(rows: Sequence[Fields], cards: Sequence[CardRecord]) -> tuple[AliasRecord, ...]:
    """Titles in plain letters, where comparing titles does not find them anyway."""
    return tuple(
        AliasRecord(stripped, card.key, where=fields.where)
        for fields, card in zip(rows, cards, strict=True)
        if (stripped := fields.text("stripped_title", 120, required=False))
        and folded_title(stripped) != card.folded_title
    )


def faction_record(fields: Fields, side: str = "side") -> FactionRecord:
    return FactionRecord(
        id=fields.identifier("id", 40),
        name=fields.text("name", 60),
        side=side_of(fields, side),
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


def set_record(fields: Fields, names: Mapping[str, str]) -> SetRecord:
    """A set; `names` as for cards."""
    return SetRecord(
        id=fields.identifier("id", 60),
        name=fields.text("name", 80),
        cycle=fields.identifier(names.get("cycle", "cycle"), 60, required=False),
        type=fields.identifier(names.get("type", "type"), 20, required=False),
        released_on=fields.date(names.get("released_on", "released")),
        size=fields.number("size"),
        where=fields.where,
    )


def printing_record(fields: Fields, code: str, card_set: str) -> PrintingRecord:
    """A printing; `code` and `card_set` are what the source calls these fields."""
    return PrintingRecord(
        code=fields.identifier(code, 10),
        card=fields.identifier("card_id", 140),
        card_set=fields.identifier(card_set, 60),
        position=fields.required_number("position", 10_000),
        quantity=fields.required_number("quantity", 100),
        where=fields.where,
    )


def entries(fields: Fields, names: Mapping[str, str]) -> Iterator[EntryRecord]:
    """What a list says of cards: ids for banned and restricted, ids by number for the rest."""
    for kind in ("banned", "restricted"):
        for card in fields.texts(kind):
            yield EntryRecord(card, kind)
    for kind in WEIGHED:
        for value, cards in fields.texts_by_number(names.get(kind, kind)):
            for card in cards:
                yield EntryRecord(card, kind, value)


def format_record(fields: Fields) -> FormatRecord:
    """A format; those nobody knows yet stand last, by name."""
    id_ = fields.identifier("id", 40)
    position = FORMATS.index(id_) if id_ in FORMATS else len(FORMATS)
    return FormatRecord(id_, fields.text("name", 60), position, where=fields.where)


def later(own: datetime.date, listed: datetime.date | None) -> datetime.date:
    """When a snapshot begins. Sources date some snapshots before the list they bring in.

    Source: DECK_RULES, "Doubts in the source".
    """
    return max(own, listed) if listed else own


def with_set_names(
    cards: Iterable[CardRecord], printings: Iterable[PrintingRecord], sets: Iterable[SetRecord]
) -> tuple[CardRecord, ...]:
    """The cards, each with the name of the set of its latest printing."""
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
