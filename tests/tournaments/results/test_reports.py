"""Reports by players on two phones."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.test import Client

from matches import records as matches_records
from matches.models import MatchState, ResultReport
from tests.factories.tournaments import (
    enter_result,
    fresh,
    make_event,
    sitting,
    start_round,
    sweep,
    table,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import text_of, url
from tests.tournaments.results.conftest import OTHER_REPORT, SWEEP
from tests.tournaments.scenes import at_tables
from tournaments.models import Tournament

make_scene = at_tables


def test_report_awaits_the_opponent(scene):
    response = scene.reporter.post(scene.url("report"), SWEEP, follow=True)

    assert scene.state() == MatchState.PROPOSED
    assert "Your opponent has been asked to confirm it" in response.text
    assert "reported" in scene.opponent.get(scene.my_page).text
    waiting = scene.reporter.get(scene.my_page)
    assert "Change my report" in waiting.text
    assert "You reported 2–0" in text_of(waiting)


def test_opponent_sees_the_report_in_full(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    text = scene.opponent.get(scene.url("dispute")).text

    assert "3 agenda points stolen as Runner" in text
    assert "10 for the game won" in text
    assert "10 + 10 = 20" in text
    assert "3 + 0 = 3" in text
    assert "Agenda points" in text


def test_opponent_confirms_and_both_players_see_the_sums(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    scene.opponent.post(scene.url("confirm"), {"report": scene.open_report()})

    assert scene.state() == MatchState.CONFIRMED
    for phone in (scene.reporter, scene.opponent):
        assert "3 + 0 = 3" in phone.get(scene.my_page).text


def test_second_confirmation_changes_nothing(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    report = scene.open_report()
    scene.opponent.post(scene.url("confirm"), {"report": report})
    before = fresh(scene.tournament).version, scene.tournament.log.count()

    response = scene.opponent.post(scene.url("confirm"), {"report": report}, follow=True)

    assert response.status_code == 200
    assert (fresh(scene.tournament).version, scene.tournament.log.count()) == before


@pytest.mark.parametrize(
    ("second", "state", "message"),
    [
        (SWEEP, MatchState.CONFIRMED, "You both reported the same"),
        (OTHER_REPORT, MatchState.DISPUTED, "the staff will decide"),
    ],
)
def test_second_report_confirms_or_disputes(scene, second, state, message):
    scene.reporter.post(scene.url("report"), SWEEP)

    response = scene.opponent.post(scene.url("report"), second, follow=True)

    assert scene.state() == state
    assert message in response.text


def test_dispute_keeps_its_note(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    scene.opponent.post(
        scene.url("dispute"), {"report": scene.open_report(), "note": "I had four"}, follow=True
    )

    assert scene.state() == MatchState.DISPUTED
    assert "I had four" in scene.reporter.get(scene.my_page).text


def test_answering_no_offers_a_report_and_a_judge_call(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    question = scene.opponent.get(scene.my_page).text
    page = scene.opponent.get(scene.url("dispute"))

    assert f'href="{scene.url("dispute")}"' in question
    assert "Correct?" not in page.text
    assert "Yes, confirm" not in page.text
    assert f'href="{scene.url("report")}?code=1"' in page.text
    assert "Dispute and call the staff" in page.text


def test_disputing_player_without_a_report_can_send_a_first_report(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    scene.opponent.post(scene.url("dispute"), {"report": scene.open_report()})

    assert "Report again" in scene.reporter.get(scene.my_page).text
    assert "What you reported" in scene.reporter.get(scene.my_page).text
    assert "What you reported" not in scene.opponent.get(scene.my_page).text
    assert "Report your result" in scene.opponent.get(scene.my_page).text


def test_wrong_reporter_accepts_the_report_of_the_opponent(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    scene.opponent.post(scene.url("report"), OTHER_REPORT)
    assert scene.state() == MatchState.DISPUTED
    own, opposing = (word.pk for word in scene.reporter.get(scene.my_page).context["words"])

    assert scene.reporter.get(scene.my_page).text.count('name="agree"') == 1
    scene.reporter.post(scene.url("report"), {"agree": own})
    assert scene.state() == MatchState.DISPUTED
    scene.reporter.post(scene.url("report"), {"agree": opposing})

    assert scene.state() == MatchState.CONFIRMED


def test_scenarios_are_hidden_after_the_own_report(scene, monkeypatch):
    need = SimpleNamespace(heading="You must win both games", sentences=(), examples=())
    monkeypatch.setattr("tournaments.my_event.pages.get_need_lines", lambda registration: need)

    before = scene.reporter.get(scene.my_page).text
    scene.reporter.post(scene.url("report"), SWEEP)

    assert need.heading in before
    assert need.heading not in scene.reporter.get(scene.my_page).text
    assert need.heading in scene.opponent.get(scene.my_page).text


def test_repeated_disputed_report_stays_disputed(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    scene.opponent.post(scene.url("dispute"), {"report": scene.open_report()})

    response = scene.reporter.post(scene.url("report"), SWEEP, follow=True)

    assert scene.state() == MatchState.DISPUTED
    assert "Your opponent does not agree" in response.text


def test_note_that_is_too_long_is_refused(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    note = "x" * 501

    response = scene.opponent.post(
        scene.url("dispute"), {"report": scene.open_report(), "note": note}
    )

    assert note in response.text
    assert scene.state() == MatchState.PROPOSED


def test_own_report_cannot_be_confirmed(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    answer = {"report": scene.open_report()}
    response = scene.reporter.post(scene.url("confirm"), answer, follow=True)

    assert scene.state() == MatchState.PROPOSED
    assert "This is your own report" in response.text
    assert scene.reporter.get(scene.url("dispute")).status_code == 302


def test_contradiction_is_shown_with_the_submitted_values(scene):
    wrong = {**SWEEP, "game_2_end": "flatline"}

    response = scene.reporter.post(scene.url("report"), wrong)

    assert scene.state() == MatchState.OPEN
    assert "a flatlined Runner loses" in response.text
    assert 'value="3"' in response.text


@pytest.mark.parametrize(("reader", "points"), [("reporter", 3), ("opponent", None)])
def test_form_starts_only_with_the_players_own_report(scene, reader: str, points: int | None):
    scene.reporter.post(scene.url("report"), SWEEP)

    form = getattr(scene, reader).get(scene.url("report")).context["form"]

    assert form["game_1_points_2"].value() == points


@pytest.mark.parametrize("name", ["report", "confirm", "dispute"])
def test_players_of_other_tables_cannot_report_confirm_or_dispute(scene, client, name):
    scene.reporter.post(scene.url("report"), SWEEP)
    data = {**OTHER_REPORT, "report": scene.open_report()}

    assert scene.stranger.post(scene.url(name), data).status_code == 403
    assert client.post(scene.url(name), data).status_code == 403
    assert scene.state() == MatchState.PROPOSED
    if name != "confirm":
        assert scene.stranger.get(scene.url(name)).status_code == 403


def test_report_is_hidden_from_the_public(scene, client):
    scene.reporter.post(scene.url("report"), SWEEP)

    text = client.get(scene.url("table")).text

    assert "No settled result yet" in text
    assert "stolen as Runner" not in text


def test_report_page_of_a_settled_table_redirects_to_its_result(scene):
    enter_result(scene.pairing, sweep(2, 1))

    assert scene.reporter.get(scene.url("report"))["Location"] == scene.url("table")


def test_report_after_the_staff_entered_another_result_is_said_not_to_be_recorded(scene):
    enter_result(scene.pairing, sweep(2, 1))

    response = scene.reporter.post(scene.url("report"), SWEEP)

    assert response.status_code == 409
    text = text_of(response)
    assert "Your report was not recorded: the staff have already entered this result." in text
    assert "call a judge or tell the staff" in text
    first, second = (seat.points for seat in scene.pairing.match.seats.order_by("position"))
    ada, bo = (place.player.name for place in sitting(scene.pairing))
    assert f"{ada} {first}" in text
    assert f"{bo} {second}" in text
    assert url("call_judge", scene.tournament, 1, scene.pairing.table_number) in response.text
    assert scene.state() == MatchState.DECIDED


def test_incomplete_report_after_the_result_is_said_not_to_be_recorded(scene):
    enter_result(scene.pairing, sweep(2, 1))

    response = scene.reporter.post(scene.url("report"), {})

    assert response.status_code == 409
    assert "Your report was not recorded" in response.text


def test_report_of_the_result_that_the_staff_entered_is_no_disagreement(scene):
    scene.reporter.post(scene.url("report"), SWEEP)
    result = matches_records.result_from_document(ResultReport.objects.get().result)
    enter_result(scene.pairing, result)

    response = scene.reporter.post(scene.url("report"), SWEEP, follow=True)

    assert "The staff have already entered the same result." in response.text
    assert scene.state() == MatchState.DECIDED


def test_link_to_the_report_of_a_settled_table_says_that_the_result_is_in(scene):
    enter_result(scene.pairing, sweep(2, 1))

    response = scene.reporter.get(scene.url("report"), follow=True)

    assert "The result of this table is already in." in response.text


def test_table_number_too_large_for_the_database_is_not_found(scene):
    address = f"/events/{scene.tournament.slug}/rounds/1/tables/{'9' * 20}/report/"

    assert scene.reporter.get(address).status_code == 404


def test_reports_take_few_queries(scene, django_assert_num_queries):
    # Six queries begin and end transactions or load the reader.
    # One of each request asks whether another player at the table can confirm.
    with django_assert_num_queries(5):
        scene.reporter.get(scene.url("report"))
    with django_assert_num_queries(21):
        scene.reporter.post(scene.url("report"), {**SWEEP, "idempotency_key": "one"})
    with django_assert_num_queries(28):
        scene.opponent.post(scene.url("report"), {**SWEEP, "idempotency_key": "two"})

    assert scene.state() == MatchState.CONFIRMED


def test_confirmation_takes_no_more_queries_than_a_second_report(scene, django_assert_num_queries):
    scene.reporter.post(scene.url("report"), SWEEP)

    with django_assert_num_queries(5):
        scene.opponent.get(scene.url("dispute"))
    data = {"report": scene.open_report(), "idempotency_key": "one"}
    with django_assert_num_queries(28):
        scene.opponent.post(scene.url("confirm"), data)

    assert scene.state() == MatchState.CONFIRMED


PhoneOf = Callable[..., Client]
POINTS = {"victory_points_1": "20", "victory_points_2": "31", "victory_points_3": "20"}


def phones(event: Tournament, phone_of: PhoneOf) -> list[Client]:
    """Return the phones at table 1 by seat."""
    return [phone_of(place) for place in sitting(table(start_round(event), 1))]


def at_table(name: str, event: Tournament) -> str:
    return url(name, event, 1, 1)


def state(event: Tournament) -> str:
    return table(event.stages.get().rounds.get(), 1).match.state


def open_report() -> int:
    return ResultReport.objects.get(state="proposed").pk


def test_players_cannot_report_typed_totals(phone_of: PhoneOf):
    event = make_event(2, game="anr")
    phone, _ = phones(event, phone_of)

    answer = phone.post(at_table("report", event), {"total_1": "6", "total_2": "0"})

    assert "Game 1: choose who won, or Draw." in answer.text
    assert state(event) == MatchState.OPEN


def test_report_of_a_pod_is_confirmed_by_a_second_player(phone_of: PhoneOf):
    event = make_event(3, game="free_radicals")
    first, second, third = phones(event, phone_of)

    page = first.post(at_table("report", event), POINTS, follow=True).text
    waiting = second.get(url("my_event", event)).text
    third.post(at_table("confirm", event), {"report": open_report()})

    assert "Another player at your table has been asked to confirm it" in page
    assert "reported" in waiting
    assert state(event) == MatchState.CONFIRMED
    assert "(3 + 2) / 2" in second.get(url("my_event", event)).text


def test_any_player_of_a_pod_can_dispute(phone_of: PhoneOf):
    event = make_event(3, game="free_radicals")
    first, second, third = phones(event, phone_of)
    first.post(at_table("report", event), POINTS)

    second.post(at_table("dispute", event), {"report": open_report(), "note": "I had 33"})
    answer = third.post(at_table("report", event), POINTS, follow=True).text

    assert state(event) == MatchState.DISPUTED
    assert "The table does not agree" in answer


class TestConfirmationOnTheForm:
    def note(self, phone: Client, event: Tournament) -> str:
        note: str = phone.get(at_table("report", event)).context["confirmation"]
        return note

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({}, "Your report counts when your opponent confirms it."),
            (
                {"confirm_after_minutes": 15},
                "Your report counts when your opponent confirms it, or automatically after 15 "
                "minutes.",
            ),
            (
                {"players": 3, "game": "free_radicals"},
                "Your report counts when another player at your table confirms it.",
            ),
        ],
    )
    def test_opponents_on_their_phones_confirm(self, phone_of: PhoneOf, settings, words: str):
        event = make_event(**{"players": 2, **settings})
        phone, *_ = phones(event, phone_of)

        assert self.note(phone, event) == words
        assert words in text_of(phone.get(at_table("report", event)))

    @pytest.mark.parametrize(
        ("minutes", "words"),
        [
            (None, "Your report counts when the staff confirm it."),
            (
                1,
                "Your report counts when the staff confirm it, or automatically after 1 minute.",
            ),
        ],
    )
    def test_staff_confirm_if_no_opponent_has_a_phone(
        self, phone_of: PhoneOf, minutes: int | None, words: str
    ):
        event = make_event(2, confirm_after_minutes=minutes)
        phone = phone_of(sitting(table(start_round(event), 1))[0])

        assert self.note(phone, event) == words

    def test_report_of_the_opponent_is_confirmed_by_the_same_result(self, phone_of: PhoneOf):
        event = make_event(2)
        first, second = phones(event, phone_of)
        first.post(at_table("report", event), SWEEP)
        name = sitting(table(event.stages.get().rounds.get(), 1))[0].player.name

        assert self.note(first, event) == "Your report counts when your opponent confirms it."
        assert f"If you report the same result as <bdi>{name}</bdi>" in self.note(second, event)

    def test_staff_decide_a_dispute_of_a_pod(self, phone_of: PhoneOf):
        event = make_event(3, game="free_radicals")
        first, second, third = phones(event, phone_of)
        first.post(at_table("report", event), POINTS)
        second.post(at_table("dispute", event), {"report": open_report()})

        for phone in (first, third):
            assert "so the staff decide" in self.note(phone, event)


def test_report_against_a_player_without_a_phone_waits_for_the_staff(phone_of: PhoneOf):
    event = make_event(2)
    pairing = table(start_round(event), 1)
    phone = phone_of(sitting(pairing)[0])

    answer = phone.post(at_table("report", event), SWEEP, follow=True)

    page = text_of(answer)
    assert "Recorded. The staff will confirm it." in page
    assert "Waiting for the staff" in page
    assert "It counts when the staff confirm it" in page
    assert "asked to confirm" not in page
    desk = desk_of(event).get(url("results", event, 1)).text
    assert "Accept the report of table 1" in desk
