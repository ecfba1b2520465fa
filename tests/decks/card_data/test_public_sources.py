"""Invented cards in the formats of the public repository and of its API."""

import datetime
import json

import pytest

from core.errors import Refusal
from decks.card_data import fields, readers
from decks.card_data.fields import DamagedSource
from decks.card_data.records import EntryRecord, check_references, compare_card_data
from tests.factories.card_sources import Api, source, write_folder

TODAY = datetime.date(2026, 11, 21)
SUBTYPES = {"gray_ops": "Gray Ops", "code_gate": "Code Gate", "division": "Division"}


def from_folder(tmp_path, document=None):
    return check_references(
        readers.read_folder(write_folder(tmp_path, document or source()), SUBTYPES)
    )


def from_api(document=None):
    return check_references(readers.read_api_v3(Api(document or source()).pages, TODAY, SUBTYPES))


@pytest.fixture(params=["folder", "api"])
def read_source(request, tmp_path):
    """A function that reads a source from the folder, or from the API."""

    def reader(document=None):
        return from_folder(tmp_path, document) if request.param == "folder" else from_api(document)

    return reader


def by_id(data):
    return {card.card_id: card for card in data.cards}


def test_folder_and_api_give_the_same_data(tmp_path):
    folder_data, api_data = from_folder(tmp_path), from_api()

    assert (folder_data.source, folder_data.source_date) == ("folder cards-json", None)
    assert (api_data.source, api_data.source_date) == ("NetrunnerDB, API v3", TODAY)
    for difference in compare_card_data(folder_data, api_data):
        assert (difference.new, difference.changed, difference.gone) == ((), (), ())


def test_null_figures_are_x(read_source):
    cards = by_id(read_source())

    assert (cards["dry_dock"].cost, cards["dry_dock"].strength) == ("X", "")
    assert (cards["mist_wall"].cost, cards["mist_wall"].strength) == ("4", "X")
    assert cards["rising_tide"].difficulty == "X"
    assert (cards["lantern_2"].cost, cards["lantern_2"].strength) == ("3", "1")
    assert cards["lantern_2"].memory == "1"


def test_types_limits_and_subtypes_use_our_terms(read_source):
    cards = by_id(read_source())

    assert {cards["harbor_quiet_money"].type, cards["ola_nobodys_fool"].type} == {"identity"}
    assert cards["harbor_quiet_money"].influence_limit == 15
    assert cards["ola_nobodys_fool"].influence_limit is None
    assert cards["rising_tide"].influence_cost is None
    assert cards["dry_dock"].influence_cost == 0
    assert cards["mist_wall"].subtypes == "Code Gate"
    assert cards["dry_dock"].subtypes == "Gray Ops - Sea Change"
    assert cards["mist_wall"].set_name == "Second Wind"
    assert cards["lantern_2"].is_unique


def test_title_in_foreign_letters_gets_its_plain_spelling(read_source):
    aliases = read_source().aliases

    assert [(alias.alias, alias.card) for alias in aliases] == [("Lantern", "lantern_2")]


def test_pool_has_its_own_sets_and_those_of_its_cycles(read_source):
    (pool,) = read_source().pools

    assert pool.sets == {"first_light", "second_wind"}


def test_every_entry_of_a_ban_list_is_read(read_source):
    (list_,) = read_source().restrictions

    assert list_.entries == {
        EntryRecord("dry_dock", "banned"),
        EntryRecord("mist_wall", "restricted"),
        EntryRecord("lantern_2", "points", 2),
        EntryRecord("lantern_2", "universal_influence", 1),
        EntryRecord("mist_wall", "global_penalty", 1),
    }
    assert (list_.point_limit, list_.banned_subtypes) == (7, {"sea change"})


def test_snapshot_starts_no_earlier_than_its_ban_list(read_source):
    first, second = read_source().snapshots

    assert (first.restriction, first.effective_from) == ("", datetime.date(2020, 1, 10))
    assert (second.restriction, second.effective_from) == ("list_one", datetime.date(2022, 3, 1))


