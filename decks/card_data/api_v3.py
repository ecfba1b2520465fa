"""The card data of NetrunnerDB's API v3: the objects of its pages, in the repository's layout."""

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from decks.card_data.fields import Fields
from decks.card_data.public import Source, card_data
from decks.card_data.records import CardData

Kind: TypeAlias = Literal[
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
Pages: TypeAlias = Callable[[Kind], Iterable[Sequence[Mapping[str, Any]]]]
"""Answers the pages of a kind: lists of {"id": text, "attributes": {...}}."""


def read(pages: Pages, date: datetime.date, subtypes: Mapping[str, str]) -> CardData:
    """All cards, sets and formats the API tells of on a day. Raises DamagedSource.

    `subtypes` are names by id.
    """
    snapshots = _objects(pages, "snapshots")
    return card_data(
        Source(
            name="NetrunnerDB, API v3",
            date=date,
            cards=[_card(one) for one in _objects(pages, "cards")],
            printings=_objects(pages, "printings"),
            sets=_objects(pages, "card_sets"),
            cycles=_objects(pages, "card_cycles"),
            factions=_objects(pages, "factions"),
            pools=_pools(_objects(pages, "card_pools"), snapshots),
            formats=_formats(_objects(pages, "formats"), snapshots),
            restrictions=[_restriction(one) for one in _objects(pages, "restrictions")],
            subtypes=subtypes,
        )
    )


def _objects(pages: Pages, kind: Kind) -> list[Fields]:
    records = (record for page in pages(kind) for record in page)
    return [
        Fields(f"{kind}[{place}]", {**record["attributes"], "id": record["id"]})
        for place, record in enumerate(records)
    ]


def _card(fields: Fields) -> Fields:
    values = dict(fields.values)
    values["subtypes"] = values.get("card_subtype_ids")
    # Of the figures that can be X, one is a number there and says so with -1.
    if values.get("strength") == -1:
        values["strength"] = "X"
    return Fields(fields.where, values)


def _pools(pools: list[Fields], snapshots: list[Fields]) -> list[Fields]:
    """A pool of the API names its cycles; its sets stand in the snapshots that use it."""
    sets: dict[str, set[str]] = defaultdict(set)
    for snapshot in snapshots:
        sets[snapshot.raw("card_pool_id")].update(snapshot.texts("card_set_ids"))

    def complete(pool: Fields) -> Fields:
        named = {*pool.texts("card_set_ids"), *sets[pool.raw("id")]}
        # The sets are all of them: cycles would add those that came later.
        cycles = [] if named else pool.texts("card_cycle_ids")
        values = {**pool.values, "card_set_ids": sorted(named), "card_cycle_ids": cycles}
        return Fields(pool.where, values)

    return [complete(pool) for pool in pools]


def _formats(formats: list[Fields], snapshots: list[Fields]) -> list[Fields]:
    """Each format with its snapshots, by the day they are said to begin."""
    of_format: dict[str, list[Mapping[str, object]]] = defaultdict(list)
    for one in sorted(snapshots, key=lambda one: (one.raw("date_start"), one.raw("id"))):
        of_format[one.raw("format_id")].append(one.values)
    for id_ in of_format.keys() - {one.raw("id") for one in formats}:
        raise snapshots[0].damage(f'the format "{id_[:40]}" is not in the source')
    return [
        Fields(one.where, {**one.values, "snapshots": of_format[one.raw("id")]}) for one in formats
    ]


def _restriction(fields: Fields) -> Fields:
    """The list in the layout of the repository: cards by their number instead of the reverse."""
    verdicts = fields.inside("verdicts")
    values = {
        **fields.values,
        "banned": verdicts.texts("banned"),
        "restricted": verdicts.texts("restricted"),
        "points": _by_number(verdicts, "points"),
        "universal_faction_cost": _by_number(verdicts, "universal_faction_cost"),
        "global_penalty": {"1": verdicts.texts("global_penalty")},
        "subtypes": {"banned": fields.texts("banned_subtypes")},
    }
    return Fields(fields.where, values)


def _by_number(verdicts: Fields, name: str) -> dict[str, list[str]]:
    numbers = verdicts.inside(name)
    cards: dict[str, list[str]] = defaultdict(list)
    for card in numbers.values:
        cards[numbers.raw(card)].append(card)
    return dict(cards)
