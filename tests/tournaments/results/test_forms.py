"""Result forms, and codes that fill a row."""

import pytest

from matches.models import Match
from matches.scoring.codes import all_result_codes
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES
from matches.services import MatchRequest, create_matches
from players.models import Player
from players.services import create_player
from tests.matches.builders import game_of
from tournaments.results.forms import ResultEntryForm, ResultForm
from tournaments.results.result_reader import get_filled_fields


def make_match(rule: str) -> Match:
    players = (create_player("Ada").pk, create_player("Bo").pk)
    return create_matches([MatchRequest(players, rule, game_of(rule))])[0]


@pytest.fixture
def match() -> Match:
    return make_match("onr_runner_only")


QUICK_RESULT = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}


def test_two_taps_and_two_numbers_are_a_result(match):
    form = ResultForm(QUICK_RESULT, match=match)

    assert form.is_valid(), form.errors
    assert form.result.games == (
        GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 3),
        GameResult(2, 2, Role.RUNNER, GameEnd.AGENDA, 0, 7),
    )


def test_game_without_a_winner_is_timed_out(match):
    data = {**QUICK_RESULT, "game_2_winner": "0", "game_2_points_1": "4", "game_2_points_2": "5"}

    form = ResultForm(data, match=match)

    assert form.is_valid(), form.errors
    assert form.result.games[1] == GameResult(2, 2, None, GameEnd.TIME, 5, 4)


def test_winner_by_flatline_requires_no_agenda_points(match):
    form = ResultForm({**QUICK_RESULT, "game_1_end": "flatline"}, match=match)

    assert form.is_valid(), form.errors
    assert form.result.games[0] == GameResult(1, 1, Role.CORP, GameEnd.FLATLINE, 0, 3)


def test_points_that_may_count_are_required(match):
    form = ResultForm({**QUICK_RESULT, "game_1_points_2": ""}, match=match)

    assert form.errors["game_1_points_2"] == [
        "Game 1: enter the agenda points of Bo; 0 if there were none."
    ]


def test_no_show_gives_no_agenda_points(match):
    absent = {"game_1_winner": "1", "game_1_end": "no_show"}
    form = ResultForm({**absent, "game_2_winner": "1", "game_2_end": "no_show"}, match=match)

    assert form.is_valid(), form.errors
    assert form.result.games[0] == GameResult(1, 1, Role.CORP, GameEnd.NO_SHOW, 0, 0)


def test_contradiction_is_an_error_of_its_game(match):
    form = ResultForm({**QUICK_RESULT, "game_2_points_1": "5"}, match=match)

    assert not form.is_valid()
    assert list(form.errors) == ["game_2_winner"]
    assert "won by agenda points with 5" in form.errors["game_2_winner"][0]


def test_staff_may_force_a_contradiction(match):
    form = ResultForm({**QUICK_RESULT, "game_2_points_1": "5"}, match=match, force=True)

    assert form.is_valid()
    assert form.result.games[1].runner_agenda_points == 5


@pytest.mark.parametrize("points", ["-1", "100", "x", "2.5"])
def test_points_out_of_range_name_their_player(match, points):
    form = ResultForm({**QUICK_RESULT, "game_1_points_2": points}, match=match)

    assert form.errors["game_1_points_2"] == [
        "Game 1: the agenda points of Bo are a whole number from 0 to 99."
    ]


@pytest.mark.parametrize("points", ["100", "x"])
def test_error_shows_a_name_with_a_percent_sign_as_it_is(match, points):
    Player.objects.filter(name="Bo").update(name="100% Bo")
    form = ResultForm(
        {**QUICK_RESULT, "game_1_points_2": points}, match=Match.objects.get(pk=match.pk)
    )

    assert form.errors["game_1_points_2"] == [
        "Game 1: the agenda points of 100% Bo are a whole number from 0 to 99."
    ]


def test_winner_is_required(match):
    form = ResultForm({"game_1_winner": "1"}, match=match)

    assert form.errors["game_2_winner"] == ["Game 2: choose who won, or Nobody."]


def test_players_cannot_swap_the_order_of_games(match):
    form = ResultForm({**QUICK_RESULT, "corp": "2"}, match=match)

    assert form.is_valid()
    assert form.result.games[0].corp == 1


def test_staff_can_swap_the_order_of_games(match):
    form = ResultForm({**QUICK_RESULT, "corp": "2"}, match=match, by_staff=True)

    assert form.is_valid(), form.errors
    assert form.result.games == (
        GameResult(1, 2, Role.RUNNER, GameEnd.AGENDA, 3, 7),
        GameResult(2, 1, Role.CORP, GameEnd.AGENDA, 7, 0),
    )
    assert [seat.role for seat in next(form.games()).seats] == [Role.CORP, Role.RUNNER]
    assert [seat.seat.position for seat in next(form.games()).seats] == [2, 1]


def test_reported_games_fill_the_form_and_return_unchanged(match):
    games = (
        GameResult(1, 2, None, GameEnd.TIME, 4, 6),
        GameResult(2, 1, Role.RUNNER, GameEnd.DECKED, 0, 5),
    )

    shown = ResultForm(match=match, initial_result=MatchResult(games), by_staff=True).initial
    form = ResultForm(shown, match=match, by_staff=True)

    assert form.is_valid(), form.errors
    assert form.result.games == games


