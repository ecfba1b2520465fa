"""Imports of Android: Netrunner from the shipped tables and from invented sources."""

import datetime
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks import importer
from decks.card_data import readers
from decks.card_data.fields import DamagedSource
from decks.card_data.readers import shipped_card_data
from decks.card_data.records import compare_card_data
from decks.catalogue import card_table, format_table, stored_card_data
from decks.models import (
    Card,
    CardPool,
    Catalogue,
    Decklist,
    DeckSlot,
    Printing,
    Restriction,
    RestrictionEntry,
    Snapshot,
)
from decks.signals import cards_imported
from players.models import Player
from tests.factories.card_sources import source, write_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def read_source(tmp_path):
    """A function that reads the invented source after a change."""
    numbers = iter(range(100))

    def reader(change=lambda document: None):
        document = source()
        change(document)
        root = write_folder(tmp_path / str(next(numbers)), document)
        return readers.read_folder(root, {"gray_ops": "Gray Ops", "code_gate": "Code Gate"})

    return reader


def load(data, **options):
    return importer.import_cards(data=data, **options)


def all_rows_of_tables():
    models = (Card, Printing, CardPool, Restriction, RestrictionEntry, Snapshot, Catalogue)
    return {model: list(model.objects.order_by("pk").values()) for model in models}


def test_shipped_tables_are_loaded_completely_and_are_then_up_to_date():
    with CaptureQueriesContext(connection) as queries:
        first = importer.import_cards("anr")
    catalogue = Catalogue.objects.get(game="anr")
    second = importer.import_cards("anr")

    assert (len(first.differences.cards.new), Printing.objects.count()) == (1988, 2394)
    assert [
        difference
        for difference in compare_card_data(shipped_card_data("anr"), stored_card_data("anr"))
        if not difference.is_empty
    ] == []
    assert second.differences.is_empty
    assert Catalogue.objects.get(game="anr").stamp == catalogue.stamp
    assert (catalogue.source, catalogue.source_date) == (
        "NetrunnerDB/netrunner-cards-json",
        datetime.date(2025, 9, 17),
    )
    assert not Card.objects.filter(game="onr").exists()
    assert len(queries) < 150
    assert_tables_match_the_files()


def assert_tables_match_the_files():
    cards = {card.card_id: card for card in card_table("anr").cards}
    assert cards["hedge_fund"].printings[0].code == "01110"
    assert cards["psychographics"].cost == "X"
    assert next(iter(format_table("anr"))).id == "standard"
    standard = format_table("anr").find("standard")
    for day, list_ in (("2025-09-17", "25.08"), ("2025-10-02", "25.08"), ("2025-10-03", "25.10")):
        restriction_ = standard.on(datetime.date.fromisoformat(day)).restriction
        assert restriction_.name == f"Standard Ban List {list_}"


def test_dry_run_shows_everything_and_writes_nothing(read_source):
    load(read_source())
    before = all_rows_of_tables()

    def change(document):
        document["cards"][4]["cost"] = 5
        del document["cards"][2]
        del document["printings"][2]
        document["restrictions"][0]["point_limit"] = 8

    report = load(read_source(change), dry_run=True)

    assert all_rows_of_tables() == before
    ((old, new),) = report.differences.cards.changed
    assert (old.cost, new.cost) == ("4", "5")
    assert [card.title for card in report.differences.cards.gone] == ["Rising Tide"]
    assert [new.point_limit for _, new in report.differences.restrictions.changed] == [8]


def test_changed_records_keep_their_rows(read_source):
    load(read_source())
    card, stamp = Card.objects.get(card_id="mist_wall"), Catalogue.objects.get().stamp

    def change(document):
        document["cards"][4].update(title="Fog Wall", stripped_title="Fog Wall", cost=None)
        document["card_pools"][0]["card_set_ids"] = []
        document["restrictions"][0]["banned"] = ["rising_tide"]
        document["card_sets"][1]["name"] = "Third Wind"

    load(read_source(change))
    after = Card.objects.get(card_id="mist_wall")

    assert (after.pk, after.title, after.title_key, after.slug, after.cost) == (
        card.pk,
        "Fog Wall",
        "fog wall",
        "fog-wall",
        "X",
    )
    assert after.set_name == "Third Wind"
    assert after.updated_at > card.updated_at
    (pool,) = stored_card_data("anr").pools
    assert pool.sets == {"first_light"}
    banned = RestrictionEntry.objects.filter(kind="banned").values_list("card__card_id", flat=True)
    assert list(banned) == ["rising_tide"]
    assert Catalogue.objects.get().stamp != stamp


