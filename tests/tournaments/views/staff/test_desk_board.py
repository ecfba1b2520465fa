"""The desk in the middle of the day: tables to chase, and what nobody may miss."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.views.pages import text_of
from tests.tournaments.views.staff.conftest import LogIn, path
from tournaments.actors import Actor
from tournaments.models import Round, RoundState, StaffRole, Tournament
from tournaments.services import events, results

FRAGMENT = {"X-Fragment": "1"}


def shown(desk: Client, event: Tournament) -> str:
    return text_of(desk.get(path(event), headers=FRAGMENT))


def test_tables_are_chased_by_number_once_their_time_is_over(desk: Client, owner: User):
    event = make_event(players=6, owner=owner, round_minutes=60)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1))
    assert "Round 1 is being played 2 of 3 tables without a result." in shown(desk, event)

    with time_machine.travel(timezone.now() + timedelta(minutes=72, seconds=10)):
        page = shown(desk, event)

    assert "Chase 2 tables: 1, 3" in page
    assert page.count("12 min over") == 2
    links = desk.get(path(event)).content.decode()
    assert f'href="{path(event, "rounds/1/results/#table-3")}"' in links


def test_a_table_with_more_time_is_not_chased_yet(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, round_minutes=60)
    round_ = start_round(event)
    round_.pairings.filter(table_number=1).update(extra_minutes=10)

    with time_machine.travel(timezone.now() + timedelta(minutes=65)):
        page = shown(desk, event)

    assert "Chase 1 table: 2" in page
    assert page.count("min over") == 1


def test_overtime_comes_before_the_chase(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, round_minutes=60, overtime_minutes=10)
    start_round(event)

    with time_machine.travel(timezone.now() + timedelta(minutes=65)):
        assert "Round 1 is being played" in shown(desk, event)
    with time_machine.travel(timezone.now() + timedelta(minutes=73)):
        assert "Chase 2 tables: 1, 2" in shown(desk, event)


def test_the_poll_sees_the_time_run_out_by_itself(desk: Client, owner: User):
    noon = datetime(2026, 5, 2, 12, tzinfo=UTC)  # A poll after midnight is news by itself.
    with time_machine.travel(noon):
        event = make_event(players=4, owner=owner, round_minutes=60)
        start_round(event)
        known = {**FRAGMENT, "If-None-Match": desk.get(path(event), headers=FRAGMENT)["ETag"]}

    with time_machine.travel(noon + timedelta(minutes=59)):
        assert desk.get(path(event), headers=known).status_code == 304
    with time_machine.travel(noon + timedelta(minutes=60, seconds=5)):
        assert desk.get(path(event), headers=known).status_code == 200


def test_a_report_tells_since_when_it_waits(desk: Client, event: Tournament, round_: Round):
    reported_at = timezone.now() + timedelta(minutes=30)
    ada = table(round_, 1).match.seats.get(position=1)
    with time_machine.travel(reported_at, tick=False):
        results.report(table(round_, 1), ada, sweep(1), Actor(player=ada.player))

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
        desk.post(path(event, "pair/"), {"number": "2", "reason": "The shop closes"})

    assert get_round(event, 1).state == RoundState.CLOSED
    assert get_round(event, 2).is_draft


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


def test_registration_is_opened_by_the_big_button(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    events.set_registration(event, owner_of(event), is_open=False)
    assert "Next step Open registration" in shown(desk, event)

    desk.post(path(event, "desk/registration/"), {"open": "yes"})

    assert "Next step Add the players" in shown(desk, event)
    assert fresh(event).registration_is_open


def test_the_day_of_an_event_to_come_is_told(desk: Client, owner: User):
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


def test_a_scorekeeper_enters_and_forces_nothing(log_in: LogIn, event: Tournament):
    start_round(event)
    scorekeeper = log_in(add_staff(event, StaffRole.SCOREKEEPER))

    page = scorekeeper.get(path(event)).content.decode()

    assert path(event, "rounds/1/results/#table-2") in page
    assert "without-results" not in page
    assert scorekeeper.get(path(event, "rounds/2/without-results/")).status_code == 403
