"""Titles and words are found despite typos."""

import csv
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.titles import folded_title
from rulings.words import CardTitles, TypoIndex, Vocabulary

DATA = Path(__file__).parents[2] / "decks" / "data"
# Letters of a title that may be mistyped.
SHORTEST = 5


@cache
def all_titles() -> list[str]:
    """Return the titles of every card of both games, with duplicates."""
    titles = []
    for name in ("cards_onr.csv", "cards_anr.csv"):
        with (DATA / name).open() as table:
            titles += [row["title"] for row in csv.DictReader(table)]
    return titles


@cache
def index() -> CardTitles:
    return CardTitles((title, key) for key, title in enumerate(all_titles()))


def typos(title: str, letter: str) -> Iterator[str]:
    """The title with a wrong, missing, doubled or swapped letter at every position."""
    for index, old_letter in enumerate(title):
        if old_letter.isalnum():
            before, after = title[:index], title[index + 1 :]
            yield before + letter + after
            yield before + after
            yield before + old_letter + old_letter + after
            if after:
                yield before + after[0] + old_letter + after[1:]


def typos_without_a_card(keys: range, letter: str) -> list[str]:
    """Typos of these titles that find no card."""
    return [
        slip
        for key in keys
        if len(folded_title(all_titles()[key])) >= SHORTEST
        for slip in typos(all_titles()[key], letter)
        if key not in index().nearest(slip, 5)
    ]


def test_titles_of_both_games_are_tested():
    assert len(all_titles()) == 580 + 1988


@settings(max_examples=15)
@given(st.data())
def test_title_with_a_typo_is_among_the_first_five(data):
    key = data.draw(st.integers(0, len(all_titles()) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase + string.digits))

    assert typos_without_a_card(range(key, key + 1), letter) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", [range(0, 580, 3), range(580, 2568, 3)])
def test_any_typo_in_every_third_title_is_corrected(game):
    assert typos_without_a_card(game, "e") == []


@given(st.sampled_from(range(len(all_titles()))))
def test_exact_title_comes_first_in_any_spelling(key):
    title = all_titles()[key]
    first = all_titles()[index().nearest(title)[0]]
    shouted = all_titles()[index().nearest(title.upper().replace(" ", "  "))[0]]

    assert folded_title(first) == folded_title(shouted) == folded_title(title)


@given(st.text(max_size=60))
def test_any_text_gives_at_most_five_cards(typed):
    titles = index().nearest(typed, 5)

    assert len(titles) == len(set(titles)) <= 5


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("lokjaw", "Lockjaw"),
        ("joan of ark", "Joan of Arc"),
        ("boardwlak", "Boardwalk"),
        ("LOCKJAW", "Lockjaw"),
        ("skalderviken", "Sk\u00e4lderviken SA Beta Test Site"),
        ("n.e.t.o", "N.E.T.O."),
        ("neto", "N.E.T.O."),
        ("deck", "The Deck"),
    ],
)
def test_card_is_found_by_usual_spellings(typed, title):
    assert all_titles()[index().nearest(typed)[0]] == title


def test_text_unlike_any_title_is_not_corrected():
    assert index().corrected("zeppelin") == ""
    assert index().corrected("qqqqqqq") == ""
    assert index().nearest("") == []


def test_prefix_of_a_title_is_not_corrected():
    assert index().corrected("skalder") == ""
    assert index().corrected("lokjaw") == "Lockjaw"


def test_card_titles_are_recognised_in_a_sentence():
    keys = index().named_in("does Lockjaw trash n.e.t.o. for Joan of Arc?")

    assert {all_titles()[key] for key in keys} == {"Lockjaw", "N.E.T.O.", "Joan of Arc"}


def test_titles_that_differ_by_a_typo_are_both_suggested():
    titles = CardTitles([("Chimera", 1), ("Chimaera", 2), ("Other", 3)])

    assert titles.nearest("chimera")[:2] == [1, 2]


@given(st.text(string.ascii_lowercase, min_size=5, max_size=20), st.data())
def test_typo_of_a_word_is_near_the_word(word, data):
    index = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase))
    typed = word[:index] + letter + word[index + 1 :]

    assert TypoIndex([word]).near(typed) == ([word] if typed != word else [])


def test_unknown_word_becomes_the_most_frequent_near_word():
    vocabulary = Vocabulary(["trace the trash", "trash it", "trace"])

    assert vocabulary.corrected(["trach"]) == "trace"
    assert vocabulary.corrected(["trassh", "the", "zeppelin"]) == "trash the zeppelin"
    assert vocabulary.corrected(["trash"]) == ""
