"""Rounds of a bracket by name, and where their players come from."""

import pytest

from engine.bracket import bracket_for
from engine.bracket.records import LoserOf, Seeded, Source, StillIn, WinnerOf
from engine.bracket.words import round_in_words, source_in_words


def names(system: str, size: int) -> list[str]:
    """Of all rounds, each once, in the order they are played."""
    bracket = bracket_for(system, size)
    return list(dict.fromkeys(round_in_words(bracket, game) for game in bracket.games))


def test_rounds_of_single_elimination():
    assert names("single_elimination", 2) == ["Final"]
    assert names("single_elimination", 16) == [
        "Round of 16",
        "Quarterfinals",
        "Semifinals",
        "Final",
    ]
    assert names("single_elimination", 20)[0] == "Round of 32"


def test_rounds_of_double_elimination():
    assert set(names("double_elimination", 8)) == {
        *("Upper quarterfinals", "Upper semifinals", "Upper final"),
        *("Lower round 1", "Lower round 2", "Lower semifinal", "Lower final"),
        *("Final", "Second final"),
    }


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (Seeded(3), "seed 3"),
        (WinnerOf(5), "winner of game 5"),
        (LoserOf(2), "loser of game 2"),
        (StillIn(1, 1), "best seed left"),
        (StillIn(1, 2), "number 2 of the seeds left"),
    ],
)
def test_where_a_player_comes_from(source: Source, words: str):
    assert source_in_words(source) == words
