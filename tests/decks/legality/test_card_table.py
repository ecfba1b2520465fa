import pytest

from decks.legality.card_tables import CardTable
from decks.legality.records import CardFacts
from tests.factories.decks import shipped_table


def facts(number, title):
    return CardFacts(number, title, title.casefold(), "corp", "ice")


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("TYCHO EXTENSION", "Tycho Extension"),
        ("Personal Touch", "The Personal Touch"),
        ("Personal Touch, The", "The Personal Touch"),
        ("Deck", "The Deck"),
        ("Gypsy\u2122 Schedule Analyzer", "Gypsy Schedule Analyzer"),
        ("The Bolt Hole", "Bolt-Hole"),
        ("Zetatech Portostation", "Zetatech Portastation"),
        ("'Drifter' Mobile Environment", '"Drifter" Mobile Environment'),
    ],
)
def test_card_is_found_by_other_spellings(typed, title):
    card_ = shipped_table().find(typed)

    assert card_ is not None
    assert card_.title == title


def test_title_without_letters_matches_no_other_title():
    table = CardTable([facts(1, "!"), facts(2, "Wall")])

    assert table.find("?") is None
    assert table.find("Wall") is not None


@pytest.mark.parametrize("typed", ["Tycho", "Tycho Extention", "", "the", "!", "Extension"])
def test_near_title_finds_nothing(typed):
    assert shipped_table().find(typed) is None


def test_ambiguous_folded_title_finds_no_card():
    table = CardTable([facts(1, "The Wall"), facts(2, "Wall"), facts(3, "W\u00e4ll")])

    for title in ("The Wall", "Wall", "W\u00e4ll"):
        card_ = table.find(title.upper())
        assert card_ is not None
        assert card_.title == title
    assert table.find("wall!") is None
