"""Reports with one of the usual results."""

import re

import pytest

from matches.models import MatchState
from matches.records import result_from_document
from matches.scoring.results import MatchResult, Role
from tests.factories.cuts import make_cut
from tests.factories.tournaments import (
    finish_round,
    make_event,
    owner_of,
    sitting,
    start_round,
    table,
    won_game,
)
from tests.tournaments.pages import text_of, url
from tests.tournaments.results.conftest import SWEEP, Scene
from tournaments.models import Pairing
from tournaments.results import cuts


def offered_results(page: str) -> list[str]:
    """Return the results offered on the page of the table, by score."""
    return re.findall(r'usual__score">([^<]*)</strong>', page)


def points(pairing: Pairing) -> list[int]:
    """Return the match points of the open report by seat."""
    report = pairing.match.reports.get(state="proposed")
    by_seat = pairing.match.rule.match_points(result_from_document(report.result))
    return [int(by_seat[1]), int(by_seat[2])]


def test_usual_results_are_worded_for_the_player(scene: Scene):
    assert offered_results(scene.reporter.get(scene.my_page).text) == ["2–0", "1–1", "1–1", "0–2"]
    assert offered_results(scene.opponent.get(scene.my_page).text) == ["2–0", "1–1", "1–1", "0–2"]
    opponent_name = sitting(scene.pairing)[1].player.name
    words = text_of(scene.reporter.get(scene.my_page))
    assert (
        "2–0 You won both "
        f"1–1 You won game 1, {opponent_name} won game 2 "
        f"1–1 {opponent_name} won game 1, you won game 2 "
        f"0–2 {opponent_name} won both"
    ) in words


@pytest.mark.parametrize(
    ("code", "typed", "total"),
    [
        # Seat 2 lost game 1 as Runner; in game 2 the loser is Corp and keeps no points.
        ("1", {"game_1_points_2": "4"}, [20, 4]),
        ("2", {"game_2_points_1": "5"}, [5, 20]),
        ("3", {"game_1_points_2": "1", "game_2_points_1": "2"}, [12, 11]),
        ("4", {}, [10, 10]),
    ],
)
def test_usual_result_requires_only_points_that_count(scene: Scene, code, typed, total):
    page = scene.reporter.get(f"{scene.url('report')}?code={code}").text
    required_fields = re.findall(rf'data-asked-after="(?:\d )*{code}(?: \d)*" data-of', page)
    scene.reporter.post(scene.url("report"), {"code": code, **typed})

    assert len(required_fields) == len(typed)
    assert re.search(rf'value="{code}"[^>]* checked', page)
    assert scene.state() == MatchState.PROPOSED
    assert points(scene.pairing) == total


@pytest.mark.parametrize(
    ("query", "chosen"),
    [("?code=1", "1"), ("?code=", ""), ("", None), ("?code=x1", None)],
)
def test_choice_made_before_the_form_opens_is_not_offered_again(scene: Scene, query, chosen):
    page = scene.reporter.get(f"{scene.url('report')}{query}")

    assert page.context["form"].chosen == chosen
    assert ("report--chosen" in page.text) == (chosen is not None)


def test_chosen_result_stays_chosen_while_points_are_missing(scene: Scene):
    form = scene.reporter.post(scene.url("report"), {"code": "1"}).context["form"]

    assert form.chosen == "1"
    assert form.codes_with_points() == ["1", "3", "2"]
    assert form.complete_codes() == ["4"]


def test_points_that_count_are_required(scene: Scene):
    answer = scene.reporter.post(scene.url("report"), {"code": "1"})

    assert answer.status_code == 422
    assert "enter the agenda points of" in answer.text
    assert scene.state() == MatchState.OPEN


def test_code_takes_precedence_over_hidden_fields(scene: Scene):
    scene.reporter.post(scene.url("report"), {**SWEEP, "code": "2", "game_2_points_1": "2"})

    assert points(scene.pairing) == [2, 20]


def test_unknown_code_is_refused(scene: Scene):
    answer = scene.reporter.post(scene.url("report"), {"code": "x1"})

    assert answer.status_code == 422
    assert "Choose one of these results" in answer.text


def test_correction_of_a_usual_result_starts_with_that_result(scene: Scene):
    scene.reporter.post(scene.url("report"), {"code": "1", "game_1_points_2": "4"})

    page = scene.reporter.get(scene.url("report")).text

    assert re.search(r'name="code" value="1"[^>]* checked', page)
    assert re.search(r'name="game_1_points_2" value="4"', page)


