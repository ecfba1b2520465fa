"""The desk: next step, overdue tables and updates of the page."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.cuts import make_cut, placings, play_cut_round
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit
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
from tests.tournaments.pages import FRAGMENT, HTMX, path, text_of, url
from tests.tournaments.results.reporting import dispute
from tournaments import tasks
from tournaments.event.permissions import Actor
from tournaments.models import Round, RoundState, StaffRole, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.results.standings_pages import standings_texts
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def step(browser: Client, event: Tournament) -> str:
    title: str = browser.get(path(event)).context["step"].title
    return title


def test_event_is_created_with_name_and_date(desk: Client, owner: User):
    answer = desk.post("/events/new/", {"name": "Spring Run", "starts_on": "2026-05-02"})

    assert answer["Location"] == "/events/spring-run/desk/created/"
    event = Tournament.objects.get()
    assert (event.game, event.bye_points, event.planned_rounds) == ("onr", 20, None)
    assert (event.visibility, event.round_minutes) == ("public", 65)
    assert step(desk, event) == "Add players"


def test_desk_leads_through_an_event(desk: Client, owner: User):
    event = make_event(players=0, owner=owner, planned_rounds=1)
    assert step(desk, event) == "Add players"

    add_players(event, 4, checked_in=False)
    assert step(desk, event) == "Check in players: 0 of 4 checked in"
    desk.post(path(event, "roster/check-in/"))
    assert step(desk, event) == "Pair round 1"
    draft = draft_round(event)
    assert step(desk, event) == "Review the draft of round 1"
    desk.post(path(event, "rounds/1/publish/"))
    assert step(desk, event) == "Start the clock of round 1"
    desk.post(path(event, "rounds/1/start/"))
    assert step(desk, event) == "Enter the results of round 1"
    dispute(table(draft, 1))
    assert step(desk, event) == "Resolve 1 dispute"
    for pairing in tables_of(draft):
        enter_result(pairing, sweep(1))
    assert step(desk, event) == "Close round 1"
    desk.post(path(event, "rounds/1/close/"))
    assert step(desk, event) == "Finish the event"
    desk.post(path(event, "desk/finish/"))
    assert step(desk, event) == "The event is finished"
    assert fresh(event).is_finished


def plan_rounds(event: Tournament, number: int) -> None:
    event.planned_rounds = number
    event.save()


def test_finishing_is_offered_after_the_last_planned_round(desk: Client, event: Tournament):
    plan_rounds(event, 2)
    play_round(event)
    early = desk.get(path(event))
    assert path(event, "desk/finish/") in desk.get(path(event, "desk/stages/")).text
    play_round(event)

    assert step(desk, event) == "Finish the event"
    assert "Finish the event" not in text_of(early)


def test_finish_page_names_leaders_and_missing_results(desk: Client, event: Tournament):
    plan_rounds(event, 2)
    start_round(event)
    too_early = desk.get(path(event, "desk/finish/")).text
    enter_result(table(get_round(event, 1), 1), sweep(1))
    rounds_services.close_round_by_force(event, 2, owner_of(event), "The shop closes.")
    work_off(event)
    best = event.snapshots.newest().rows.get(rank=1).registration.player.name

    page = text_of(desk.get(path(event, "desk/finish/")))

    assert "Close the last round before you finish the event." in too_early
    assert 'id="step"' not in too_early
    assert "These places become final" in page
    assert best in page
    assert "You can still correct a wrong result." in page
    assert "no longer be changed" not in page
    assert "2 rounds are planned." in page
    assert "Without a result: 1 table" in page
    assert not fresh(event).is_finished


def test_step_follows_the_pairing_job(desk: Client, event: Tournament):
    desk.post(path(event, "pair/"), {"number": "1"})

    assert step(desk, event) == "Round 1 is being paired"
    tasks.pair_round(event.jobs.get().pk)
    assert step(desk, event) == "Review the draft of round 1"


def test_failed_pairing_shows_its_reason_and_can_be_retried(
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


def test_poll_is_answered_304_until_a_change(desk: Client, event: Tournament):
    first, page = desk.get(path(event), headers=FRAGMENT), desk.get(path(event))
    known = {**FRAGMENT, "If-None-Match": first["ETag"]}
    assert "<html" not in first.content.decode()
    assert first["ETag"] in unescape(page.content.decode())
    assert "no-store" in page["Cache-Control"]

    assert desk.get(path(event), headers=known).status_code == 304
    registration_services.drop_player(player_number(event, 1), owner_of(event))

    assert desk.get(path(event), headers=known).status_code == 200


@pytest.mark.parametrize("part", [FRAGMENT, HTMX])
def test_fragment_is_401_instead_of_the_login_page(
    event: Tournament, client: Client, part: dict[str, str]
):
    answer = client.get(path(event, "desk/step/"), headers=part)

    assert answer.status_code == 401
    assert answer.text == "You are logged out. Note what you typed, reload this page and log in."
    assert "/account/login/" in client.get(path(event))["Location"]


def test_judge_sees_the_step_without_a_button_and_no_disputes(event: Tournament, desk: Client):
    judge = logged_in(add_staff(event, StaffRole.JUDGE))
    page = judge.get(path(event)).content.decode()
    assert "Pair round 1" in page
    assert path(event, "pair/") not in page
    dispute(table(start_round(event), 1))

    assert step(desk, event) == "Resolve 1 dispute"
    assert desk.get(path(event)).context["step"].text == "The players do not agree on a result."
    assert step(judge, event) == "Wait for the results of round 1"
    strip = judge.get(path(event, "desk/step/"), headers={"X-Fragment": "1"}).text
    assert "Wait for the results of round 1" in strip


def test_round_and_event_are_reopened_with_a_reason(desk: Client, event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    refused = desk.post(path(event, "roster/add/"), {"name": "Late"}, follow=True)
    assert "This event is finished." in refused.content.decode()
    for address, before, after in (
        ("desk/reopen/", "The event is finished", "Pair round 2"),
        ("rounds/1/reopen/", "Pair round 2", "Close round 1 and pair round 2"),
    ):
        desk.post(path(event, address), {"reason": ""})
        assert step(desk, event) == before
        desk.post(path(event, address), {"reason": "a round was missing"})
        assert step(desk, event) == after


def test_round_discarded_by_another_request_is_not_reopened(desk: Client, event: Tournament):
    round_ = play_round(event)

    with meanwhile(round_.delete):
        address = path(event, "rounds/1/reopen/")
        answer = desk.post(address, {"reason": "wrong slip"}, follow=True)

    assert "This draft was discarded." in text_of(answer)


def desk_text(desk: Client, event: Tournament) -> str:
    return text_of(desk.get(path(event), headers=FRAGMENT))


def test_overdue_tables_are_named(desk: Client, owner: User):
    event = make_event(players=6, owner=owner, round_minutes=60)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1))
    assert "Enter the results of round 1 2 of 3 results missing." in desk_text(desk, event)

    with time_machine.travel(timezone.now() + timedelta(minutes=72, seconds=10)):
        page = desk_text(desk, event)

    assert "Go to 2 tables: 1, 3" in page
    assert page.count("12 min over") == 2
    links = desk.get(path(event)).content.decode()
    assert f'href="{path(event, "rounds/1/results/#table-3")}"' in links


@pytest.mark.parametrize(
    ("overtime", "extra", "minutes", "title", "overdue"),
    [
        (None, 10, 65, "Go to 1 table: 2", 1),
        (10, 0, 65, "Enter the results of round 1", 0),
        (10, 0, 73, "Go to 2 tables: 1, 2", 2),
    ],
)
def test_overtime_and_extra_time_of_a_table_are_added(
    desk: Client,
    owner: User,
    overtime: int | None,
    extra: int,
    minutes: int,
    title: str,
    overdue: int,
):
    settings: dict[str, Any] = {} if overtime is None else {"overtime_minutes": overtime}
    event = make_event(players=4, owner=owner, round_minutes=60, **settings)
    start_round(event).pairings.filter(table_number=1).update(extra_minutes=extra)

    with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
        page = desk_text(desk, event)

    assert title in page
    assert page.count("min over") == overdue


# The date changes at midnight, and with it the page.
NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
IN_AN_HOUR = NOON + timedelta(hours=1)


@pytest.mark.parametrize(
    ("plays", "settings", "before", "after"),
    [
        (True, {"round_minutes": 60}, "Enter the results of round 1", "Go to 2 tables"),
        (False, {"registration_closes_at": IN_AN_HOUR}, "Close registration", "Open registration"),
        (False, {"decks_close_at": IN_AN_HOUR}, "Without a deck: 4", "Without a deck: 4"),
    ],
    ids=["time of a round", "registration", "decks"],
)
def test_poll_notices_that_a_time_has_passed(
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


def test_report_is_shown_with_its_time(desk: Client, event: Tournament, round_: Round):
    reported_at = timezone.now() + timedelta(minutes=30)
    ada = table(round_, 1).match.seats.get(position=1)
    with time_machine.travel(reported_at, tick=False):
        results_services.report_result(table(round_, 1), ada, sweep(1), Actor(player=ada.player))

    name = ada.player.name
    page = desk_text(desk, event)
    assert f"{name} reports 2–0 (20–0 points) since {reported_at:%H:%M}" in page
    assert "1 of 2 results missing. 1 result is waiting for confirmation." in page


def test_step_names_missing_confirmations(desk: Client, event: Tournament, round_: Round):
    for pairing in tables_of(round_):
        seat = pairing.match.seats.get(position=1)
        results_services.report_result(pairing, seat, sweep(1), Actor(player=seat.player))

    page = desk_text(desk, event)

    assert "2 results are waiting for confirmation." in page
    assert "missing" not in page


@pytest.mark.parametrize(("prepare", "tables"), [(draft_round, 0), (start_round, 4)])
def test_round_after_a_draft_or_the_last_round_cannot_be_forced(
    desk: Client, owner: User, prepare: Callable[[Tournament], Round], tables: int
):
    event = make_event(players=8, owner=owner, planned_rounds=1, planned_cut=4)
    prepare(event)

    page = desk_text(desk, event)

    assert ("Open tables" in page) == (tables > 0)
    assert "Pair round 2 without" not in page


def test_next_round_is_paired_without_results_after_a_confirmation(
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
    assert "Earlier tables without a result" in desk_text(desk, event)


def test_round_with_all_results_need_not_be_forced(desk: Client, event: Tournament):
    play_round(event)

    for number in (1, 2):
        answer = desk.get(path(event, f"rounds/{number}/without-results/"))
        assert answer["Location"] == path(event)
    assert desk.get(path(event, "rounds/3/without-results/")).status_code == 404


def test_all_players_are_checked_in_from_the_desk(desk: Client, owner: User):
    event = make_event(players=8, checked_in=False, owner=owner)
    assert "Check in all 8" in desk_text(desk, event)

    answer = desk.post(path(event, "roster/check-in/"), {"next": "desk"})

    assert answer["Location"] == path(event)
    assert "Pair round 1" in desk_text(desk, event)


def test_registration_is_closed_and_opened(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    desk.post(path(event, "desk/registration/"), {"open": "no"})
    assert "Next step Open registration" in desk_text(desk, event)

    desk.post(path(event, "desk/registration/"), {"open": "yes"})

    assert "Next step Add players" in desk_text(desk, event)
    assert fresh(event).registration_is_open


def test_closed_registration_cannot_be_reopened_once_there_is_a_cut(desk: Client, owner: User):
    event = make_event(players=8, owner=owner, registration_is_open=False)
    play_round(event)
    before = desk_text(desk, event)
    make_cut(event, 4)

    assert "Open registration" in before
    assert "Open registration" not in desk_text(desk, event)


def test_round_1_is_paired_early_only_if_confirmed(desk: Client, owner: User):
    next_week = timezone.localdate() + timedelta(days=7)
    event = make_event(players=4, owner=owner, starts_on=next_week)
    address = url("pair", event)

    asked = desk.post(address, {"number": 1})
    before = event.jobs.count()
    desk.post(address, {"number": 1, "early": "yes"})

    assert asked.status_code == 409
    assert "The event is on " in text_of(asked)
    assert (before, event.jobs.count()) == (0, 1)


def test_round_1_is_paired_on_its_day_without_a_question(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, starts_on=timezone.localdate())

    desk.post(url("pair", event), {"number": 1})

    assert event.jobs.count() == 1


def test_date_of_an_upcoming_event_is_shown(desk: Client, owner: User):
    next_week = timezone.localdate() + timedelta(days=7)
    event = make_event(players=4, checked_in=False, owner=owner, starts_on=next_week)

    page = desk.get(path(event))
    assert page.context["step"].text.startswith(f"The event is on {next_week:%A} {next_week.day} ")
    assert f'<time datetime="{next_week:%Y-%m-%d}">' in page.text


def test_event_in_an_unknown_time_zone_has_a_desk(desk: Client, owner: User):
    event = make_event(players=4, checked_in=False, owner=owner)
    Tournament.objects.filter(pk=event.pk).update(time_zone="Mars/Olympus")

    assert desk.get(path(event)).status_code == 200


def test_staff_pages_poll_the_next_step(desk: Client, event: Tournament):
    play_round(event, tables=[1, 2])

    page = desk.get(path(event, "rounds/1/results/")).content.decode()

    assert f'data-poll="{path(event, "desk/step/?at=results")}"' in page
    strip = desk.get(path(event, "desk/step/?at=results"))
    words = "Close round 1 and pair round 2"
    assert text_of(strip) == f"Next step {words} {words}"
    known = {"If-None-Match": strip["ETag"]}
    assert desk.get(path(event, "desk/step/"), headers=known).status_code == 304


def test_step_does_not_link_to_the_current_page(desk: Client, owner: User):
    event = make_event(players=4, checked_in=False, owner=owner)

    check_in = desk.get(path(event, "desk/step/?at=tick")).content.decode()
    log = desk.get(path(event, "desk/step/?at=log")).content.decode()

    assert "roster/tick/" not in check_in
    assert "Check in all 4" in check_in
    assert "roster/tick/" in log


def test_scorekeeper_enters_results_but_cannot_force_a_round(event: Tournament):
    start_round(event)
    scorekeeper = logged_in(add_staff(event, StaffRole.SCOREKEEPER))

    page = scorekeeper.get(path(event)).content.decode()

    assert path(event, "rounds/1/results/#table-2") in page
    assert "without-results" not in page
    assert scorekeeper.get(path(event, "rounds/2/without-results/")).status_code == 403


class TestClosingAndPairing:
    def finished_tables(self, event: Tournament) -> None:
        for pairing in tables_of(start_round(event)):
            enter_result(pairing, sweep(1))

    def test_one_click_closes_the_round_and_opens_the_draft(
        self, desk: Client, event: Tournament, django_capture_on_commit_callbacks
    ):
        self.finished_tables(event)
        assert step(desk, event) == "Close round 1 and pair round 2"

        with django_capture_on_commit_callbacks(execute=True):
            answer = desk.post(path(event, "rounds/1/close-and-pair/"))

        assert answer["Location"] == path(event, "rounds/2/draft/")
        assert get_round(event, 1).is_closed
        assert get_round(event, 2).is_draft

    def test_draft_page_waits_for_the_worker(self, desk: Client, event: Tournament):
        self.finished_tables(event)
        answer = desk.post(path(event, "rounds/1/close-and-pair/"), follow=True)

        assert answer.redirect_chain == [(path(event, "rounds/2/draft/"), 302)]
        assert (answer.status_code, answer["Refresh"]) == (200, "2")
        assert "The round is being paired" in text_of(answer)
        assert "To reopen it, discard the draft of the next round" in text_of(answer)
        assert f'undo the closing in the <a href="{url("log", event)}">event log</a>' in answer.text
        tasks.pair_round(event.jobs.get(key=event.pairing_job_key(2)).pk)
        draft = desk.get(path(event, "rounds/2/draft/"))
        assert "Refresh" not in draft
        assert draft.context["draft"].rows

    def test_draft_page_leads_to_the_desk_when_pairing_failed(
        self, desk: Client, event: Tournament
    ):
        job = draft_changes.request_pairing(event, 1, owner_of(event))
        for number in (1, 2, 3, 4):
            registration_services.drop_player(player_number(event, number), owner_of(event))
        tasks.pair_round(job.pk)

        assert desk.get(path(event, "rounds/1/draft/"))["Location"] == path(event)

    def test_draft_page_of_an_unrequested_round_is_not_found(self, desk: Client, event: Tournament):
        assert desk.get(path(event, "rounds/1/draft/")).status_code == 404

    def test_missing_result_is_refused_on_the_desk(self, desk: Client, event: Tournament):
        start_round(event)
        answer = desk.post(path(event, "rounds/1/close-and-pair/"), follow=True)

        assert answer.redirect_chain == [(path(event), 302)]
        assert "Tables without a settled result: 2." in text_of(answer)

    def test_round_can_be_closed_without_pairing(self, desk: Client, event: Tournament):
        self.finished_tables(event)
        alternatives = desk.get(path(event)).context["step"].others
        assert [alternative.title for alternative in alternatives] == ["Only close round 1"]

        desk.post(path(event, "rounds/1/close/"))

        assert step(desk, event) == "Pair round 2"

    def test_messages_offer_undo(self, desk: Client, event: Tournament):
        draft_round(event)
        published = desk.post(path(event, "rounds/1/publish/"), follow=True)
        entry = event.log.get(action="round published").pk
        for pairing in tables_of(get_round(event, 1)):
            enter_result(pairing, sweep(1))
        closed = desk.post(path(event, "rounds/1/close/"), follow=True)

        assert f'href="{url("log_undo", event, entry)}">Undo' in published.text
        entry = event.log.get(action="round closed").pk
        assert f'href="{url("log_undo", event, entry)}">Undo' in closed.text

    def test_last_round_is_only_closed(self, desk: Client, event: Tournament):
        plan_rounds(event, 1)
        self.finished_tables(event)

        assert step(desk, event) == "Close round 1"

    def test_round_before_day_two_is_only_closed(self, desk: Client, owner: User):
        event = make_event(
            players=4, owner=owner, planned_rounds=3, day_two_on=date(2026, 5, 3), day_two_round=2
        )
        self.finished_tables(event)

        assert step(desk, event) == "Close round 1"
        desk.post(path(event, "rounds/1/close/"))
        assert step(desk, event) == "Open check-in for day 2"

    def test_rounds_of_a_cut_are_named(self, desk: Client, owner: User):
        event = make_event(players=8, owner=owner)
        play_round(event)
        make_cut(event, 4, system="single_elimination")
        self.finished_tables(event)

        assert step(desk, event) == "Close the semifinals and pair the final"
        desk.post(path(event, "rounds/2/close-and-pair/"))
        work_off(event)
        final = get_round(event, 3)
        rounds_services.publish_round(final, owner_of(event))
        enter_result(table(final, 1), sweep(1))
        assert step(desk, event) == "Close the final and review the places"
        answer = desk.post(path(event, "rounds/3/close/"), {"next": "finish"})
        assert answer["Location"] == path(event, "desk/finish/")

    def test_double_elimination_has_short_titles(self, desk: Client, owner: User):
        event = make_event(players=8, owner=owner)
        play_round(event)
        make_cut(event, 8)
        draft_round(event)
        titles = []
        for number in (2, 3, 4, 5):
            rounds_services.publish_round(get_round(event, number), owner_of(event))
            for pairing in tables_of(get_round(event, number)):
                enter_result(pairing, sweep(1))
            titles.append(step(desk, event))
            page = desk_text(desk, event)
            desk.post(path(event, f"rounds/{number}/close-and-pair/"))
            work_off(event)
            titles.append(step(desk, event))
            if number == 2:
                assert "Next: the upper bracket semifinals and lower bracket round 1." in page

        assert titles == [
            "Close this round and pair the next",
            "Review the draft",
            "Close this round and pair the next",
            "Review the draft",
            "Close this round and pair the lower bracket semifinal",
            "Review the draft of the lower bracket semifinal",
            "Close this round and pair the lower bracket final",
            "Review the draft of the lower bracket final",
        ]


class TestPlannedCut:
    def last_round(self, owner: User, **settings: Any) -> Tournament:
        event = make_event(players=8, owner=owner, planned_rounds=1, planned_cut=4, **settings)
        play_round(event)
        return event

    def test_one_click_starts_the_cut(self, desk: Client, owner: User):
        event = self.last_round(owner)
        page = desk.get(path(event))
        alternatives = [alternative.title for alternative in page.context["step"].others]
        answer = desk.post(path(event, "desk/cut/start/"), {"size": 4})

        assert page.context["step"].title == "Start the top 4"
        seeds = [str(entry.player) for entry in event.cut_candidates()[:4]]
        names = ", ".join(f"{seed} {name}" for seed, name in enumerate(seeds, 1))
        assert page.context["step"].text.endswith(f"Seeds: {names}.")
        assert f'action="{path(event, "desk/cut/start/")}"' in page.text
        assert alternatives == [
            "Start with single elimination: 2 rounds",
            "Choose size, seeds and scoring",
            "Finish without a cut",
            "Pair round 2",
        ]
        assert answer["Location"] == path(event, "desk/cut/")
        assert step(desk, event) == "Publish the seeds"

    def test_changed_plan_is_refused(self, desk: Client, owner: User):
        event = self.last_round(owner)
        answer = desk.post(path(event, "desk/cut/start/"), {"size": 8}, follow=True)

        assert answer.redirect_chain == [(path(event), 302)]
        assert "The planned cut has changed." in text_of(answer)

    def test_button_waits_for_the_standings(self, desk: Client, owner: User):
        event = make_event(players=8, owner=owner, planned_rounds=1, planned_cut=4)
        for pairing in tables_of(start_round(event)):
            enter_result(pairing, sweep(1))
        rounds_services.close_round(get_round(event, 1), owner_of(event))
        waiting = desk.get(path(event))
        work_off(event)

        assert path(event, "desk/cut/start/") not in waiting.text
        assert "The standings are being calculated." in text_of(waiting)
        assert path(event, "desk/cut/start/") in desk.get(path(event)).text


class TestFinishedEvent:
    def test_finished_event_shows_winner_text_files_and_copy(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        play_round(event)
        settings_services.finish_event(event, owner_of(event))
        page = desk.get(path(event))
        winner = event.snapshots.newest().rows.get(rank=1).registration.player.name

        assert f"Won by <bdi>{winner}</bdi>. The standings are final." in page.text
        assert page.context["finished"].share_text.startswith(
            "Final standings: Spring Run, 2 May 2026\n1 "
        )
        assert event.get_absolute_url() in page.text
        for name in ("exports", "paper", "statistics", "again"):
            assert f'href="{url(name, event)}"' in page.text

    def test_text_after_a_cut_has_places_without_points(self, desk: Client, owner: User):
        event = make_event(players=8, owner=owner)
        play_round(event)
        make_cut(event, 4, system="single_elimination")
        play_cut_round(event, [1, 2])
        assert standings_texts(event)[0].startswith("Places so far: Spring Run\n3 ")
        play_cut_round(event, [2])
        settings_services.finish_event(event, owner_of(event))

        finished = desk.get(path(event)).context["finished"]
        heading, *lines = finished.share_text.split("\n")

        assert heading == "Final standings: Spring Run, 2 May 2026"
        assert [line.rank for line in finished.leaders] == [1, 2, 3, 4]
        assert lines[:4] == [f"{rank} {name}" for rank, name in enumerate(placings(event), 1)]
        assert len(lines) == 8
        assert not any("points" in line for line in lines)

    def test_text_has_no_link_that_phones_cannot_open(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        play_round(event)
        settings_services.finish_event(event, owner_of(event))

        page = text_of(desk.get(path(event), headers={"host": "127.0.0.1:8000"}))

        assert "The text has no link" in page
        assert f"127.0.0.1:8000{event.get_absolute_url()}" not in page

    def test_text_waits_for_the_standings(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        play_round(event)
        settings_services.finish_event(event, owner_of(event))
        event.jobs.create(kind="recompute_standings", key="again", payload={"from_round": 1})

        page = desk.get(path(event))

        assert "The standings are still being computed." in text_of(page)
        assert 'id="share-text"' not in page.text

    def test_event_without_rounds(self, desk: Client, owner: User):
        event = make_event(players=0, owner=owner)
        Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

        assert step(desk, event) == "The event is finished"


def test_deck_problems_are_listed_until_solved(desk: Client, owner: User):
    event = make_event(players=2, owner=owner, game="anr", planned_rounds=2)
    deck = submit(player_number(event, 1)).version
    deck.is_legal = False
    deck.save()
    play_round(event)
    start_round(event)
    during = desk_text(desk, event)
    deck.is_legal = True
    deck.save()

    assert "Illegal decks: 1 player" in during
    assert "Illegal decks" not in desk_text(desk, event)


def test_desk_mentions_missing_players_only_at_the_start(desk: Client, event: Tournament):
    start_round(event)
    assert "Not here?" in desk_text(desk, event)

    with time_machine.travel(timezone.now() + timedelta(minutes=21)):
        assert "Not here?" not in desk_text(desk, event)


def test_judge_sees_which_role_takes_the_next_step(event: Tournament, desk: Client):
    judge = logged_in(add_staff(event, StaffRole.JUDGE))
    assert "The organisers' next step Pair round 1" in desk_text(judge, event)
    start_round(event)

    assert "you can enter any result yourself" not in desk_text(judge, event)
    assert "you can enter any result yourself" in desk_text(desk, event)