def test_cards_may_swap_their_titles(read_source):
    load(read_source())

    def swap(document):
        ice, dock = document["cards"][4], document["cards"][3]
        for name in ("title", "stripped_title"):
            ice[name], dock[name] = dock[name], ice[name]

    load(read_source(swap))

    assert Card.objects.get(card_id="mist_wall").title == "Dry Dock"
    assert Card.objects.get(card_id="dry_dock").slug == "mist-wall"


def test_snapshots_can_be_reordered_and_removed(read_source):
    load(read_source())

    def change(document):
        snapshots = document["formats"][0]["snapshots"]
        new = {**snapshots[0], "id": "standard_2", "date_start": "2026-01-01"}
        document["formats"][0]["snapshots"] = [snapshots[1], new]

    report = load(read_source(change))
    second_report = load(read_source(change))

    assert [snapshot.id for snapshot in report.differences.snapshots.gone] == ["standard_0"]
    positions = dict(Snapshot.objects.values_list("snapshot_id", "position"))
    assert (positions["standard_1"], positions["standard_2"]) == (0, 1)
    assert second_report.differences.is_empty


def test_cards_in_lists_stay_if_the_source_loses_them(read_source):
    load(read_source())
    version = submitted_version(Card.objects.get(card_id="mist_wall"))

    def lose(document):
        del document["cards"][4]
        document["printings"] = [
            printing for printing in document["printings"] if printing["card_id"] != "mist_wall"
        ]
        document["restrictions"][0]["restricted"] = []
        document["restrictions"][0]["global_penalty"] = {}

    report = load(read_source(lose))

    assert [card.title for card in report.differences.cards.gone] == ["Mist Wall"]
    assert [gone_printing.code for gone_printing in report.differences.printings.gone] == [
        "01005",
        "02001",
    ]
    assert DeckSlot.objects.get(version=version).card.title == "Mist Wall"
    assert Printing.objects.filter(code="02001").exists()


def submitted_version(card):
    player = Player.objects.create(name="Ada")
    deck = Decklist.objects.create(player=player, game="anr", side="corp")
    version = deck.versions.create(number=1, text="", size=1, is_legal=False, seal="0" * 64)
    DeckSlot.objects.create(version=version, card=card, quantity=1, printing="02001")
    return version


def test_new_card_with_the_slug_of_a_kept_card_is_refused(read_source):
    load(read_source())
    before = all_rows_of_tables()

    def change(document):
        document["cards"][4].update(id="fog_wall", title="Mist Wall!")
        for printing in document["printings"]:
            if printing["card_id"] == "mist_wall":
                printing["card_id"] = "fog_wall"
        document["restrictions"][0].update(restricted=[], global_penalty={})

    with pytest.raises(DamagedSource, match=r"Mist Wall! would have the address of Mist Wall"):
        load(read_source(change))

    assert all_rows_of_tables() == before


def test_damage_anywhere_writes_nothing(read_source):
    load(read_source())
    before = all_rows_of_tables()
    data = read_source(lambda document: document["cards"][4].update(cost=9))
    snapshot = replace(data.snapshots[1], pool="nowhere")

    with pytest.raises(DamagedSource, match='the pool "nowhere" is not in the source'):
        load(replace(data, snapshots=(snapshot,)))

    assert all_rows_of_tables() == before


@pytest.fixture
def calls():
    """List that grows with every import signal."""
    imports = []

    def listen(**kwargs):
        imports.append("imported")

    cards_imported.connect(listen)
    yield imports
    cards_imported.disconnect(listen)


def test_signal_is_sent_after_the_commit(read_source, django_capture_on_commit_callbacks, calls):
    with django_capture_on_commit_callbacks(execute=True):
        load(read_source())
        assert calls == []
    assert calls == ["imported"]
    with django_capture_on_commit_callbacks(execute=True):
        load(read_source())
        load(read_source(), dry_run=True)
    assert calls == ["imported"]


def test_games_are_loaded_separately(read_source):
    load(read_source())
    importer.import_cards()

    assert Card.objects.filter(game="onr").count() == 580
    assert Card.objects.filter(game="anr").count() == 6
    assert card_table("onr").find("Mist Wall") is None


@pytest.mark.parametrize("copies", [1, 40])
def test_larger_import_needs_no_more_queries(read_source, copies, django_assert_max_num_queries):
    def more(document):
        card = document["cards"][4]
        document["cards"] += [
            {**card, "id": f"wall_{number}", "title": f"Wall {number}", "stripped_title": ""}
            for number in range(copies)
        ]

    data = read_source(more)
    with django_assert_max_num_queries(60):
        load(data)
