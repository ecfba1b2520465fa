"""A small invented card source, as a folder of the repository and as pages of the API."""

import copy
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Document = dict[str, Any]


def _card(id_: str, title: str, type_: str, side: str, faction: str, **facts: Any) -> Document:
    return {
        "id": id_,
        "title": title,
        "stripped_title": facts.pop("stripped_title", title),
        "card_type_id": type_,
        "side_id": side,
        "faction_id": faction,
        "deck_limit": 3,
        "is_unique": False,
        "text": "Words that are left alone.",
        **facts,
    }


CARDS = [
    _card(
        "harbor_quiet_money",
        "Harbor: Quiet Money",
        "corp_identity",
        "corp",
        "tidewater",
        deck_limit=1,
        minimum_deck_size=45,
        influence_limit=15,
        subtypes=["division"],
    ),
    _card(
        "ola_nobodys_fool",
        "Ola: Nobody's Fool",
        "runner_identity",
        "runner",
        "drifters",
        deck_limit=1,
        minimum_deck_size=40,
        influence_limit=None,
    ),
    _card(
        "rising_tide",
        "Rising Tide",
        "agenda",
        "corp",
        "tidewater",
        advancement_requirement=None,
        agenda_points=2,
    ),
    _card(
        "dry_dock",
        "Dry Dock",
        "operation",
        "corp",
        "neutral_corp",
        cost=None,
        influence_cost=0,
        subtypes=["gray_ops", "sea_change"],
    ),
    _card(
        "mist_wall",
        "Mist Wall",
        "ice",
        "corp",
        "tidewater",
        cost=4,
        strength=None,
        influence_cost=2,
        subtypes=["code_gate"],
    ),
    _card(
        "lantern_2",
        "Lantern₂",
        "program",
        "runner",
        "drifters",
        stripped_title="Lantern",
        cost=3,
        strength=1,
        memory_cost=1,
        influence_cost=3,
        is_unique=True,
    ),
]
SOURCE: Document = {
    "cards": CARDS,
    "printings": [
        {
            "id": f"010{number:02}",
            "card_id": card["id"],
            "card_set_id": "first_light",
            "position": number,
            "quantity": 3,
        }
        for number, card in enumerate(CARDS, start=1)
    ]
    + [
        {
            "id": "02001",
            "card_id": "mist_wall",
            "card_set_id": "second_wind",
            "position": 1,
            "quantity": 2,
        }
    ],
    "card_sets": [
        {
            "id": "first_light",
            "name": "First Light",
            "card_cycle_id": "dawn",
            "card_set_type_id": "core",
            "date_release": "2020-01-10",
            "size": 6,
        },
        {
            "id": "second_wind",
            "name": "Second Wind",
            "card_cycle_id": "noon",
            "card_set_type_id": "expansion",
            "date_release": "2021-02-20",
            "size": 1,
        },
    ],
    "card_cycles": [
        {"id": "dawn", "name": "Dawn", "position": 1},
        {"id": "noon", "name": "Noon", "position": 2},
    ],
    "factions": [
        {"id": "tidewater", "name": "Tidewater", "side_id": "corp", "is_mini": False},
        {"id": "neutral_corp", "name": "Neutral Corp", "side_id": "corp", "is_mini": False},
        {"id": "drifters", "name": "Drifters", "side_id": "runner", "is_mini": True},
    ],
    "card_pools": [
        {
            "id": "all_of_it",
            "name": "All of it",
            "format_id": "standard",
            "card_cycle_ids": ["dawn"],
            "card_set_ids": ["second_wind"],
        }
    ],
    "formats": [
        {
            "id": "standard",
            "name": "Standard",
            "snapshots": [
                {"id": "standard_0", "card_pool_id": "all_of_it", "date_start": "2020-01-10"},
                {
                    "id": "standard_1",
                    "card_pool_id": "all_of_it",
                    "date_start": "2021-03-01",
                    "restriction_id": "list_one",
                    "active": True,
                },
            ],
        }
    ],
    "restrictions": [
        {
            "id": "list_one",
            "name": "List One",
            "format_id": "standard",
            "date_start": "2022-03-01",
            "banned": ["dry_dock", "dry_dock"],
            "restricted": ["mist_wall"],
            "subtypes": {"banned": ["sea_change"]},
            "points": {"2": ["lantern_2"]},
            "point_limit": 7,
            "universal_faction_cost": {"1": ["lantern_2"]},
            "global_penalty": {"1": ["mist_wall"]},
        }
    ],
}