def test_report_is_confirmed_with_one_tap(scene: Scene):
    scene.reporter.post(scene.url("report"), {"code": "1", "game_1_points_2": "4"})
    reporter_name = sitting(scene.pairing)[0].player.name

    page = scene.opponent.get(scene.my_page)
    report = re.search(r'name="report" value="(\d+)"', page.text)
    assert report is not None
    scene.opponent.post(scene.url("confirm"), {"report": report[1]})

    assert f"{reporter_name} reports 2–0 (20–4). Correct?" in text_of(page)
    opponent_name = sitting(scene.pairing)[1].player.name
    # Only agenda points that were typed.
    assert (
        f"Game 1 {reporter_name} won as Corp {opponent_name} : 4 agenda points "
        f"Game 2 {reporter_name} won as Runner Yes"
    ) in text_of(page)
    assert text_of(page).index("Correct?") < text_of(page).index("Table 1")
    assert scene.state() == MatchState.CONFIRMED


@pytest.mark.parametrize(
    ("rule", "scores"),
    [("anr_double", ["6–0", "3–3", "3–3", "0–6"]), ("anr_single", ["3–0", "1–1", "0–3"])],
)
def test_android_netrunner_offers_points_without_agenda_points(phone_of, rule, scores):
    event = make_event(players=2, game="anr", scoring_rule=rule)
    pairing = table(start_round(event), 1)
    phone = phone_of(sitting(pairing)[0])

    page = phone.get(url("my_event", event)).text
    phone.post(url("report", event, 1, 1), {"code": "1"})

    assert offered_results(page) == scores
    assert points(pairing) == [int(number) for number in scores[0].split("–")]


def test_pod_offers_no_usual_results(phone_of):
    event = make_event(players=3, game="free_radicals")
    pairing = table(start_round(event), 1)

    page = phone_of(sitting(pairing)[0]).get(url("my_event", event)).text

    assert offered_results(page) == []
    assert "Report the result" in page


def test_phone_offers_a_draw_in_swiss_rounds_but_not_in_a_cut(phone_of):
    event = make_event(players=4, game="anr", scoring_rule="anr_single")
    swiss = table(start_round(event), 1)
    in_swiss = offered_results(phone_of(sitting(swiss)[0]).get(url("my_event", event)).text)
    finish_round(swiss.round, lambda _: MatchResult((won_game(1, Role.CORP),)))
    make_cut(event, 4, system="single_elimination")
    pairing = table(start_round(event), 1)
    player = sitting(pairing)[0]
    cuts.choose_corp(pairing, player, owner_of(event))

    in_cut = offered_results(phone_of(player).get(url("my_event", event)).text)

    assert in_swiss == ["3–0", "1–1", "0–3"]
    assert in_cut == ["3–0", "0–3"]


def test_refused_report_has_its_message_once(scene: Scene):
    missing = scene.reporter.post(scene.url("report"), {"code": "1"})
    impossible = scene.reporter.post(scene.url("report"), {"code": "1", "game_1_points_2": "9"})
    by_game = scene.reporter.post(scene.url("report"), {**SWEEP, "game_1_points_2": "9"})

    assert missing.text.count("enter the agenda points of") == 1
    for answer in (impossible, by_game):
        assert answer.text.count("has 9 agenda points but did not win") == 1


def test_confirmation_of_a_pod_shows_victory_points(phone_of):
    event = make_event(players=3, game="free_radicals")
    pairing = table(start_round(event), 1)
    first, second, third = sitting(pairing)
    points = {"victory_points_1": "30", "victory_points_2": "25", "victory_points_3": "25"}
    phone_of(first).post(url("report", event, 1, 1), points)

    shown = text_of(phone_of(second).get(url("my_event", event)))

    assert f"{first.player} reports these victory points. Correct?" in shown
    assert f"{first.player} 30 5 {second.player} 25 2½ {third.player} 25 2½" in shown
    assert "5/2" not in shown


@pytest.mark.parametrize(
    ("rule", "sent", "question"),
    [
        ("anr_double", {"code": "1"}, "reports 6–0. Correct?"),
        ("anr_double", {"intentional_draw": "on"}, "reports an intentional draw (2–2). Correct?"),
        (
            "anr_double",
            {"two_for_one": "on", "game_1_winner": "1"},
            "reports 6–0, two for one. Correct?",
        ),
        ("anr_single", {"code": "1"}, "reports 3–0. Correct?"),
    ],
)
def test_confirmation_has_the_form_of_the_report(phone_of, rule, sent, question):
    event = make_event(players=2, game="anr", scoring_rule=rule)
    reporter, opponent = sitting(table(start_round(event), 1))
    phone_of(reporter).post(url("report", event, 1, 1), sent)

    assert f"{reporter.player} {question}" in text_of(
        phone_of(opponent).get(url("my_event", event))
    )
