"""Two phones at one table: report, confirm, dispute."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.test import Client

from matches.models import MatchState, ResultReport
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.views.pages import url
from tournaments import queries
from tournaments.models import Pairing, Tournament

SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}
OTHER = {**SWEEP, "game_1_points_2": "4"}


class Scene(NamedTuple):
    tournament: Tournament
    pairing: Pairing
    one: Client
    two: Client
    stranger: Client

    def url(self, name: str) -> str:
        return url(name, self.tournament, 1, 1)

    @property
    def mine(self) -> str:
        return url("my_event", self.tournament)

    def state(self) -> str:
        self.pairing.match.refresh_from_db()
        return self.pairing.match.state

    def open_report(self) -> int:
        return ResultReport.objects.get(state="proposed").pk


@pytest.fixture
def scene(phone_of: Callable[..., Client]) -> Scene:
    tournament = make_event(players=4)
    round_ = start_round(tournament)
    pairing = table(round_, 1)
    seated = {seat.player_id for seat in pairing.match.seats.all()}
    by_player = {entry.player_id: entry for entry in queries.roster(tournament)}
    one, two = (phone_of(by_player[seat.player_id]) for seat in pairing.match.seats.all())
    outside = next(entry for player, entry in by_player.items() if player not in seated)
    return Scene(tournament, pairing, one, two, phone_of(outside))


def test_a_report_waits_for_the_opponent(scene):
    response = scene.one.post(scene.url("report"), SWEEP, follow=True)

    assert scene.state() == MatchState.PROPOSED
    assert "Your opponent is asked to confirm it" in response.text
    assert "See the report" in scene.two.get(scene.mine).text
    assert "Change my report" in scene.one.get(scene.mine).text


def test_the_opponent_sees_exactly_what_was_said(scene):
    scene.one.post(scene.url("report"), SWEEP)

    text = scene.two.get(scene.url("confirm")).text

    assert "3 agenda points stolen as Runner" in text
    assert "10 for the game won" in text
    assert "10 + 10 = 20" in text
    assert "3 + 0 = 3" in text
    assert "Agenda points" in text


def test_the_opponent_confirms_and_both_see_the_sums(scene):
    scene.one.post(scene.url("report"), SWEEP)

    scene.two.post(scene.url("confirm"), {"report": scene.open_report()})

    assert scene.state() == MatchState.CONFIRMED
    for phone in (scene.one, scene.two):
        assert "3 + 0 = 3" in phone.get(scene.mine).text


def test_confirming_twice_is_harmless(scene):
    scene.one.post(scene.url("report"), SWEEP)
    report = scene.open_report()
    scene.two.post(scene.url("confirm"), {"report": report})
    before = fresh(scene.tournament).version, scene.tournament.log.count()

    response = scene.two.post(scene.url("confirm"), {"report": report}, follow=True)

    assert response.status_code == 200
    assert (fresh(scene.tournament).version, scene.tournament.log.count()) == before


def test_reporting_the_same_twice_is_harmless(scene):
    scene.one.post(scene.url("report"), SWEEP)
    before = fresh(scene.tournament).version, scene.tournament.log.count()

    scene.one.post(scene.url("report"), SWEEP)

    assert ResultReport.objects.count() == 1
    assert (fresh(scene.tournament).version, scene.tournament.log.count()) == before


def test_two_equal_reports_settle_the_match(scene):
    scene.one.post(scene.url("report"), SWEEP)

    response = scene.two.post(scene.url("report"), SWEEP, follow=True)

    assert scene.state() == MatchState.CONFIRMED
    assert "You both told the same" in response.text


def test_two_different_reports_are_for_the_staff(scene):
    scene.one.post(scene.url("report"), SWEEP)

    response = scene.two.post(scene.url("report"), OTHER, follow=True)

    assert scene.state() == MatchState.DISPUTED
    assert "the staff will decide" in response.text
    assert response.text.count("What <bdi>") == 2


def test_a_dispute_keeps_its_words(scene):
    scene.one.post(scene.url("report"), SWEEP)

    scene.two.post(
        scene.url("dispute"), {"report": scene.open_report(), "note": "I had four"}, follow=True
    )

    assert scene.state() == MatchState.DISPUTED
    assert "I had four" in scene.one.get(scene.mine).text


def test_a_note_that_is_too_long_comes_back(scene):
    scene.one.post(scene.url("report"), SWEEP)
    note = "x" * 501

    response = scene.two.post(scene.url("dispute"), {"report": scene.open_report(), "note": note})

    assert note in response.text
    assert scene.state() == MatchState.PROPOSED


def test_a_replaced_report_is_not_confirmed(scene):
    scene.one.post(scene.url("report"), SWEEP)
    old = scene.open_report()
    scene.one.post(scene.url("report"), OTHER)

    response = scene.two.post(scene.url("confirm"), {"report": old}, follow=True)

    assert scene.state() == MatchState.PROPOSED
    assert "This report has been replaced" in response.text


def test_nobody_confirms_the_own_report(scene):
    scene.one.post(scene.url("report"), SWEEP)

    scene.one.post(scene.url("confirm"), {"report": scene.open_report()})

    assert scene.state() == MatchState.PROPOSED
    assert scene.one.get(scene.url("confirm")).status_code == 302


def test_a_contradiction_comes_back_with_all_that_was_typed(scene):
    wrong = {**SWEEP, "game_2_end": "flatline"}

    response = scene.one.post(scene.url("report"), wrong)

    assert scene.state() == MatchState.OPEN
    assert "a flatlined Runner loses" in response.text
    assert 'value="3"' in response.text


def test_the_opponents_report_fills_the_form(scene):
    scene.one.post(scene.url("report"), SWEEP)

    form = scene.two.get(scene.url("report")).context["form"]

    assert form["game_1_points_2"].value() == 3
    assert form["game_1_winner"].value() == "1"


@pytest.mark.parametrize("name", ["report", "confirm", "dispute"])
def test_a_table_of_others_is_refused(scene, client, name):
    scene.one.post(scene.url("report"), SWEEP)
    data = {**OTHER, "report": scene.open_report()}

    assert scene.stranger.post(scene.url(name), data).status_code == 403
    assert client.post(scene.url(name), data).status_code == 403
    assert scene.state() == MatchState.PROPOSED
    if name != "dispute":
        assert scene.stranger.get(scene.url(name)).status_code == 403


def test_the_public_sees_no_report(scene, client):
    scene.one.post(scene.url("report"), SWEEP)

    text = client.get(scene.url("table")).text

    assert "No settled result yet" in text
    assert "stolen as Runner" not in text


def test_a_settled_result_is_not_reported_again(scene):
    enter_result(scene.pairing, sweep(2, 1))

    response = scene.one.post(scene.url("report"), SWEEP, follow=True)

    assert scene.state() == MatchState.DECIDED
    assert "This result is settled" in response.text


def test_a_settled_table_leads_to_its_result(scene):
    enter_result(scene.pairing, sweep(2, 1))

    assert scene.one.get(scene.url("report"))["Location"] == scene.url("table")


def test_a_closed_round_takes_no_reports(scene):
    for pairing in tables_of(get_round(scene.tournament, 1)):
        enter_result(pairing, sweep(1, 3))
    close_round(get_round(scene.tournament, 1))

    response = scene.one.post(scene.url("report"), OTHER, follow=True)

    assert "This round is closed" in response.text
    assert scene.state() == MatchState.DECIDED


def test_a_table_of_a_number_beyond_all_numbers_does_not_exist(scene):
    """SQLite cannot even be asked for it."""
    address = f"/events/{scene.tournament.slug}/rounds/1/tables/{'9' * 20}/report/"

    assert scene.one.get(address).status_code == 404


def test_a_hall_that_reports_at_once_asks_the_database_little(scene, django_assert_num_queries):
    """Nineteen for a report, of which six begin and end transactions or say who asks."""
    with django_assert_num_queries(4):
        scene.one.get(scene.url("report"))
    with django_assert_num_queries(21):
        scene.one.post(scene.url("report"), {**SWEEP, "idempotency_key": "one"})
    with django_assert_num_queries(28):
        scene.two.post(scene.url("report"), {**SWEEP, "idempotency_key": "two"})

    assert scene.state() == MatchState.CONFIRMED


def test_an_answer_asks_the_database_no_more_than_an_agreeing_report(
    scene, django_assert_num_queries
):
    scene.one.post(scene.url("report"), SWEEP)

    with django_assert_num_queries(5):
        scene.two.get(scene.url("confirm"))
    said = {"report": scene.open_report(), "idempotency_key": "one"}
    with django_assert_num_queries(28):
        scene.two.post(scene.url("confirm"), said)

    assert scene.state() == MatchState.CONFIRMED
