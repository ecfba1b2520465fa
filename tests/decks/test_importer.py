import csv

import pytest

from decks import importer
from decks.card_data import readers
from decks.card_data.fields import DamagedSource
from decks.card_data.readers import PLAIN_CARD_HEADER
from decks.games import CARDS_ONR, ONR
from decks.models import Card, CardAlias, DeckSlot

pytestmark = pytest.mark.django_db
HEADER = PLAIN_CARD_HEADER
FANG = "Fang,corp,ice,v1.0,rare,,,7,4,,,Sentry"


def load(cards, aliases=None):
    return importer.import_cards(data=readers.read_plain_tables(ONR, cards, aliases))


def counts(report):
    """Cards that were created, updated, and unchanged."""
    cards = report.differences.cards
    return len(cards.new), len(cards.changed), cards.unchanged


def write(path, *lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_shipped_cards_are_580_in_two_equal_sides():
    report = importer.import_cards()

    assert counts(report) == (580, 0, 0)
    assert Card.objects.filter(side="corp").count() == 290
    assert Card.objects.filter(side="runner").count() == 290
    sets = {name: Card.objects.filter(set_name=name).count() for name in ("v1.0", "Proteus")}
    assert sets == {"v1.0": 374, "Proteus": 154}


def test_every_figure_of_the_shipped_table_is_loaded(cards):
    by_title = {card.title: card for card in Card.objects.all()}
    columns = ("side", "type", "difficulty", "cost", "strength", "memory", "trash_cost", "subtypes")
    with CARDS_ONR.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            card = by_title[row["title"]]
            assert [getattr(card, column) for column in columns] == [
                row[column] for column in columns
            ]
            assert (card.agenda_points or "") == (int(row["agenda_points"] or 0) or "")


def test_second_import_changes_nothing():
    importer.import_cards()
    stamp = dict(Card.objects.values_list("pk", "updated_at"))
    report = importer.import_cards()

    assert counts(report) == (0, 0, 580)
    assert report.differences.is_empty
    assert CardAlias.objects.count() == report.differences.aliases.unchanged
    assert dict(Card.objects.values_list("pk", "updated_at")) == stamp


def test_changed_fact_updates_the_card(tmp_path):
    path = tmp_path / "cards.csv"
    load(write(path, HEADER, FANG, FANG.replace("Fang", "Bite")))
    before = Card.objects.get(title="Fang")
    report = load(write(path, HEADER, FANG.replace("7,4", "8,4")))
    after = Card.objects.get(title="Fang")

    assert counts(report) == (0, 1, 0)
    assert (after.pk, after.cost, after.set_name) == (before.pk, "8", "v1.0")
    assert after.updated_at > before.updated_at
    assert Card.objects.filter(title="Bite").exists()
    assert not DeckSlot.objects.exists()


def test_address_of_a_card_has_plain_letters(cards):
    slugs = {card.title: card.slug for card in Card.objects.all()}
    assert slugs["Bodyweight Data Cr\u00e8che"] == "bodyweight-data-creche"
    assert slugs["\u03c0 in the 'Face"] == "pi-in-the-face"


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ([""], 1, "the columns are not"),
        ([HEADER], 1, "no cards"),
        ([HEADER, FANG, FANG], 3, "stands in the source already"),
        ([HEADER, FANG, FANG.upper().replace("CORP,ICE", "corp,ice")], 3, "already"),
        ([HEADER, FANG + ",1"], 2, "13 cells where 12"),
        ([HEADER, "Fang,corp"], 2, "2 cells where 12"),
        ([HEADER, FANG.replace("corp", "both")], 2, 'side "both"'),
        ([HEADER, FANG.replace("ice", "program")], 2, 'type "program"'),
        ([HEADER, FANG.replace("7,4", "7,many")], 2, "strength is a number"),
        ([HEADER, FANG.replace("7,4", "-7,4")], 2, "cost is a number"),
        ([HEADER, FANG.replace("rare,,", "rare,3,")], 2, "difficulty belongs to agendas"),
        ([HEADER, FANG.replace("ice", "agenda")], 2, "difficulty belongs to agendas"),
        ([HEADER, FANG.replace("Fang", "")], 2, "title is empty"),
        ([HEADER, FANG.replace("Fang", "x" * 121)], 2, "more than 120"),
        ([HEADER, FANG.replace("Fang", "!?")], 2, "no letter"),
        ([HEADER, FANG.replace("Fang", "Fa\u202eng")], 2, "cannot be shown"),
        ([HEADER, FANG, '"Fang, corp'], 3, "broken CSV"),
    ],
)
def test_damaged_file_is_refused_with_line_and_reason(tmp_path, lines, line, reason):
    path = write(tmp_path / "cards.csv", *lines)

    with pytest.raises(DamagedSource, match=reason) as refusal:
        load(path)

    assert f"line {line}:" in str(refusal.value)
    assert not Card.objects.exists()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["Fang,Fang 2.0"], "Fang is a card of its own"),
        (["Snake,Fang", "snake,Fang 2.0"], "already means Fang"),
        ([",Fang"], "alias is empty"),
        (["Wall,Nothing of that name"], r"aliases\.csv, line 2: no card is called"),
    ],
)
def test_alias_must_mean_a_single_card(tmp_path, rows, reason):
    aliases = write(tmp_path / "aliases.csv", "alias,title", *rows)

    with pytest.raises(DamagedSource, match=reason):
        load(CARDS_ONR, aliases)
    assert not Card.objects.exists()
