import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import (
    LONGEST_COMPARED,
    clean,
    comparison_key,
    find_lookalike,
    find_lookalikes,
    folded_text,
    forbidden_characters,
    is_visible,
    skeleton,
    sort_key,
    with_full_stop,
)
from decks.titles import folded_title
from players import names
from tests.players.name_corpus import DIFFERENT, NAMES, SAME

pytestmark = pytest.mark.check(13)


INVISIBLE = ["\u2061", "\u2065", "\ufff0", "\U0001bca0", "\U0001d173", "\U000e0080", "\U000e0fff"]


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("\ufeff Ada\u200b \u00a0 Love\u00adlace\u200f\n", "Ada Lovelace"),
        *((f"A{mark}da", "Ada") for mark in INVISIBLE),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Zoe\u0308 " * 400, " ".join(["Zo\u00eb"] * 400)),
        *((name, unicodedata.normalize("NFC", name)) for name in NAMES),
    ],
)
def test_cleaning_composes_letters_and_drops_invisible_characters(typed, cleaned):
    assert clean(typed) == cleaned


@pytest.mark.parametrize(("first", "second"), SAME)
def test_two_spellings_of_a_name_share_a_key(first, second):
    assert comparison_key(first) == comparison_key(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_names_of_different_people_have_different_keys(first, second):
    assert comparison_key(first) != comparison_key(second)


def test_no_two_names_of_the_corpus_share_a_key():
    assert len({comparison_key(name) for name in NAMES}) == len(NAMES)


@given(st.text())
def test_cleaning_twice_changes_nothing(text):
    assert clean(clean(text)) == clean(text)


@given(st.text())
def test_key_of_a_key_is_the_same_key(text):
    key = comparison_key(text)

    assert comparison_key(key) == key


@given(st.text())
def test_cleaning_does_not_change_the_key(text):
    assert comparison_key(clean(text)) == comparison_key(text)


@given(st.text())
def test_key_is_stable_under_case_changes(text):
    key = comparison_key(text)

    assert comparison_key(key.lower()) == key


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_every_single_character_has_a_stable_key(step: int):
    characters = (chr(point) for point in range(0, 0x110000, step))

    unstable = [c for c in characters if comparison_key(comparison_key(c)) != comparison_key(c)]

    assert unstable == []


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\x00", "U+0000"),
        ("\x1b", "U+001B"),
        ("\x7f", "U+007F"),
        ("\u202e", "RIGHT-TO-LEFT OVERRIDE"),
        ("\u2066", "LEFT-TO-RIGHT ISOLATE"),
        ("\ud800", "U+D800"),
        ("\ue000", "U+E000"),
        ("\uffff", "U+FFFF"),
        ("\U0010fffe", "U+10FFFE"),
        ("\ufdd0", "U+FDD0"),
    ],
)
def test_layout_breaking_characters_are_forbidden_and_named_once(character, name):
    assert forbidden_characters(f"A{character}d{character}a") == [name]


@pytest.mark.parametrize("name", [*NAMES, "\U000323b0"])
def test_names_and_letters_newer_than_the_python_version_are_allowed(name):
    assert forbidden_characters(name) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, True) for text in ("a", "7", "\U0001f98a", "\u674e", "?")),
        *((text, False) for text in ("", "  ", "\u200b", "\u3164", "\u2800", "\u0301")),
        ("\u200d\ufe0f", False),
    ],
)
def test_letters_digits_and_emoji_are_visible(text, expected):
    assert is_visible(text) is expected


def test_names_are_sorted_without_accents():
    names = ["Zoë", "Łucja", "Émile", "adam", "Dana", "Øyvind", "Ali", "Çelik", "ıtır", "Oz"]

    assert sorted(names, key=sort_key) == [
        "adam",
        "Ali",
        "Çelik",
        "Dana",
        "Émile",
        "ıtır",
        "Łucja",
        "Øyvind",
        "Oz",
        "Zoë",
    ]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("Ada", "\u0410da"),  # Cyrillic
        ("Ivan", "lvan"),
        ("\u0395\u03bb\u03ad\u03bd\u03b7", "E\u03bb\u03ad\u03bd\u03b7"),  # Latin among Greek
        ("OLGA", "0lga"),
        ("Arnie", "Amie"),
        ("Ada", "ADA"),
    ],
)
def test_lookalike_names_are_found(name, second):
    assert find_lookalike(second, ["Zoe", name]) == name


@pytest.mark.parametrize(
    ("first", "second"), [*DIFFERENT[2:], ("Kari", "Karl"), ("Zo\u00eb", "Zoe")]
)
def test_names_with_different_letters_are_no_lookalikes(first, second):
    assert find_lookalike(first, [second]) == ""


def test_each_lookalike_maps_to_the_first_name():
    names = {1: "Zoe", 2: "Ivan", 3: "lvan", 4: "Amie", 5: "IVAN", 6: "Arnie"}

    assert find_lookalikes(names) == {2: 3, 3: 2, 4: 6, 5: 2, 6: 4}


def test_no_two_names_of_many_scripts_look_the_same():
    assert len({skeleton(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize(
    ("sentence", "sentence_with_stop"),
    [("It is Encoder, Inc.", "It is Encoder, Inc."), ("It is Fang", "It is Fang.")],
)
def test_sentence_ends_with_a_single_full_stop(sentence, sentence_with_stop):
    assert with_full_stop(sentence) == sentence_with_stop


LIGATURE, MARKS = "\ufdfa", "\u0301\u0323"


@pytest.fixture
def normalised(monkeypatch) -> list[int]:
    """Characters passed to each normalisation."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def count(form, text):
        lengths.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", count)
    return lengths


@pytest.mark.parametrize("change", [clean, comparison_key, sort_key, skeleton, folded_title])
@pytest.mark.parametrize("text", [LIGATURE * 100_000, "a" + MARKS * 50_000])
def test_text_longer_than_any_name_is_not_normalised(normalised, change, text):
    change(text)

    assert max(normalised, default=0) <= LONGEST_COMPARED


@pytest.mark.parametrize("check", [names.name_problems, names.pronoun_problems])
def test_name_that_is_too_long_is_refused_before_normalisation(normalised, check):
    assert len(list(check("a" + MARKS * 50_000))) == 1
    assert max(normalised, default=0) <= LONGEST_COMPARED


def test_long_text_is_folded_word_by_word():
    assert folded_text("Café\u00a0Zoe\u0308 " * 400) == " ".join(["café zoë"] * 400)
