"""What a code writes is what the row of a table takes."""

import pytest

from matches.models import Match
from matches.scoring import SCORING_RULES, Flag, GameEnd, Role, all_codes_of
from matches.services import NewMatch, create_matches
from players.services import create_player
from tournaments.forms.entry import EntryForm
from tournaments.forms.questions.codes import filled_in
from tournaments.forms.results import ResultForm

pytestmark = pytest.mark.django_db
CODES = [
    (rule.id, keys)
    for rule in SCORING_RULES.values()
    for keys in all_codes_of(rule)
    if rule.has_roles
]


def make_match(rule: str) -> Match:
    players = (create_player("Ada").pk, create_player("Bo").pk)
    return create_matches([NewMatch(players, rule, SCORING_RULES[rule].game)])[0]


def typed(match: Match, keys: str, points: str = "0") -> EntryForm:
    """The row as the code fills it, and `points` in every field it asks for."""
    code = filled_in(match.rule)[keys]
    fields = {**code.values, **dict.fromkeys(code.asks, points), "seen": str(match.version)}
    data = {f"t1-{name}": value for name, value in fields.items()}
    return EntryForm(data, match=match, prefix="t1", in_a_row=True)


@pytest.mark.parametrize(("rule", "keys"), CODES)
def test_every_code_fills_a_row_that_can_be_saved(rule: str, keys: str):
    form = typed(make_match(rule), keys)

    assert form.is_valid(), form.errors
    winners = [game.winner and game.position(game.winner) for game in form.result.games]
    code = all_codes_of(SCORING_RULES[rule])[keys]
    assert tuple(winner or 0 for winner in winners) == code.winners
    assert form.result.flags == code.flags


def test_the_loser_of_each_game_is_asked_for_agenda_points():
    form = typed(make_match("onr_runner_only"), "c1", points="3")

    assert form.is_valid(), form.errors
    first, second = form.result.games
    assert (first.winner, first.end) == (Role.CORP, GameEnd.CONCESSION)
    assert (first.runner_agenda_points, second.corp_agenda_points) == (3, 3)


def test_nobody_is_asked_after_a_no_show():
    assert filled_in(SCORING_RULES["onr_runner_only"])["n2"].asks == ()


def test_both_are_asked_after_a_game_that_ran_out_of_time():
    assert filled_in(SCORING_RULES["onr_runner_only"])["5"].asks == (
        "game_1_points_2",
        "game_2_points_1",
        "game_2_points_2",
    )


@pytest.mark.parametrize("form_class", [EntryForm, ResultForm])
def test_a_pod_tells_that_time_was_called_and_that_somebody_gave_up(form_class: type[ResultForm]):
    told = {"victory_points_1": "9", "victory_points_2": "4", "timed": "on", "conceded": "on"}
    form = form_class({**told, "seen": "1"}, match=make_match("free_radicals"))

    assert form.is_valid(), form.errors
    assert form.result.flags == {Flag.TIMED, Flag.CONCEDED}
