"""The desk: one next step at a time, tables to chase, and what nobody may miss."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_players,
    add_staff,
    draft_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    meanwhile,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
    work_off,
)
from tests.tournaments.pages import FRAGMENT, HTMX, path, text_of
from tests.tournaments.results.reporting import dispute
from tournaments import tasks
from tournaments.event.permissions import Actor
from tournaments.models import Round, RoundState, StaffRole, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def step(browser: Client, event: Tournament) -> str:
    """The title of the big step."""
    page = browser.get(path(event)).content.decode()
    title = re.search(r'big-step__title">(.*?)</h2>', page)
    assert title is not None
    return unescape(title[1])


def test_three_fields_lead_to_the_desk(desk: Client, owner: User):
    answer = desk.post("/events/new/", {"name": "Spring Run", "starts_on": "2026-05-02"})

    assert answer["Location"] == "/events/spring-run/desk/"
    event = Tournament.objects.get()
    assert (event.game, event.bye_points, event.planned_rounds) == ("onr", 20, None)
    assert (event.visibility, event.round_minutes) == ("public", 65)
    assert step(desk, event) == "Add the players"


def test_a_bad_time_zone_keeps_what_was_typed(desk: Client):
    answer = desk.post(
        "/events/new/", {"name": "Run", "starts_on": "2026-05-02", "time_zone": "Moon/Base"}
    )

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Moon/Base" in page
    assert 'value="Run"' in page
    assert not Tournament.objects.exists()


def test_the_desk_leads_through_an_event(desk: Client, owner: User):
    event = make_event(players=0, owner=owner, planned_rounds=1)
    assert step(desk, event) == "Add the players"

    add_players(event, 4, checked_in=False)
    assert step(desk, event) == "Check in the players: 0 of 4 are here"
    desk.post(path(event, "roster/check-in/"))
    assert step(desk, event) == "Pair round 1"
    draft = draft_round(event)
    assert step(desk, event) == "Review the draft of round 1"
    desk.post(path(event, "rounds/1/publish/"))
    assert step(desk, event) == "Start the clock of round 1"
    desk.post(path(event, "rounds/1/start/"))
    assert step(desk, event) == "Round 1 is being played"
    dispute(table(draft, 1))
    assert step(desk, event) == "Decide 1 table in dispute"
    for pairing in tables_of(draft):
        enter_result(pairing, sweep(1))
    assert step(desk, event) == "Close round 1"
    desk.post(path(event, "rounds/1/close/"))
    assert step(desk, event) == "Finish the event"
    desk.post(path(event, "desk/finish/"))
    assert step(desk, event) == "The event is finished"
    assert fresh(event).is_finished


def plan(event: Tournament, number: int) -> None:
    """So many rounds."""
    event.planned_rounds = number
    event.save()


def test_the_end_is_offered_after_the_last_round_alone(desk: Client, event: Tournament):
    plan(event, 2)
    play_round(event)
    early = desk.get(path(event))
    play_round(event)

    assert step(desk, event) == "Finish the event"
    assert "Finish the event" not in text_of(early)


def test_the_end_asks_first_and_says_what_will_be_final(desk: Client, event: Tournament):
    plan(event, 2)
    play_round(event)
    best = event.snapshots.newest().rows.get(rank=1).registration.player.name

    page = text_of(desk.get(path(event, "desk/finish/")))

    assert "Finish the event?" in page
    assert "These places become final" in page
    assert best in page
    assert "A wrong result can still be corrected" in page
    assert "2 rounds are planned." in page
    assert not fresh(event).is_finished


def test_the_end_names_tables_without_a_result(desk: Client, event: Tournament):
    plan(event, 2)
    play_round(event, tables=[1])
    rounds_services.close_round_by_force(event, 2, owner_of(event), "The shop closes.")
    work_off(event)

    page = text_of(desk.get(path(event, "desk/finish/")))

    assert "Without a result: 1 table" in page


def test_no_end_while_a_round_is_open(desk: Client, event: Tournament):
    start_round(event)

    page = text_of(desk.get(path(event, "desk/finish/")))

    assert "Close the last round before you finish the event." in page
    assert "Finish for good" not in page


def test_a_day_that_ends_early_is_finished_from_the_rounds(desk: Client, event: Tournament):
    plan(event, 4)
    play_round(event)

    assert path(event, "desk/finish/") in desk.get(path(event, "desk/stages/")).text


def test_the_desk_waits_for_the_worker(desk: Client, event: Tournament):
    desk.post(path(event, "pair/"), {"number": "1"})

    assert step(desk, event) == "Round 1 is being paired"
    tasks.pair_round(event.jobs.get().pk)
    assert step(desk, event) == "Review the draft of round 1"


def test_a_failed_job_says_why_and_is_tried_again(
    desk: Client, event: Tournament, django_capture_on_commit_callbacks
):
    job = draft_changes.request_pairing(event, 1, owner_of(event))
    for number in (1, 2, 3, 4):
        registration_services.drop_player(player_number(event, number), owner_of(event))
    tasks.pair_round(job.pk)
    job.refresh_from_db()

    assert step(desk, event) == "Round 1 could not be paired"
    assert job.error in unescape(desk.get(path(event)).content.decode())

    for number in (1, 2, 3, 4):
        registration_services.return_player(player_number(event, number), owner_of(event))
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(path(event, f"desk/jobs/{job.pk}/retry/"))
    assert step(desk, event) == "Review the draft of round 1"


def test_nothing_behind_the_desk_is_cached(desk: Client, event: Tournament):
    assert "no-store" in desk.get(path(event))["Cache-Control"]


def test_the_poll_answers_304_until_something_happens(desk: Client, event: Tournament):
    first = desk.get(path(event), headers=FRAGMENT)
    known = {**FRAGMENT, "If-None-Match": first["ETag"]}
    assert "<html" not in first.content.decode()
    assert first["ETag"] in unescape(desk.get(path(event)).content.decode())

    assert desk.get(path(event), headers=known).status_code == 304
    registration_services.drop_player(player_number(event, 1), owner_of(event))

    assert desk.get(path(event), headers=known).status_code == 200


@pytest.mark.parametrize("part", [FRAGMENT, HTMX])
def test_a_part_of_a_page_is_no_place_for_the_log_in_page(
    event: Tournament, client: Client, part: dict[str, str]
):
    answer = client.get(path(event, "desk/step/"), headers=part)

    assert answer.status_code == 401
    assert answer.text == "You are logged out. Note what you typed, reload this page and log in."
    assert "/account/login/" in client.get(path(event))["Location"]


def test_a_judge_sees_the_step_without_its_button(event: Tournament):
    judge = logged_in(add_staff(event, StaffRole.JUDGE))

    page = judge.get(path(event)).content.decode()

    assert "Pair round 1" in page
    assert path(event, "pair/") not in page


def test_judge_is_not_asked_to_decide_a_dispute(event: Tournament, desk: Client):
    dispute(table(start_round(event), 1))
    judge = logged_in(add_staff(event, StaffRole.JUDGE))

    assert step(desk, event) == "Decide 1 table in dispute"
    assert step(judge, event) == "Round 1 is being played"
    strip = judge.get(path(event, "desk/step/"), headers={"X-Fragment": "1"}).text
    assert "Round 1 is being played" in strip


def test_a_finished_event_refuses_and_is_opened_again(desk: Client, event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    refused = desk.post(path(event, "roster/add/"), {"name": "Late"}, follow=True)
    assert "This event is finished." in refused.content.decode()
    desk.post(path(event, "desk/reopen/"), {"reason": ""})
    assert fresh(event).is_finished
    desk.post(path(event, "desk/reopen/"), {"reason": "a round was missing"})

    assert not fresh(event).is_finished


def test_a_closed_round_is_opened_again_with_a_reason(desk: Client, event: Tournament):
    play_round(event)

    desk.post(path(event, "rounds/1/reopen/"), {"reason": ""})
    assert step(desk, event) == "Pair round 2"
    desk.post(path(event, "rounds/1/reopen/"), {"reason": "wrong slip"})

    assert step(desk, event) == "Close round 1"


def test_a_round_that_was_thrown_away_meanwhile_is_not_opened_again(
    desk: Client, event: Tournament
):
    round_ = play_round(event)

    with meanwhile(round_.delete):
        address = path(event, "rounds/1/reopen/")
        answer = desk.post(address, {"reason": "wrong slip"}, follow=True)

    assert "This draft was discarded." in text_of(answer)


def shown(desk: Client, event: Tournament) -> str:
    return text_of(desk.get(path(event), headers=FRAGMENT))


def test_tables_are_chased_by_number_once_their_time_is_over(desk: Client, owner: User):
    event = make_event(players=6, owner=owner, round_minutes=60)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1))
    assert "Round 1 is being played 2 of 3 tables without a result." in shown(desk, event)

    with time_machine.travel(timezone.now() + timedelta(minutes=72, seconds=10)):
        page = shown(desk, event)

    assert "Go to 2 tables: 1, 3" in page
    assert page.count("12 min over") == 2
    links = desk.get(path(event)).content.decode()
    assert f'href="{path(event, "rounds/1/results/#table-3")}"' in links


def test_a_table_with_more_time_is_not_chased_yet(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, round_minutes=60)
    round_ = start_round(event)
    round_.pairings.filter(table_number=1).update(extra_minutes=10)

    with time_machine.travel(timezone.now() + timedelta(minutes=65)):
        page = shown(desk, event)

    assert "Go to 1 table: 2" in page
    assert page.count("min over") == 1


def test_overtime_comes_before_the_chase(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, round_minutes=60, overtime_minutes=10)
    start_round(event)

    with time_machine.travel(timezone.now() + timedelta(minutes=65)):
        assert "Round 1 is being played" in shown(desk, event)
    with time_machine.travel(timezone.now() + timedelta(minutes=73)):
        assert "Go to 2 tables: 1, 2" in shown(desk, event)


NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
"""A poll after midnight is news by itself."""
IN_AN_HOUR = NOON + timedelta(hours=1)


@pytest.mark.parametrize(
    ("plays", "settings", "before", "after"),
    [
        (True, {"round_minutes": 60}, "Round 1 is being played", "Go to 2 tables"),
        (False, {"registration_closes_at": IN_AN_HOUR}, "Close registration", "Open registration"),
        (False, {"decks_close_at": IN_AN_HOUR}, "Without a deck: 4", "Without a deck: 4"),
    ],
    ids=["time of a round", "registration", "decks"],
)
def test_the_poll_sees_by_itself_that_a_time_is_over(
    desk: Client, owner: User, plays: bool, settings: dict[str, Any], before: str, after: str
):
    with time_machine.travel(NOON, tick=False):
        event = make_event(players=4, owner=owner, **settings)
        if plays:
            start_round(event)
        first = desk.get(path(event), headers=FRAGMENT)
        known = {**FRAGMENT, "If-None-Match": first["ETag"]}
    with time_machine.travel(IN_AN_HOUR - timedelta(minutes=1)):
        assert desk.get(path(event), headers=known).status_code == 304
    with time_machine.travel(IN_AN_HOUR + timedelta(seconds=5)):
        later = desk.get(path(event), headers=known)

    assert before in text_of(first)
    assert (later.status_code, after in text_of(later)) == (200, True)


def test_a_report_shows_since_when_it_waits(desk: Client, event: Tournament, round_: Round):
    reported_at = timezone.now() + timedelta(minutes=30)
    ada = table(round_, 1).match.seats.get(position=1)
    with time_machine.travel(reported_at, tick=False):
        results_services.report_result(table(round_, 1), ada, sweep(1), Actor(player=ada.player))

    assert f"Waits for an answer since {reported_at:%H:%M}" in shown(desk, event)


def test_tables_of_a_draft_are_not_open(desk: Client, owner: User):
    event = make_event(players=8, owner=owner)
    draft_round(event)

    page = shown(desk, event)

    assert "Open tables 0" in page
    assert "Pair round 2 without" not in page


def test_the_next_round_is_forced_on_a_page_that_says_what_it_means(
    desk: Client, event: Tournament, django_capture_on_commit_callbacks
):
    play_round(event, tables=[1])
    address = path(event, "rounds/2/without-results/")
    assert f'href="{address}"' in desk.get(path(event)).content.decode()

    page = text_of(desk.get(address))
    assert "Without a result: 1 table Table 2" in page
    assert "Why?" in page
    with django_capture_on_commit_callbacks(execute=True):
        refused = desk.post(path(event, "pair/"), {"number": "2"}, follow=True)
        desk.post(path(event, "pair/"), {"number": "2", "reason": "The shop closes"})

    assert "Close round 1 before you pair round 2." in text_of(refused)
    assert get_round(event, 1).state == RoundState.CLOSED
    assert get_round(event, 2).is_draft
    assert "Round 1, table 2:" in shown(desk, event)


def test_no_round_is_offered_after_the_last_planned_round(desk: Client, owner: User):
    event = make_event(players=8, owner=owner, planned_rounds=1, planned_cut=4)
    start_round(event)

    page = shown(desk, event)

    assert "Open tables" in page
    assert "Pair round 2 without" not in page


@pytest.mark.parametrize("number", [1, 2])
def test_nothing_is_forced_where_nothing_is_missing(desk: Client, event: Tournament, number: int):
    play_round(event)

    answer = desk.get(path(event, f"rounds/{number}/without-results/"))

    assert answer["Location"] == path(event)
    assert desk.get(path(event, "rounds/3/without-results/")).status_code == 404


def test_everybody_is_checked_in_from_the_desk(desk: Client, owner: User):
    event = make_event(players=8, checked_in=False, owner=owner)
    assert "All 8 are here" in shown(desk, event)

    answer = desk.post(path(event, "roster/check-in/"), {"next": "desk"})

    assert answer["Location"] == path(event)
    assert "Pair round 1" in shown(desk, event)


def test_registration_is_closed_by_hand_and_opened_by_the_big_button(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    desk.post(path(event, "desk/registration/"), {"open": "no"})
    assert "Next step Open registration" in shown(desk, event)

    desk.post(path(event, "desk/registration/"), {"open": "yes"})

    assert "Next step Add the players" in shown(desk, event)
    assert fresh(event).registration_is_open


def test_the_day_of_an_event_to_come_is_shown(desk: Client, owner: User):
    next_week = timezone.localdate() + timedelta(days=7)
    event = make_event(players=4, checked_in=False, owner=owner, starts_on=next_week)

    assert f"The event is on {next_week.day} " in shown(desk, event)


def test_every_page_behind_the_desk_asks_for_the_next_step(desk: Client, event: Tournament):
    play_round(event, tables=[1, 2])

    page = desk.get(path(event, "rounds/1/results/")).content.decode()

    assert f'data-poll="{path(event, "desk/step/?at=results")}"' in page
    strip = desk.get(path(event, "desk/step/?at=results"))
    assert text_of(strip) == "Next step Close round 1 Close round 1"
    known = {"If-None-Match": strip["ETag"]}
    assert desk.get(path(event, "desk/step/"), headers=known).status_code == 304


def test_the_next_step_has_no_button_to_the_page_it_is_done_on(desk: Client, owner: User):
    event = make_event(players=4, checked_in=False, owner=owner)

    here = desk.get(path(event, "desk/step/?at=tick")).content.decode()
    elsewhere = desk.get(path(event, "desk/step/?at=log")).content.decode()

    assert "roster/tick/" not in here
    assert "All 4 are here" in here
    assert "roster/tick/" in elsewhere


def test_a_scorekeeper_enters_and_forces_nothing(event: Tournament):
    start_round(event)
    scorekeeper = logged_in(add_staff(event, StaffRole.SCOREKEEPER))

    page = scorekeeper.get(path(event)).content.decode()

    assert path(event, "rounds/1/results/#table-2") in page
    assert "without-results" not in page
    assert scorekeeper.get(path(event, "rounds/2/without-results/")).status_code == 403
