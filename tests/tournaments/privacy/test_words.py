"""Recognition of names in text."""

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
def test_name_matches_whole_words_with_its_case(name: str, left: str):
    assert ErasedNames([name], "Player 9").in_words(SENTENCE) == left


@pytest.mark.parametrize("name", ["the", "The", "will", "judge", "7"])
def test_common_word_matches_only_as_the_whole_text(name: str):
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
def test_name_of_another_player_stays(names: list[str], left: str):
    erased = ErasedNames(names, "Player 9", ["Ada", "Bob Smith"])

    assert erased.in_words("Bob Smith met Bob, bob smith and Bob Smithson.") == left
    assert erased.in_words("Bob Smith") == "Bob Smith"


def test_username_that_differs_only_in_case_from_a_second_player_is_replaced():
    names = ErasedNames(["Ada", "ada"], "Player 9", ["Ada"])

    assert names.in_words("ada met Ada.") == "Player 9 met Ada."
    assert names.in_words("ada") == "Player 9"


def test_longer_name_that_begins_with_the_name_of_a_second_player_is_replaced():
    names = ErasedNames(["Ada Lovelace", "Ada"], "Player 9", ["Ada"])

    assert names.in_words("Ada met ADA LOVELACE.") == "Ada met Player 9."


def test_codes_of_stored_reasons_stay():
    stored = {"kind": "x", "code": "random", "params": {"details": ["no_better_round"]}}

    assert ErasedNames(["random", "No_better_round"], "Player 9").in_json(stored) == stored


def test_kind_and_level_of_a_reason_stay():
    stored = {"kind": "nearer_group", "players": [1], "params": {"level": "point_gap"}}

    assert ErasedNames(["nearer_group", "point_gap"], "Player 9").in_json(stored) == stored
