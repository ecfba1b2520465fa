"""Sources, output and dry run of `manage.py import_cards`."""

import datetime
import io
import re

import pytest
from django.core.management import CommandError, call_command

from decks import importer
from decks.games import ALIASES_ONR, CARDS_ONR
from decks.importer import import_cards
from decks.models import Card, CardAlias, Catalogue
from tests.core import network
from tests.factories.card_sources import Api, source, write_folder

pytestmark = pytest.mark.django_db


def run(*arguments):
    output = io.StringIO()
    call_command("import_cards", *map(str, arguments), stdout=output)
    return output.getvalue()


def change_cards(document):
    document["cards"][4]["cost"] = None
    document["card_sets"][1]["size"] = 2
    del document["cards"][2], document["printings"][2]
    return document


def test_folder_is_loaded_and_reported_kind_by_kind(tmp_path):
    printed = run(write_folder(tmp_path, source()))

    assert printed.splitlines() == [
        "Android: Netrunner, from folder cards-json:",
        "Factions: 3 created, 0 updated, 0 unchanged.",
        "Cycles: 2 created, 0 updated, 0 unchanged.",
        "Sets: 2 created, 0 updated, 0 unchanged.",
        "Cards: 6 created, 0 updated, 0 unchanged.",
        "Other spellings: 1 created, 0 updated, 0 unchanged.",
        "Printings: 7 created, 0 updated, 0 unchanged.",
        "Formats: 1 created, 0 updated, 0 unchanged.",
        "Card pools: 1 created, 0 updated, 0 unchanged.",
        "Ban lists: 1 created, 0 updated, 0 unchanged.",
        "Snapshots: 2 created, 0 updated, 0 unchanged.",
    ]
    assert Card.objects.count() == 6


def test_dry_run_shows_each_field_and_unchanged_records(tmp_path):
    document = change_cards(source())
    document["factions"].append({**document["factions"][0], "id": "new_faction"})
    run(write_folder(tmp_path / "old", source()))
    printed = run(write_folder(tmp_path / "new", document), "--dry-run")

    assert "  new: new_faction" in printed
    assert "Cards: 0 created, 1 updated, 4 unchanged." in printed
    assert "  changed: Mist Wall: cost 4 -> X" in printed
    assert "  changed: second_wind: size 1 -> 2" in printed
    assert "  no longer in the source, kept: Rising Tide" in printed
    assert printed.endswith("This was a dry run: nothing was written.\n")
    assert Card.objects.get(card_id="mist_wall").cost == "4"


def test_long_list_of_names_is_shortened_and_counted(tmp_path):
    document = source()
    document["cards"] += [
        {**document["cards"][4], "id": f"wall_{number}", "title": f"Wall {number}"}
        for number in range(30)
    ]
    for card in document["cards"]:
        card.pop("stripped_title")
    run(write_folder(tmp_path / "old", source()))
    printed = run(write_folder(tmp_path / "new", document))

    assert len(re.findall("  new: Wall", printed)) == importer.MAX_NAMES_LISTED
    assert f"  new: {30 - importer.MAX_NAMES_LISTED} more" in printed


def test_table_of_onr_cards_is_loaded_with_its_spellings():
    printed = run(CARDS_ONR, "--aliases", ALIASES_ONR)

    assert "Cards: 580 created, 0 updated, 0 unchanged." in printed
    assert CardAlias.objects.count() == 45
    assert list(Catalogue.objects.values_list("game", flat=True)) == ["onr"]


def test_without_a_source_both_games_are_loaded():
    printed = run("--dry-run")

    assert "Netrunner (1996), from" in printed
    assert "Cards: 580 created" in printed
    assert "Android: Netrunner, from NetrunnerDB/netrunner-cards-json:" in printed
    assert "Cards: 1988 created" in printed
    assert not Card.objects.exists()


def test_setting_up_again_keeps_newer_cards_of_another_source(tmp_path):
    run(write_folder(tmp_path, source()))
    printed = run("--game", "anr", "--keep-newer")

    assert printed == "Android: Netrunner, from folder cards-json: newer than what is shipped.\n"
    assert Card.objects.count() == 6


def test_setting_up_again_loads_newer_tables_than_the_other_source():
    import_cards(data=importer.fetch_netrunnerdb_data(Api(source()).pages))
    Catalogue.objects.update(source_date=datetime.date(2025, 9, 16))
    printed = run("--game", "anr", "--keep-newer", "--dry-run")

    assert "Android: Netrunner, from NetrunnerDB/netrunner-cards-json:" in printed
    run("--game", "onr", "--keep-newer")
    assert "0 updated, 580 unchanged." in run("--game", "onr", "--keep-newer")


def test_netrunnerdb_is_read_page_by_page():
    loaded = import_cards(data=importer.fetch_netrunnerdb_data(Api(source()).pages))
    second_import = import_cards(data=importer.fetch_netrunnerdb_data(Api(source()).pages))

    assert (len(loaded.differences.cards.new), loaded.source) == (6, "NetrunnerDB, API v3")
    assert second_import.differences.is_empty


def test_unreachable_netrunnerdb_is_reported_and_changes_nothing(monkeypatch):
    network.record(monkeypatch)

    with pytest.raises(CommandError, match=r"api\.netrunnerdb\.com"):
        run("--netrunnerdb")
    assert not Catalogue.objects.exists()


@pytest.mark.parametrize("second", [["--netrunnerdb"], ["--game", "anr"]])
def test_two_sources_are_refused(tmp_path, second):
    with pytest.raises(CommandError, match="Name one source"):
        run(write_folder(tmp_path, source()), *second)


def test_damage_is_reported_with_its_file_and_nothing_is_written(tmp_path):
    document = source()
    document["cards"][4]["cost"] = "four"

    with pytest.raises(CommandError, match=r"cards/mist_wall\.json: cost is a number under 100"):
        run(write_folder(tmp_path, document))
    assert not Catalogue.objects.exists()
