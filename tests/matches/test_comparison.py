"""Field-by-field comparison of two reports of a match."""

from matches.comparison import compare_reports
from matches.scoring.results import FACTIONS, Flag, GameEnd, GameResult, MatchResult, Role

NAMES = {1: "Ada", 2: "Bo"}


def game(number: int = 1, **changes: object) -> GameResult:
    fields: dict[str, object] = {
        "number": number,
        "corp": number,
        "winner": Role.CORP,
        "end": GameEnd.AGENDA,
        "corp_agenda_points": 7,
        "runner_agenda_points": 3,
    }
    return GameResult(**{**fields, **changes})  # type: ignore[arg-type]


def differing(*reports: tuple[GameResult, ...]) -> list[tuple[int | None, str, tuple[str, ...]]]:
    fields = compare_reports([MatchResult(games) for games in reports], NAMES, FACTIONS)
    return [(field.game, field.label, field.values) for field in fields if field.differs]


def test_equal_reports_have_no_differences():
    assert differing((game(1), game(2)), (game(1), game(2))) == []


def test_differences_have_both_values():
    second_game = game(2, winner=Role.RUNNER, end=GameEnd.DECKED, corp_agenda_points=2)

    assert differing((game(1), game(2)), (game(1), second_game)) == [
        (2, "Winner", ("Bo", "Ada")),
        (2, "How it ended", ("Agenda points", "Corp out of cards")),
        (2, "Agenda points of the Corp", ("7", "2")),
    ]


def test_game_without_a_winner_has_the_value_nobody():
    timed = game(winner=None, end=GameEnd.TIME)

    assert (1, "Winner", ("Ada", "Nobody")) in differing((game(),), (timed,))


def test_game_missing_in_a_report_is_empty():
    assert (2, "Corp", ("Bo", "")) in differing((game(1), game(2)), (game(1),))


def test_single_report_has_no_differences():
    assert differing((game(1), game(2))) == []


def test_flags_totals_and_places_are_compared_for_the_match():
    first = MatchResult(flags=frozenset({Flag.TIMED}), totals=(4, 1))
    second = MatchResult(victory_points=(9, 7), factions=("farmers", ""))

    fields = compare_reports([first, second], NAMES, FACTIONS)
    values = {(field.game, field.label): field.values for field in fields}

    assert values == {
        (None, "Total of Ada"): ("4", ""),
        (None, "Total of Bo"): ("1", ""),
        (None, "Timed"): ("Yes", ""),
        (None, "Victory points of Ada"): ("", "9"),
        (None, "Victory points of Bo"): ("", "7"),
        (None, "Faction of Ada"): ("", "Farmers"),
        (None, "Faction of Bo"): ("", ""),
    }


def test_games_without_end_and_points_are_compared_by_winner():
    short = GameResult(1, 1, Role.CORP, GameEnd.NOT_RECORDED)

    labels = [field.label for field in compare_reports([MatchResult((short,))], NAMES, FACTIONS)]

    assert labels == ["Corp", "Winner"]
