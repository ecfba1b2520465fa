"""Which words of a sentence are taken for a name."""

import pytest

from tournaments.privacy.erasure import ErasedNames

SENTENCE = "The judge told Ada that she will play with ada and Will at table 7."


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Ada", "The judge told Player 9 that she will play with ada and Will at table 7."),
        ("ada", "The judge told Ada that she will play with Player 9 and Will at table 7."),
        ("Will", "The judge told Ada that she will play with ada and Player 9 at table 7."),
        ("Judge told ADA", "The Player 9 that she will play with ada and Will at table 7."),
    ],
)
def test_a_name_is_found_as_a_whole_word_as_it_is_written(name: str, left: str):
    assert ErasedNames([name], "Player 9").in_words(SENTENCE) == left


@pytest.mark.parametrize("name", ["the", "The", "will", "judge", "7"])
def test_a_word_of_every_sentence_is_a_name_only_where_it_stands_alone(name: str):
    names = ErasedNames([name], "Player 9")

    assert names.in_words(SENTENCE) == SENTENCE
    assert names.in_words(name) == "Player 9"


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["Bob Smith"], "Bob Smith met Bob, bob smith and Bob Smithson."),
        (["Bob", "Smith"], "Bob Smith met Player 9, bob smith and Player 9 Smithson."),
        (["Bob Smithson"], "Bob Smith met Bob, bob smith and Player 9."),
    ],
)
def test_a_name_of_somebody_else_stays(names: list[str], left: str):
    found = ErasedNames(names, "Player 9", ["Ada", "Bob Smith"])

    assert found.in_words("Bob Smith met Bob, bob smith and Bob Smithson.") == left
    assert found.in_words("Bob Smith") == "Bob Smith"


def test_a_username_in_other_letters_than_the_name_of_somebody_else_goes():
    names = ErasedNames(["Ada", "ada"], "Player 9", ["Ada"])

    assert names.in_words("ada met Ada.") == "Player 9 met Ada."
    assert names.in_words("ada") == "Player 9"


def test_a_longer_name_that_begins_like_that_of_somebody_else_goes():
    names = ErasedNames(["Ada Lovelace", "Ada"], "Player 9", ["Ada"])

    assert names.in_words("Ada met ADA LOVELACE.") == "Ada met Player 9."
