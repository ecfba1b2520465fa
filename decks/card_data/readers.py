"""Read the card data of a game from CSV tables, a folder, or NetrunnerDB's API.

The sources of Android: Netrunner are mapped to the layout of the public repository and built in one
place.
"""

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from core.text import comparison_key
from decks.card_data.fields import (
    SourceFields,
    card_slug,
    json_object,
    json_objects,
    read_csv_rows,
    read_json,
    source_damage,
)
from decks.card_data.records import (
    AliasRecord,
    CardData,
    CardRecord,
    CycleRecord,
    EntryRecord,
    FactionRecord,
    FormatRecord,
    PoolRecord,
    PrintingRecord,
    RestrictionRecord,
    SetRecord,
    SnapshotRecord,
    check_references,
)
from decks.games import ANR, GAMES, GameDefinition
from decks.titles import folded_title

# Display order; sources list formats by name.
FORMAT_ORDER = ("standard", "startup", "system_gateway", "eternal", "snapshot", "ram")
# Kind of restriction entry: key in the source, for kinds with a number.
WEIGHTED_KINDS = {
    "points": "points",
    "universal_influence": "universal_faction_cost",
    "global_penalty": "global_penalty",
}


def card_record(fields: SourceFields, subtypes: Sequence[str]) -> CardRecord:
    title = fields.text("title", 120)
    side = _side_of(fields)
    # Some sources prefix the type of an identity with its side.
    type_ = fields.raw("card_type_id").removeprefix(f"{side}_")
    if type_ not in ANR.types_of(side):
        raise fields.damage(f'no card of the {side} side has the type "{type_[:40]}"')
    joined = " - ".join(subtypes)
    if len(joined) > 120:
        raise fields.damage("subtypes have more than 120 characters")
    return CardRecord(
        title=title,
        slug=card_slug(fields, title),
        side=side,
        type=type_,
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


def _side_of(fields: SourceFields) -> str:
    side = fields.raw("side_id")
    if side not in ANR.sides:
        raise fields.damage(f'side_id is corp or runner, not "{side[:40]}"')
    return side


def alias_records(
    rows: Sequence[SourceFields], cards: Sequence[CardRecord]
) -> tuple[AliasRecord, ...]:
    """Return plain-letter titles that `folded_title` would not match anyway."""
    return tuple(
        AliasRecord(stripped, card.key, where=fields.where)
        for fields, card in zip(rows, cards, strict=True)
        if (stripped := fields.text("stripped_title", 120, required=False))
        and folded_title(stripped) != card.folded_title
    )


def faction_record(fields: SourceFields) -> FactionRecord:
    return FactionRecord(
        id=fields.identifier("id", 40),
        name=fields.text("name", 60),
        side=_side_of(fields),
        is_mini=fields.flag("is_mini"),
        where=fields.where,
    )


def cycle_record(fields: SourceFields) -> CycleRecord:
    return CycleRecord(
        id=fields.identifier("id", 60),
        name=fields.text("name", 80),
        position=fields.required_number("position"),
        where=fields.where,
    )


def set_record(fields: SourceFields) -> SetRecord:
    return SetRecord(
        id=fields.identifier("id", 60),
        name=fields.text("name", 80),
        cycle=fields.identifier("card_cycle_id", 60, required=False),
        type=fields.identifier("card_set_type_id", 20, required=False),
        released_on=fields.date("date_release"),
        size=fields.number("size"),
        where=fields.where,
    )


def printing_record(fields: SourceFields) -> PrintingRecord:
    return PrintingRecord(
        code=fields.identifier("id", 10),
        card=fields.identifier("card_id", 140),
        card_set=fields.identifier("card_set_id", 60),
        position=fields.required_number("position", 10_000),
        quantity=fields.required_number("quantity", 100),
        where=fields.where,
    )


def entry_records(fields: SourceFields) -> Iterator[EntryRecord]:
    """Yield banned and restricted cards, then cards with a value such as points."""
    for kind in ("banned", "restricted"):
        for card in fields.texts(kind):
            yield EntryRecord(card, kind)
    for kind, name in WEIGHTED_KINDS.items():
        for value, cards in fields.texts_by_number(name):
            for card in cards:
                yield EntryRecord(card, kind, value)


def format_record(fields: SourceFields) -> FormatRecord:
    """Unknown formats sort last, by name."""
    id_ = fields.identifier("id", 40)
    position = FORMAT_ORDER.index(id_) if id_ in FORMAT_ORDER else len(FORMAT_ORDER)
    return FormatRecord(id_, fields.text("name", 60), position, where=fields.where)


def with_set_names(
    cards: Iterable[CardRecord], printings: Iterable[PrintingRecord], sets: Iterable[SetRecord]
) -> tuple[CardRecord, ...]:
    """Set the `set_name` of each card to the set of its latest printing."""
    by_id = {card_set.id: card_set for card_set in sets}
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


# Android: Netrunner, from unchecked objects in the layout of the public repository


def build_card_data(
    *,
    name: str,
    date: datetime.date | None,
    cards: Sequence[SourceFields],
    printings: Sequence[SourceFields],
    sets: Sequence[SourceFields],
    cycles: Sequence[SourceFields],
    factions: Sequence[SourceFields],
    pools: Sequence[SourceFields],
    formats: Sequence[SourceFields],
    restrictions: Sequence[SourceFields],
    subtypes: Mapping[str, str],
) -> CardData:
    """Build the records of a source. Raises DamagedSource.

    Each format has its `snapshots`; `subtypes` are names by id.
    """
    cycle_records = tuple(_cycle_records(cycles))
    set_records = tuple(map(set_record, sets))
    printing_records = tuple(map(printing_record, printings))
    card_records = [
        card_record(fields, [subtype_name(id_, subtypes) for id_ in fields.texts("subtypes")])
        for fields in cards
    ]
    restriction_records = tuple(_restriction_record(fields, subtypes) for fields in restrictions)
    return CardData(
        game=ANR.id,
        source=name,
        source_date=date,
        factions=tuple(map(faction_record, factions)),
        cycles=cycle_records,
        sets=set_records,
        cards=with_set_names(card_records, printing_records, set_records),
        aliases=alias_records(cards, card_records),
        printings=printing_records,
        formats=tuple(map(format_record, formats)),
        pools=tuple(_pool_records(pools, set_records, cycle_records)),
        restrictions=restriction_records,
        snapshots=tuple(_snapshot_records(formats, restriction_records)),
    )


def subtype_name(id_: str, names: Mapping[str, str]) -> str:
    """Return the printed name of a subtype; for an unknown subtype, its id as words."""
    return names.get(id_) or " ".join(word.capitalize() for word in id_.split("_"))


def _cycle_records(cycles: Sequence[SourceFields]) -> Iterator[CycleRecord]:
    # The list order is chronological.
    for place, fields in enumerate(cycles):
        if fields.number("position") is None:
            fields = replace(fields, values={**fields.values, "position": place})
        yield cycle_record(fields)


def _pool_records(
    pools: Sequence[SourceFields], sets: Sequence[SetRecord], cycles: Sequence[CycleRecord]
) -> Iterator[PoolRecord]:
    """Expand the cycles of each pool to all their sets."""
    sets_of_cycle: dict[str, set[str]] = {cycle.id: set() for cycle in cycles}
    for card_set in sets:
        sets_of_cycle.setdefault(card_set.cycle, set()).add(card_set.id)
    for fields in pools:
        cycle_ids = fields.texts("card_cycle_ids")
        if unknown := [id_ for id_ in cycle_ids if id_ not in sets_of_cycle]:
            raise fields.damage(f'the cycle "{unknown[0]}" is not in the source')
        implied = (sets_of_cycle[id_] for id_ in cycle_ids)
        yield PoolRecord(
            id=fields.identifier("id", 80),
            name=fields.text("name", 100),
            format=fields.identifier("format_id", 40),
            sets=frozenset(fields.texts("card_set_ids")).union(*implied),
            where=fields.where,
        )


def _restriction_record(fields: SourceFields, names: Mapping[str, str]) -> RestrictionRecord:
    subtypes = fields.inside("subtypes").texts("banned")
    return RestrictionRecord(
        id=fields.identifier("id", 80),
        name=fields.text("name", 100),
        format=fields.identifier("format_id", 40),
        effective_from=fields.required_date("date_start"),
        banned_subtypes=frozenset(subtype_name(id_, names).casefold() for id_ in subtypes),
        point_limit=fields.number("point_limit", 100),
        entries=frozenset(entry_records(fields)),
        where=fields.where,
    )


def _snapshot_records(
    formats: Sequence[SourceFields], restrictions: Sequence[RestrictionRecord]
) -> Iterator[SnapshotRecord]:
    begins = {restriction.id: restriction.effective_from for restriction in restrictions}
    for format_ in formats:
        snapshots = json_objects(format_.values.get("snapshots"), f"{format_.where} snapshots")
        for position, fields in enumerate(snapshots):
            restriction = fields.identifier("restriction_id", 80, required=False)
            yield SnapshotRecord(
                id=fields.identifier("id", 60),
                format=format_.identifier("id", 40),
                position=position,
                # Some sources date a snapshot before its ban list: DECK_RULES, "Doubts in the
                # source".
                effective_from=max(
                    start := fields.required_date("date_start"), begins.get(restriction, start)
                ),
                pool=fields.identifier("card_pool_id", 80),
                restriction=restriction,
                where=fields.where,
            )


# Android: Netrunner, shipped tables


ANR_CARD_HEADER = (
    "code,title,stripped_title,side,faction,type,influence_cost,agenda_points,"
    "advancement_requirement,cost,strength,memory_cost,trash_cost,minimum_deck_size,"
    "influence_limit,deck_limit,is_unique,subtypes,card_sets,card_id"
)
PRINTING_HEADER = "id,card_id,card_set_id,position,quantity"


def read_anr_tables(cards_file: Path, printings_file: Path, formats_file: Path) -> CardData:
    """Read the shipped tables. Raises DamagedSource."""
    formats = json_object(read_json(formats_file), formats_file.name)
    source = json_object(formats.values.get("source"), f"{formats_file.name} source")
    cards = [_anr_table_card(row) for row in read_csv_rows(cards_file, ANR_CARD_HEADER)]

    def objects(kind: str) -> list[SourceFields]:
        return list(json_objects(formats.values.get(kind), f"{formats.where} {kind}"))

    return build_card_data(
        name=source.text("repository", 200),
        date=source.date("commit_date"),
        cards=cards,
        printings=list(read_csv_rows(printings_file, PRINTING_HEADER)),
        sets=objects("card_sets"),
        cycles=objects("card_cycles"),
        factions=objects("factions"),
        pools=objects("card_pools"),
        formats=objects("formats"),
        restrictions=[_anr_table_restriction(fields) for fields in objects("restrictions")],
        subtypes={name: name for card in cards for name in card.texts("subtypes")},
    )


def _anr_table_card(row: SourceFields) -> SourceFields:
    """Map a CSV row to the field names of the public repository; subtypes stay names."""
    cells = row.values
    return SourceFields(
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


def _anr_table_restriction(fields: SourceFields) -> SourceFields:
    values = fields.values
    return SourceFields(
        fields.where,
        {
            **values,
            "subtypes": {"banned": values.get("banned_subtypes")},
            "universal_faction_cost": values.get("universal_influence"),
        },
    )


# Android: Netrunner, NetrunnerDB's API v3


ApiKind: TypeAlias = Literal[
    "cards",
    "printings",
    "card_sets",
    "card_cycles",
    "card_pools",
    "formats",
    "snapshots",
    "restrictions",
    "factions",
]
# Returns the pages of a kind: lists of {"id": text, "attributes": {...}}.
ApiPages: TypeAlias = Callable[[ApiKind], Iterable[Sequence[Mapping[str, Any]]]]


def read_api_v3(pages: ApiPages, date: datetime.date, subtypes: Mapping[str, str]) -> CardData:
    """Read pages of the API; `subtypes` are names by id. Raises DamagedSource."""
    snapshots = _api_objects(pages, "snapshots")
    return build_card_data(
        name="NetrunnerDB, API v3",
        date=date,
        cards=[_api_card(fields) for fields in _api_objects(pages, "cards")],
        printings=_api_objects(pages, "printings"),
        sets=_api_objects(pages, "card_sets"),
        cycles=_api_objects(pages, "card_cycles"),
        factions=_api_objects(pages, "factions"),
        pools=_api_pools(_api_objects(pages, "card_pools"), snapshots),
        formats=_api_formats(_api_objects(pages, "formats"), snapshots),
        restrictions=[_api_restriction(fields) for fields in _api_objects(pages, "restrictions")],
        subtypes=subtypes,
    )


def _api_objects(pages: ApiPages, kind: ApiKind) -> list[SourceFields]:
    records = (record for page in pages(kind) for record in page)
    return [
        SourceFields(f"{kind}[{place}]", {**record["attributes"], "id": record["id"]})
        for place, record in enumerate(records)
    ]


def _api_card(fields: SourceFields) -> SourceFields:
    values = dict(fields.values)
    values["subtypes"] = values.get("card_subtype_ids")
    # Strength is the only figure that is a number in the API; -1 means X.
    if values.get("strength") == -1:
        values["strength"] = "X"
    return SourceFields(fields.where, values)


def _api_pools(pools: list[SourceFields], snapshots: list[SourceFields]) -> list[SourceFields]:
    # A pool has only cycles; its sets are in the snapshots that use it.
    sets: dict[str, set[str]] = defaultdict(set)
    for snapshot in snapshots:
        sets[snapshot.raw("card_pool_id")].update(snapshot.texts("card_set_ids"))

    complete = []
    for pool in pools:
        set_ids = {*pool.texts("card_set_ids"), *sets[pool.raw("id")]}
        # These are all sets of the pool: its cycles would add sets published later.
        cycles = [] if set_ids else pool.texts("card_cycle_ids")
        values = {**pool.values, "card_set_ids": sorted(set_ids), "card_cycle_ids": cycles}
        complete.append(SourceFields(pool.where, values))
    return complete


def _api_formats(formats: list[SourceFields], snapshots: list[SourceFields]) -> list[SourceFields]:
    by_format: dict[str, list[Mapping[str, object]]] = defaultdict(list)
    for snapshot in sorted(snapshots, key=lambda item: (item.raw("date_start"), item.raw("id"))):
        by_format[snapshot.raw("format_id")].append(snapshot.values)
    for id_ in by_format.keys() - {format_.raw("id") for format_ in formats}:
        raise snapshots[0].damage(f'the format "{id_[:40]}" is not in the source')
    return [
        SourceFields(format_.where, {**format_.values, "snapshots": by_format[format_.raw("id")]})
        for format_ in formats
    ]


def _api_restriction(fields: SourceFields) -> SourceFields:
    """Convert numbers by card to cards by number."""
    verdicts = fields.inside("verdicts")
    values = {
        **fields.values,
        "banned": verdicts.texts("banned"),
        "restricted": verdicts.texts("restricted"),
        "points": _cards_by_number(verdicts, "points"),
        "universal_faction_cost": _cards_by_number(verdicts, "universal_faction_cost"),
        "global_penalty": {"1": verdicts.texts("global_penalty")},
        "subtypes": {"banned": fields.texts("banned_subtypes")},
    }
    return SourceFields(fields.where, values)


def _cards_by_number(verdicts: SourceFields, name: str) -> dict[str, list[str]]:
    numbers = verdicts.inside(name)
    cards: dict[str, list[str]] = defaultdict(list)
    for card in numbers.values:
        cards[numbers.raw(card)].append(card)
    return dict(cards)


# Android: Netrunner, a local copy of the public repository (its folder "v2")


MAX_FILES = 20_000
VARIABLE_FIGURES = ("cost", "strength", "advancement_requirement")


def read_folder(folder: Path, subtypes: Mapping[str, str]) -> CardData:
    """`subtypes` are names by id, a fallback for the folder's own. Raises DamagedSource."""
    root = folder / "v2" if (folder / "v2").is_dir() else folder
    names = dict(subtypes)
    if (root / "card_subtypes.json").exists():
        for fields in _folder_list(root, "card_subtypes.json"):
            names[fields.identifier("id", 60)] = fields.text("name", 60)
    return build_card_data(
        name=f"folder {folder.resolve().name}",
        date=None,
        cards=[_with_variable_figures(card) for card in _required_objects(root, "cards")],
        printings=_required_objects(root, "printings"),
        sets=_folder_list(root, "card_sets.json"),
        cycles=_folder_list(root, "card_cycles.json"),
        factions=_folder_list(root, "factions.json"),
        pools=list(_folder_objects(root, "card_pools")),
        formats=list(_folder_objects(root, "formats")),
        restrictions=list(_folder_objects(root, "restrictions")),
        subtypes=names,
    )


def _required_objects(root: Path, name: str) -> list[SourceFields]:
    objects = list(_folder_objects(root, name))
    if not objects:
        raise source_damage(name, f"the folder {root.name} has no files of this kind (*.json)")
    return objects


def _folder_list(root: Path, name: str) -> list[SourceFields]:
    return list(json_objects(read_json(root / name), name))


def _folder_objects(root: Path, name: str) -> Iterator[SourceFields]:
    """Yield the objects of all files below a folder. A file holds one object or a list."""
    paths = sorted((root / name).rglob("*.json"))
    if len(paths) > MAX_FILES:
        raise source_damage(name, f"there are more than {MAX_FILES:,} files")
    for path in paths:
        where = path.relative_to(root).as_posix()
        content = read_json(path, where)
        if isinstance(content, list):
            yield from json_objects(content, where)
        else:
            yield json_object(content, where)


def _with_variable_figures(fields: SourceFields) -> SourceFields:
    # The repository uses null for X and omits figures that do not apply.
    variable = {name: "X" for name in VARIABLE_FIGURES if fields.values.get(name, "") is None}
    return replace(fields, values={**fields.values, **variable})


# Plain tables: a CSV of cards, and one of alternative titles


PLAIN_CARD_HEADER = (
    "title,side,type,set,rarity,difficulty,agenda_points,cost,strength,memory,trash_cost,subtypes"
)
ALIAS_HEADER = "alias,title"
PLAIN_SOURCE = "tables of the founders"


def read_plain_tables(
    game: GameDefinition, cards_file: Path, aliases_file: Path | None = None
) -> CardData:
    """Read cards and their alternative titles. Raises DamagedSource, also without any card."""
    aliases = tuple(_plain_aliases(aliases_file)) if aliases_file else ()
    rows = read_csv_rows(cards_file, PLAIN_CARD_HEADER)
    cards = tuple(_plain_card(game, fields) for fields in rows)
    if not cards:
        raise source_damage(f"{cards_file.name}, line 1", "the file holds no cards")
    return CardData(game=game.id, source=PLAIN_SOURCE, cards=cards, aliases=aliases)


def _plain_aliases(path: Path) -> Iterator[AliasRecord]:
    known: dict[str, str] = {}
    for fields in read_csv_rows(path, ALIAS_HEADER):
        alias, title = fields.text("alias", 120), fields.text("title", 120)
        key = comparison_key(alias)
        if key not in known:
            known[key] = title
            yield AliasRecord(alias, comparison_key(title), where=fields.where)
        elif comparison_key(known[key]) != comparison_key(title):
            raise fields.damage(f"{alias} already means {known[key]}")


def _plain_card(game: GameDefinition, fields: SourceFields) -> CardRecord:
    title = fields.text("title", 120)
    side, type_ = fields.raw("side"), fields.raw("type")
    if type_ not in game.types_of(side):
        raise fields.damage(f'no card has the side "{side}" and the type "{type_}"')
    for column in ("difficulty", "agenda_points"):
        if bool(fields.raw(column)) != (type_ == "agenda"):
            raise fields.damage(f"{column} belongs to agendas, and to every agenda")
    return CardRecord(
        title=title,
        slug=card_slug(fields, title),
        side=side,
        type=type_,
        set_name=fields.text("set", 40),
        rarity=fields.text("rarity", 20, required=False),
        subtypes=fields.text("subtypes", 120, required=False),
        difficulty=str(fields.number("difficulty", 100) or ""),
        agenda_points=fields.number("agenda_points", 100),
        cost=fields.figure("cost"),
        strength=fields.figure("strength"),
        memory=fields.figure("memory"),
        trash_cost=fields.figure("trash_cost"),
        where=fields.where,
    )


# Data shipped with the project


_READERS: Mapping[str, Callable[..., CardData]] = {
    "plain": read_plain_tables,
    # The game is fixed: this layout exists only for Android: Netrunner.
    "public": lambda _, *files: read_anr_tables(*files),
}


@cache
def shipped_card_data(game: str) -> CardData:
    """Load the shipped data of a game once. Raises KeyError if there is none."""
    tables = GAMES[game].card_tables
    if tables is None:
        raise KeyError(game)
    return check_references(_READERS[tables.layout](GAMES[game], *tables.files))


def subtype_names() -> dict[str, str]:
    """Map ids such as "code_gate" to the names of the known subtypes."""
    names = {
        name for card in shipped_card_data(ANR.id).cards for name in card.subtypes.split(" - ")
    }
    return {folded_title(name).replace(" ", "_"): name for name in names if name}
