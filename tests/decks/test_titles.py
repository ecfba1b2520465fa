import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.titles import TitleIndex, folded_title, without_article
from tests.factories.decks import shipped_table


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("Gypsy\u2122 Schedule Analyzer", "Gypsy Schedule Analyzer"),
        ("Gypsy [TM] Schedule Analyzer", "Gypsy Schedule Analyzer"),
        ("bodyweight(tm) data creche", "Bodyweight Data Cr\u00e8che"),
        ("Corporate Guard\u00ae Temps", "Corporate Guard Temps"),
        ("Bolt Hole", "Bolt-Hole"),
        ("Bolt\u2013Hole", "Bolt-Hole"),
        ("NETO", "N.E.T.O."),
        ("Pi in the 'Face", "\u03c0 in the 'Face"),
        ("Cre\u0300che", "Cr\u00e8che"),
        ("Ball & Chain", "Ball and Chain"),
    ],
)
def test_spellings_of_a_title_fold_to_the_same_key(typed, title):
    assert folded_title(typed) == folded_title(title)


def test_numbers_and_words_still_distinguish_titles():
    assert folded_title("Fang") != folded_title("Fang 2.0")
    assert folded_title("Thegirl") == "thegirl"
    assert without_article(folded_title("Deck, The")) == without_article(folded_title("The Deck"))


def test_shipped_titles_fold_to_different_keys():
    folded = {without_article(folded_title(card.title)) for card in shipped_table().cards}

    assert len(folded) == 580


@given(st.text())
def test_folding_twice_changes_nothing_more(text):
    assert folded_title(folded_title(text)) == folded_title(text)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Bodywait Data Creche", "Bodyweight Data Cr\u00e8che"),
        ("Tycho Extention", "Tycho Extension"),
        ("Enterprise Shields", "Enterprise, Inc., Shields"),
        ("Data Wal 2.0", "Data Wall 2.0"),
        ("Sock.r", "Shock.r"),
    ],
)
def test_nearest_title_is_the_intended_title(typed, expected):
    nearest = shipped_table().nearest(typed)

    assert nearest[0] == expected
    assert len(set(nearest)) == 3


@given(st.text(max_size=60))
def test_any_text_has_three_nearest_titles(text):
    assert len(set(shipped_table().nearest(text))) == 3


def test_small_table_returns_all_titles():
    assert TitleIndex(["Fang"]).nearest("Fnag") == ("Fang",)
    assert TitleIndex([]).nearest("Fang") == ()