@pytest.mark.parametrize("corp", ["", "3", "x"])
def test_wrong_corp_is_refused_and_the_form_is_shown_again(match, corp):
    form = ResultForm({**QUICK_RESULT, "corp": corp}, match=match, by_staff=True)

    assert form.is_valid() is (corp == "")
    assert [game.number for game in form.games()] == [1, 2]


@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({"game_1_winner": "1", "game_2_winner": "0"}, {1: 4, 2: 1}),
        ({"total_1": "3", "total_2": "3"}, {1: 3, 2: 3}),
        ({"game_1_winner": "2", "two_for_one": "on"}, {1: 0, 2: 6}),
        ({"intentional_draw": "on"}, {1: 2, 2: 2}),
    ],
)
def test_winners_totals_or_flags_are_a_result(fields: dict[str, str], points: dict[int, int]):
    match = make_match("anr_double")
    form = ResultEntryForm({**fields, "seen": "1", "corp": "1"}, match=match)

    assert form.is_valid(), form.errors
    assert match.rule.match_points(form.result) == points


@pytest.mark.parametrize(
    ("rule", "fields", "message"),
    [
        ("anr_double", {"game_1_winner": "1"}, "Game 2: choose who won, or Draw."),
        ("anr_double", {"total_1": "4"}, "Enter the match points of Bo too."),
        ("anr_double", {"total_1": "5", "total_2": "1"}, "5:1 is not a possible score"),
        (
            "anr_double",
            {"game_1_winner": "1", "game_2_winner": "1", "total_1": "3", "total_2": "3"},
            "Remove one",
        ),
        (
            "anr_double",
            {"intentional_draw": "on", "game_1_winner": "1", "game_2_winner": "0"},
            "intentional",
        ),
        ("free_radicals", {"victory_points_1": "9"}, "Enter the victory points of Bo;"),
    ],
)
def test_incomplete_or_contradictory_result_is_refused(
    rule: str, fields: dict[str, str], message: str
):
    form = ResultEntryForm({**fields, "seen": "1", "corp": "1"}, match=make_match(rule))

    assert not form.is_valid()
    assert any(message in error for error in form.contradictions)


RULES_WITH_POINTS = ("onr_runner_only", "onr_either_side")
CODES = [
    (rule.id, keys)
    for rule in SCORING_RULES.values()
    for keys in all_result_codes(rule)
    if rule.has_roles
]


def typed_form(match: Match, keys: str, points: str = "0") -> ResultEntryForm:
    """Return the form with this code, and `points` in each required field."""
    required = get_filled_fields(match.rule)[keys].asks
    fields = {"code": keys, **dict.fromkeys(required, points), "seen": str(match.version)}
    return ResultEntryForm(fields, match=match)


@pytest.mark.parametrize(("rule", "keys"), CODES)
def test_every_code_is_a_result_that_can_be_saved(rule: str, keys: str):
    form = typed_form(make_match(rule), keys)

    assert form.is_valid(), form.errors
    winners = [game.winner and game.position(game.winner) for game in form.result.games]
    code = all_result_codes(SCORING_RULES[rule])[keys]
    assert tuple(winner or 0 for winner in winners) == code.winners
    assert form.result.flags == code.flags


@pytest.mark.parametrize(("rule", "second"), [("onr_runner_only", 0), ("onr_either_side", 3)])
def test_agenda_points_of_losers_are_required_if_counted(rule: str, second: int):
    form = typed_form(make_match(rule), "c1", points="3")

    assert form.is_valid(), form.errors
    first, game_2 = form.result.games
    assert (first.winner, first.end) == (Role.CORP, GameEnd.CONCESSION)
    assert (first.runner_agenda_points, game_2.corp_agenda_points) == (3, second)


def test_agenda_points_that_count_depend_on_the_sides(match):
    by_corp = [get_filled_fields(match.rule, corp)["1"].asks for corp in (1, 2)]

    assert by_corp == [("game_1_points_2",), ("game_2_points_2",)]


def test_result_of_an_outcome_is_shown_as_that_outcome(match):
    entered = [typed_form(match, "3", points="2"), typed_form(match, "c3", points="2")]
    assert all(form.is_valid() for form in entered)

    forms = [ResultEntryForm(match=match, initial_result=form.result) for form in entered]

    chosen = [[o.code for o, is_chosen in form.outcomes() if is_chosen] for form in forms]
    assert chosen == [["3"], []]
    assert [form.is_other for form in forms] == [False, True]


def test_no_show_requires_no_agenda_points():
    assert get_filled_fields(SCORING_RULES["onr_runner_only"])["n2"].asks == ()


def test_timed_out_game_requires_all_agenda_points_that_count():
    required = {
        rule: get_filled_fields(SCORING_RULES[rule])["5"].asks for rule in RULES_WITH_POINTS
    }

    assert required == {
        "onr_runner_only": ("game_1_points_2", "game_2_points_1"),
        "onr_either_side": ("game_1_points_2", "game_2_points_1", "game_2_points_2"),
    }


@pytest.mark.parametrize("form_class", [ResultEntryForm, ResultForm])
def test_pod_has_flags_for_time_and_concession(form_class: type[ResultForm]):
    typed = {"victory_points_1": "9", "victory_points_2": "4", "timed": "on", "conceded": "on"}
    form = form_class({**typed, "seen": "1"}, match=make_match("free_radicals"))

    assert form.is_valid(), form.errors
    assert form.result.flags == {Flag.TIMED, Flag.CONCEDED}
