"""The shipped tables, compared with an independent reading of their files."""

import csv
import datetime
import json
from collections import Counter

import pytest

from decks.card_data.readers import shipped_card_data
from decks.games import CARDS_ANR, FORMATS_ANR, PRINTINGS_ANR
from tests.factories.decks import card, shipped_formats, shipped_table


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def number(cell):
    return int(cell) if cell else None


def test_tables_have_the_documented_sizes():
    data = shipped_card_data("anr")
    documented = {"cards": 1988, "printings": 2394, "sets": 74, "cycles": 28}
    documented |= {"formats": 6, "pools": 27, "restrictions": 45}

    assert len(shipped_card_data("onr").cards) == 580
    assert {name: len(getattr(data, name)) for name in documented} == documented
    assert (data.source, data.source_date) == (
        "NetrunnerDB/netrunner-cards-json",
        datetime.date(2025, 9, 17),
    )


def test_types_of_each_side_match_the_counts_of_the_source():
    counts = Counter((card.side, card.type) for card in shipped_card_data("anr").cards)

    assert counts == {
        ("corp", "identity"): 79,
        ("corp", "agenda"): 176,
        ("corp", "asset"): 206,
        ("corp", "ice"): 303,
        ("corp", "operation"): 208,
        ("corp", "upgrade"): 113,
        ("runner", "identity"): 65,
        ("runner", "event"): 216,
        ("runner", "hardware"): 149,
        ("runner", "program"): 249,
        ("runner", "resource"): 224,
    }


def test_every_figure_of_a_card_is_loaded():
    records = {record.card_id: record for record in shipped_card_data("anr").cards}
    for row in rows(CARDS_ANR):
        record = records[row["card_id"]]
        assert (record.title, record.side, record.type, record.faction) == (
            row["title"],
            row["side"],
            row["type"],
            row["faction"],
        )
        figures = ("cost", "strength", "trash_cost")
        assert [getattr(record, name) for name in figures] == [row[name] for name in figures]
        assert (record.memory, record.difficulty) == (
            row["memory_cost"],
            row["advancement_requirement"],
        )
        for name in ("agenda_points", "influence_cost", "minimum_deck_size", "influence_limit"):
            assert getattr(record, name) == number(row[name]), row["title"]
        assert record.deck_limit == int(row["deck_limit"])
        assert record.is_unique == (row["is_unique"] == "true")
        assert record.subtypes == row["subtypes"]


def test_every_printing_belongs_to_its_card_and_has_a_text_code():
    cards = {facts.card_id: facts for facts in shipped_table("anr").cards}
    for row in rows(PRINTINGS_ANR):
        own_printings = [
            printing for printing in cards[row["card_id"]].printings if printing.code == row["id"]
        ]
        assert [(own_printing.set_id, own_printing.quantity) for own_printing in own_printings] == [
            (row["card_set_id"], int(row["quantity"]))
        ]
    assert card("The Masque: Cyber General", "anr").printings[0].code == "00006"


def test_printings_are_sorted_by_release():
    sets = {row["card_id"]: row["card_sets"].split(";") for row in rows(CARDS_ANR)}
    for facts in shipped_table("anr").cards:
        assert [printing.set_id for printing in facts.printings] == sets[facts.card_id]


def test_set_of_a_card_is_that_of_its_latest_printing():
    records = {record.card_id: record for record in shipped_card_data("anr").cards}

    assert records["hedge_fund"].set_name == "System Gateway"


COSTS_X = {
    *("Psychographics", "Bug Out Bag", "Bribery", "Brute-Force-Hack", "Ad Blitz", "Angel Arena"),
    *("IP Enforcement", "Recruiting Trip"),
}


def test_variable_figures_are_x():
    assert {card(title, "anr").cost for title in COSTS_X} == {"X"}
    assert {card(title, "anr").strength for title in ("Surveyor", "Darwin")} == {"X"}
    assert card("Blood in the Water", "anr").difficulty == "X"


@pytest.mark.parametrize("typed", ["Tomorrow's Headline", "O Shortage", "Paule's Cafe", "SIFR"])
def test_title_is_found_in_plain_letters(typed):
    assert shipped_table("anr").find(typed) is not None


@pytest.mark.parametrize(
    ("format_id", "snapshot", "list_", "cards"),
    [
        ("standard", "standard_31", "Standard Ban List 25.08", 547),
        ("startup", "startup_7", "Startup Balance Update 25.04", 289),
        ("eternal", "eternal_7", "Eternal Points List 25.07", 1821),
        ("snapshot", "snapshot_0", "Snapshot Ban List 1.0", 1181),
        ("ram", "ram_7", None, None),
        ("system_gateway", "system_gateway_0", None, 77),
    ],
)
def test_snapshots_in_force_on_the_day_of_the_source(format_id, snapshot, list_, cards):
    current = shipped_formats().find(format_id).on(datetime.date(2025, 9, 17))
    pool = [
        facts
        for facts in shipped_table("anr").cards
        if any(printing.set_id in current.pool.set_ids for printing in facts.printings)
    ]

    assert current.id == snapshot
    assert (current.restriction and current.restriction.name) == list_
    assert cards in (None, len(pool))


def test_no_snapshot_starts_before_its_date_or_its_ban_list():
    document = json.loads(FORMATS_ANR.read_text(encoding="utf-8"))
    lists = {
        restriction["id"]: restriction["date_start"] for restriction in document["restrictions"]
    }
    expected_starts = {
        snapshot["id"]: max(snapshot["date_start"], lists.get(snapshot["restriction_id"], ""))
        for format_ in document["formats"]
        for snapshot in format_["snapshots"]
    }

    assert expected_starts == {
        snapshot.id: snapshot.effective_from.isoformat()
        for snapshot in shipped_card_data("anr").snapshots
    }


def test_every_entry_of_every_ban_list_is_loaded():
    document = json.loads(FORMATS_ANR.read_text(encoding="utf-8"))
    restrictions = {
        snapshot.restriction.id: snapshot.restriction
        for format_ in shipped_formats()
        for snapshot in format_.snapshots
        if snapshot.restriction
    }
    for restriction in document["restrictions"]:
        if restriction["id"] not in restrictions:
            continue
        facts = restrictions[restriction["id"]]
        assert facts.banned == set(restriction["banned"])
        assert facts.restricted == set(restriction["restricted"])
        assert facts.banned_subtypes == set(restriction["banned_subtypes"])
        assert facts.point_limit == restriction["point_limit"]
        for name in ("points", "universal_influence", "global_penalty"):
            listed = {
                card: int(value) for value, cards in restriction[name].items() for card in cards
            }
            assert getattr(facts, name) == listed
    unnamed = {restriction["id"] for restriction in document["restrictions"]} - set(restrictions)
    assert len(unnamed) == 3


def test_formats_are_in_display_order():
    order = ["standard", "startup", "system_gateway", "eternal", "snapshot", "ram"]
    assert [format_.id for format_ in shipped_formats()] == order
