"""Names of the rounds of a bracket."""

from engine.bracket.display import round_name, round_names
from engine.bracket.games import (
    ImportedGame,
    bracket_for,
    imported_bracket,
)


def names(system: str, size: int) -> list[tuple[str, int, int]]:
    """Code, number and matches of each round, in the order of the games."""
    bracket = bracket_for(system, size)
    round_names = (round_name(bracket, game) for game in bracket.games)
    return list(dict.fromkeys((name.code.value, name.number, name.matches) for name in round_names))


def test_single_elimination_counts_down_to_the_final():
    assert names("single_elimination", 2) == [("final", 0, 1)]
    assert names("single_elimination", 16) == [
        ("round_of", 16, 8),
        ("quarterfinal", 0, 4),
        ("semifinal", 0, 2),
        ("final", 0, 1),
    ]
    assert names("single_elimination", 20)[0] == ("round_of", 32, 4)


def test_single_elimination_of_three_has_one_semifinal():
    assert names("single_elimination", 3) == [("semifinal", 0, 1), ("final", 0, 1)]


def test_double_elimination_names_both_halves():
    assert set(names("double_elimination", 8)) == {
        ("upper_quarterfinal", 0, 4),
        ("upper_semifinal", 0, 2),
        ("upper_final", 0, 1),
        ("lower_round", 1, 2),
        ("lower_round", 2, 2),
        ("lower_semifinal", 0, 1),
        ("lower_final", 0, 1),
        ("final", 0, 1),
        ("bracket_reset", 0, 1),
    }


def test_imported_cut_numbers_its_rounds():
    games = [ImportedGame(1, 1, ("ada", "bea")), ImportedGame(2, 2, ("ada", "cy"))]
    bracket = imported_bracket(games, ["ada", "bea", "cy"])

    assert [round_name(bracket, game).code for game in bracket.games] == ["cut_round"] * 2
    assert [round_name(bracket, game).number for game in bracket.games] == [1, 2]


def test_round_of_an_event_can_hold_two_rounds_of_a_bracket():
    bracket = bracket_for("double_elimination", 4)

    assert [name.code for name in round_names(bracket, [4, 3])] == [
        "upper_final",
        "lower_semifinal",
    ]