def test_inner_folder_with_named_subtypes_is_read(tmp_path):
    root = write_folder(tmp_path, source())
    named_subtypes = [{"id": "sea_change", "name": "Sea-change"}]
    (root / "v2" / "card_subtypes.json").write_text(json.dumps(named_subtypes))

    data = readers.read_folder(root / "v2", SUBTYPES)

    assert by_id(data)["dry_dock"].subtypes == "Gray Ops - Sea-change"


def test_duplicate_key_in_a_file_is_accepted(tmp_path):
    root = write_folder(tmp_path, source())
    path = root / "v2" / "cards" / "mist_wall.json"
    path.write_text(path.read_text().replace('"cost": 4', '"cost": 4, "cost": 4'))

    assert by_id(readers.read_folder(root, {}))["mist_wall"].cost == "4"


DAMAGES = [
    ("cards", 2, "title", "", "title is empty"),
    ("cards", 2, "title", "Fa\u202eng", "cannot be shown"),
    ("cards", 2, "title", 7.5, "title is neither a text nor a whole number"),
    ("cards", 2, "title", "x" * 121, "title has more than 120 characters"),
    ("cards", 2, "title", "x" + "\u2474" * 60, "title has more than 120 characters"),
    ("cards", 2, "title", "\ufb03" * 50, "an address of more than 140 characters"),
    ("cards", 2, "subtypes", ["\u202e"], "subtypes holds a text that is too long or cannot"),
    ("cards", 2, "subtypes", ["x" * 161], "subtypes holds a text that is too long or cannot"),
    ("cards", 2, "subtypes", ["x" * 100, "y" * 100], "subtypes have more than 120 characters"),
    ("cards", 2, "title", "!?", "no letter an address can hold"),
    ("cards", 2, "title", "Dry Dock", "Dry Dock stands in the source already"),
    ("cards", 2, "id", "a b", "id is a name of at most 140"),
    ("cards", 2, "side_id", "judge", "side_id is corp or runner"),
    ("cards", 2, "card_type_id", "program", 'no card of the corp side has the type "program"'),
    ("cards", 2, "faction_id", "nobody", 'the faction "nobody" is not in the source'),
    ("cards", 2, "agenda_points", -1, "agenda_points is a whole number under 100"),
    ("cards", 2, "agenda_points", "many", "agenda_points is a whole number under 100"),
    ("cards", 2, "deck_limit", 10**20, "deck_limit is a whole number under 100"),
    ("cards", 2, "is_unique", "perhaps", "is_unique is true or false"),
    ("printings", 0, "card_id", "nothing", 'the card "nothing" is not in the source'),
    ("printings", 0, "card_set_id", "nowhere", 'the set "nowhere" is not in the source'),
    ("printings", 0, "id", "01002", "01002 stands in the source already"),
    ("printings", 0, "quantity", None, "quantity is empty"),
    ("card_sets", 0, "card_cycle_id", "dusk", 'the cycle "dusk" is not in the source'),
    ("card_sets", 0, "date_release", "soon", "date_release is a day such as 2025-09-17"),
    ("card_cycles", 0, "name", None, "name is empty"),
    ("factions", 0, "is_mini", 2, "is_mini is true or false"),
    ("card_pools", 0, "format_id", "nothing", 'the format "nothing" is not in the source'),
    ("card_pools", 0, "card_cycle_ids", ["dusk"], 'the cycle "dusk" is not in the source'),
    ("restrictions", 0, "date_start", None, "date_start is empty"),
    ("restrictions", 0, "banned", ["nobody"], 'the card "nobody" is not in the source'),
    ("restrictions", 0, "banned", "dry_dock", "banned is a list of texts"),
    ("restrictions", 0, "points", {"2": ["lantern_2"], "3": ["lantern_2"]}, "lantern_2 stands"),
]