def source() -> Document:
    """A copy that tests can change."""
    return copy.deepcopy(SOURCE)


def write_folder(root: Path, document: Document) -> Path:
    """Write the source in the layout of the repository; return the folder that contains "v2"."""
    v2 = root / "cards-json" / "v2"
    for card in document["cards"]:
        _write(v2 / "cards" / f"{card['id']}.json", card)
    by_set: dict[str, list[Document]] = defaultdict(list)
    for printing in document["printings"]:
        by_set[printing["card_set_id"]].append(printing)
    for card_set, printings in by_set.items():
        _write(v2 / "printings" / f"{card_set}.json", printings)
    for name in ("card_sets", "card_cycles", "factions"):
        _write(v2 / f"{name}.json", document[name])
    _write(v2 / "card_pools" / "standard.json", document["card_pools"])
    for format_ in document["formats"]:
        _write(v2 / "formats" / f"{format_['id']}.json", format_)
    for list_ in document["restrictions"]:
        _write(v2 / "restrictions" / list_["format_id"] / f"{list_['id']}.json", list_)
    return v2.parent


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


class Api:
    """The source as the API serves it, in pages of two records."""

    def __init__(self, document: Document) -> None:
        self._kinds = {
            **{name: document[name] for name in ("printings", "card_sets", "card_cycles")},
            "factions": document["factions"],
            "cards": [_api_card(card) for card in document["cards"]],
            "card_pools": [_without(pool, "card_set_ids") for pool in document["card_pools"]],
            "formats": [_without(format_, "snapshots") for format_ in document["formats"]],
            "snapshots": list(_api_snapshots(document)),
            "restrictions": [_api_list(restriction) for restriction in document["restrictions"]],
        }

    def pages(self, kind: str) -> Iterator[list[Document]]:
        objects = self._kinds[kind]
        for start in range(0, len(objects), 2):
            yield [
                {"id": record["id"], "type": kind, "attributes": _without(record, "id")}
                for record in objects[start : start + 2]
            ]


def _without(record_: Document, key: str) -> Document:
    return {name: value for name, value in record_.items() if name != key}


def _api_card(card: Document) -> Document:
    """Figures are texts in the API, with X in their place; the strength is a number, -1 for X."""
    record = {**card, "card_subtype_ids": card.get("subtypes", [])}
    record.pop("subtypes", None)
    for name in ("cost", "advancement_requirement"):
        record[name] = ("X" if card[name] is None else str(card[name])) if name in card else None
    record["strength"] = -1 if card.get("strength", 0) is None else card.get("strength")
    return record


def _api_snapshots(document: Document) -> Iterator[Document]:
    for format_ in document["formats"]:
        for snapshot in format_["snapshots"]:
            sets = ["first_light", "second_wind"]
            defaults = {"format_id": format_["id"], "restriction_id": None, "card_set_ids": sets}
            yield {**defaults, **snapshot}


def _api_list(restriction: Document) -> Document:
    def by_card(name: str) -> dict[str, int]:
        return {card: int(number) for number, cards in restriction[name].items() for card in cards}

    return {
        **{
            name: restriction[name]
            for name in ("id", "name", "format_id", "date_start", "point_limit")
        },
        "banned_subtypes": restriction["subtypes"]["banned"],
        "verdicts": {
            "banned": restriction["banned"],
            "restricted": restriction["restricted"],
            "points": by_card("points"),
            "universal_faction_cost": by_card("universal_faction_cost"),
            "global_penalty": restriction["global_penalty"]["1"],
        },
    }
