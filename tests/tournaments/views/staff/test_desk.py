"""One next step at a time, from an empty roster to the end."""

import re
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.tournaments import (
    add_players,
    add_staff,
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.views.staff.conftest import LogIn, path
from tournaments import queries, tasks
from tournaments.actors import Actor
from tournaments.models import StaffRole, Tournament
from tournaments.services import events, registrations, results, rounds


def step(browser: Client, event: Tournament) -> str:
    """The title of the big step."""
    page = browser.get(path(event)).content.decode()
    title = re.search(r'big-step__title">(.*?)</h2>', page)
    assert title is not None
    return unescape(title[1])


def dispute(pairing) -> None:
    ada, bo = pairing.match.seats.order_by("position")
    results.report(pairing, ada, sweep(1), Actor(player=ada.player))
    results.report(pairing, bo, sweep(2), Actor(player=bo.player))


def test_three_fields_lead_to_the_desk(desk: Client, owner: User):
    answer = desk.post("/events/new/", {"name": "Spring Run", "starts_on": "2026-05-02"})

    assert answer["Location"] == "/events/spring-run/desk/"
    event = Tournament.objects.get()
    assert (event.game, event.bye_points, event.planned_rounds) == ("onr", 20, None)
    assert (event.visibility, event.round_minutes) == ("public", 75)
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


@pytest.mark.check(39)
def test_a_closing_time_is_told_in_the_zone_of_the_event(desk: Client):
    desk.post(
        "/events/new/",
        {
            "name": "Run",
            "starts_on": "2026-05-02",
            "time_zone": "Europe/Berlin",
            "registration_closes_at": "2026-05-02T10:00",
        },
    )

    closes = Tournament.objects.get().registration_closes_at
    assert closes.isoformat() == "2026-05-02T08:00:00+00:00"


def test_the_desk_leads_through_an_event(desk: Client, owner: User):
    event = make_event(players=0, owner=owner, planned_rounds=1)
    assert step(desk, event) == "Add the players"

    add_players(event, 4, checked_in=False)
    assert step(desk, event) == "Check in the players: 0 of 4 are here"
    desk.post(path(event, "roster/check-in/"))
    assert step(desk, event) == "Pair round 1"
    draft = draft_round(event)
    assert step(desk, event) == "Look at the draft of round 1"
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


def test_a_second_click_makes_no_second_round(
    desk: Client, owner: User, django_capture_on_commit_callbacks
):
    event = make_event(players=8, owner=owner)

    with django_capture_on_commit_callbacks(execute=True):
        first = desk.post(path(event, "pair/"), {"number": "1"})
        desk.post(path(event, "pair/"), {"number": "1"})
    third = desk.post(path(event, "pair/"), {"number": "1"})

    # Nobody has done the work when the first click is answered.
    assert first["Location"] == path(event)
    assert third["Location"] == path(event, "rounds/1/draft/")
    assert queries.rounds(event).count() == 1


def test_the_desk_waits_for_the_worker(desk: Client, event: Tournament):
    desk.post(path(event, "pair/"), {"number": "1"})

    assert step(desk, event) == "Round 1 is being paired"
    tasks.pair_round(event.jobs.get().pk)
    assert step(desk, event) == "Look at the draft of round 1"


def test_a_failed_job_says_why_and_is_tried_again(
    desk: Client, event: Tournament, django_capture_on_commit_callbacks
):
    job = rounds.request_pairing(event, 1, owner_of(event))
    for number in (1, 2, 3, 4):
        registrations.drop(player_number(event, number), owner_of(event))
    tasks.pair_round(job.pk)
    job.refresh_from_db()

    assert step(desk, event) == "Round 1 could not be paired"
    assert job.error in unescape(desk.get(path(event)).content.decode())

    for number in (1, 2, 3, 4):
        registrations.return_(player_number(event, number), owner_of(event))
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(path(event, f"desk/jobs/{job.pk}/retry/"))
    assert step(desk, event) == "Look at the draft of round 1"


def test_the_desk_says_whose_deck_is_missing_until_round_one(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)
    assert "no Corp and no Runner deck" in desk.get(path(event)).content.decode()

    start_round(event)

    assert "no Corp and no Runner deck" not in desk.get(path(event)).content.decode()


def test_nothing_behind_the_desk_is_cached(desk: Client, event: Tournament):
    assert "no-store" in desk.get(path(event))["Cache-Control"]


def test_the_poll_answers_304_until_something_happens(desk: Client, event: Tournament):
    first = desk.get(path(event), headers={"X-Fragment": "1"})
    known = {"X-Fragment": "1", "If-None-Match": first["ETag"]}
    assert "<html" not in first.content.decode()
    assert first["ETag"] in unescape(desk.get(path(event)).content.decode())

    assert desk.get(path(event), headers=known).status_code == 304
    registrations.drop(player_number(event, 1), owner_of(event))

    assert desk.get(path(event), headers=known).status_code == 200


def test_the_poll_sees_registration_close_by_time_alone(desk: Client, owner: User):
    closes = timezone.now() + timedelta(minutes=1)
    event = make_event(players=4, owner=owner, registration_closes_at=closes)
    with time_machine.travel(closes - timedelta(seconds=30)):
        first = desk.get(path(event), headers={"X-Fragment": "1"})
        known = {"X-Fragment": "1", "If-None-Match": first["ETag"]}
        assert desk.get(path(event), headers=known).status_code == 304
        assert "Close registration" in first.content.decode()

    with time_machine.travel(closes + timedelta(seconds=30)):
        after = desk.get(path(event), headers=known)

    assert after.status_code == 200
    assert "Open registration" in after.content.decode()


def test_a_judge_sees_the_step_without_its_button(log_in: LogIn, event: Tournament):
    judge = log_in(add_staff(event, StaffRole.JUDGE))

    page = judge.get(path(event)).content.decode()

    assert "Pair round 1" in page
    assert path(event, "pair/") not in page


def test_a_finished_event_refuses_and_is_opened_again(desk: Client, event: Tournament):
    play_round(event)
    events.finish(event, owner_of(event))

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


def test_open_tables_keep_the_round_open_and_are_counted(desk: Client, owner: User):
    event = make_event(players=6, owner=owner)
    play_round(event, tables=[1])

    answer = desk.post(path(event, "rounds/1/close/"), follow=True)

    assert "Tables without a settled result: 2." in answer.content.decode()


def test_registration_is_closed_and_opened_by_hand(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)

    desk.post(path(event, "desk/registration/"), {"open": "no"})
    assert not fresh(event).registration_is_open
    desk.post(path(event, "desk/registration/"), {"open": "yes"})

    assert fresh(event).registration_is_open