@pytest.mark.parametrize(("kind", "location", "field", "value", "reason"), DAMAGES)
def test_damaged_folder_is_refused_with_file_and_reason(
    tmp_path, kind, location, field, value, reason
):
    document = source()
    document[kind][location][field] = value

    with pytest.raises(DamagedSource, match=reason) as refusal:
        from_folder(tmp_path, document)

    assert str(refusal.value).startswith(kind)
    assert str(refusal.value).endswith("Nothing was changed.")


@pytest.mark.parametrize(
    ("edit", "location", "reason"),
    [
        ({"strength": "strong"}, "cards[4]", "strength is a number under 100"),
        ({"card_subtype_ids": "code_gate"}, "cards[4]", "subtypes is a list of texts"),
    ],
)
def test_damaged_answer_is_refused_with_its_path(edit, location, reason):
    api = Api(source())
    api._kinds["cards"][4].update(edit)

    with pytest.raises(DamagedSource, match=reason) as refusal:
        check_references(readers.read_api_v3(api.pages, TODAY, {}))

    assert str(refusal.value).startswith(location)


def test_snapshot_of_an_unknown_format_is_refused():
    api = Api(source())
    api._kinds["snapshots"][0]["format_id"] = "marathon"

    with pytest.raises(DamagedSource, match='"marathon" is not in the source'):
        readers.read_api_v3(api.pages, TODAY, {})


def test_network_refusal_is_raised():
    def pages(kind):
        raise Refusal(f"{kind} cannot be asked.")

    with pytest.raises(Refusal, match="snapshots cannot be asked"):
        readers.read_api_v3(pages, TODAY, {})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", r"cards/mist_wall\.json, line 1: broken JSON"),
        ('{\n"id": \n}', r"cards/mist_wall\.json, line 3: broken JSON"),
        ("[" * 100_000, r"cards/mist_wall\.json: the JSON is nested too deep"),
        ("[" + "1" * 5000 + "]", r"cards/mist_wall\.json: a number has more digits"),
        ('"words"', r"cards/mist_wall\.json: an object belongs here"),
        ("[7]", r"cards/mist_wall\.json\[0\]: an object belongs here"),
        ('{"id": "\\ud800"}', r"cards/mist_wall\.json: "),
        (b"\xff\xfe", r"cards/mist_wall\.json, line 1: the text is not UTF-8"),
    ],
)
def test_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    root = write_folder(tmp_path, source())
    path = root / "v2" / "cards" / "mist_wall.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(DamagedSource, match=reason) as refusal:
        readers.read_folder(root, {})

    assert str(refusal.value).encode("utf-8")


def test_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(fields, "MAX_BYTES", 1000)
    root = write_folder(tmp_path, source())
    (root / "v2" / "cards" / "mist_wall.json").write_text(" " * 1001)

    with pytest.raises(DamagedSource, match="has more than 1,000 bytes"):
        readers.read_folder(root, {})


def test_too_many_files_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "MAX_FILES", 3)

    with pytest.raises(DamagedSource, match="cards: there are more than 3 files"):
        readers.read_folder(write_folder(tmp_path, source()), {})


@pytest.mark.parametrize("missing", ["cards", "printings"])
def test_unrelated_folder_is_refused(tmp_path, missing):
    root = write_folder(tmp_path, source())
    (root / "v2" / missing).rename(root / "v2" / "elsewhere")

    with pytest.raises(DamagedSource, match=f"{missing}: the folder v2 has no files of this kind"):
        readers.read_folder(root, {})


def test_missing_table_is_named(tmp_path):
    root = write_folder(tmp_path, source())
    (root / "v2" / "card_sets.json").unlink()

    with pytest.raises(DamagedSource, match=r"card_sets\.json cannot be read: No such file"):
        readers.read_folder(root, {})
