"""Who gets behind the desk, and how far."""

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    make_event,
    make_user,
    play_round,
    start_round,
)
from tests.tournaments.views.staff.conftest import LogIn, path
from tournaments.models import StaffRole, Tournament

pytestmark = pytest.mark.django_db

RUN = {"owner", "organiser"}
SCORE = RUN | {"scorekeeper", "head_judge"}
JUDGE = RUN | {"head_judge", "judge"}
PAGES = {
    "desk/": SCORE | JUDGE,
    "desk/log/": SCORE | JUDGE,
    "roster/": SCORE | JUDGE,
    "poster/": SCORE | JUDGE,
    "rounds/1/slips/": SCORE | JUDGE,
    "rounds/1/tables/1/decide/": SCORE | JUDGE,
    "rounds/1/results/": SCORE,
    "desk/decks/": JUDGE,
    "desk/settings/": RUN,
    "desk/staff/": RUN,
    "roster/paste/": RUN,
    "roster/csv/": RUN,
    "roster/1/link/": RUN,
}
POSTS = {
    "pair/": RUN,
    "roster/add/": RUN,
    "roster/apply/": RUN,
    "roster/check-in/": RUN,
    "roster/1/check-in/": SCORE | JUDGE,
    "roster/1/not-here/": SCORE | JUDGE,
    "roster/1/drop/": RUN,
    "roster/1/return/": RUN,
    "roster/1/remove/": RUN,
    "roster/1/bye/": RUN,
    "desk/registration/": RUN,
    "desk/finish/": RUN,
    "desk/decks/reveal/": RUN,
    "rounds/1/start/": RUN,
    "rounds/1/close/": RUN,
    "rounds/1/reopen/": RUN,
    "rounds/1/publish/": RUN,
    "rounds/1/draft/swap/": RUN,
    "rounds/1/draft/discard/": RUN,
    "rounds/1/tables/1/enter/": SCORE,
    "rounds/1/tables/1/note/": JUDGE,
    "desk/staff/add/": {"owner"},
    "desk/reopen/": {"owner"},
}


def someone_with(role: str, event: Tournament) -> User:
    if role == "owner":
        return event.staff.get(role=StaffRole.OWNER).user
    return add_staff(event, role) if role in StaffRole.values else make_user()


@pytest.mark.parametrize("role", [*StaffRole.values, "nobody"])
def test_each_role_opens_its_pages_and_no_other(role: str, log_in: LogIn):
    event = make_event(players=4)
    start_round(event)
    browser = log_in(someone_with(role, event))

    opened = {page for page in PAGES if browser.get(path(event, page)).status_code == 200}
    refused = {page for page in PAGES if browser.get(path(event, page)).status_code == 403}

    assert opened == {page for page, roles in PAGES.items() if role in roles}
    assert refused == set(PAGES) - opened


@pytest.mark.parametrize("role", ["scorekeeper", "head_judge", "judge", "streamer", "nobody"])
def test_what_a_role_may_not_do_is_refused(role: str, log_in: LogIn):
    event = make_event(players=4)
    start_round(event)
    log = event.log.count() + (role != "nobody")
    browser = log_in(someone_with(role, event))
    forbidden = [page for page, roles in POSTS.items() if role not in roles]

    answers = {page: browser.post(path(event, page)).status_code for page in forbidden}

    assert set(answers.values()) == {403}
    assert event.log.count() == log


@pytest.mark.parametrize("page", [*PAGES, *POSTS])
def test_a_stranger_is_sent_to_the_log_in_page(page: str, client: Client):
    event = make_event(players=2)
    send = client.get if page in PAGES else client.post

    answer = send(path(event, page))

    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/?next=")


def test_a_stranger_learns_nothing_of_events_that_do_not_exist(client: Client):
    answer = client.get("/events/no-such-event/desk/")

    assert answer["Location"].startswith("/account/login/")


@pytest.mark.parametrize("page", POSTS)
def test_a_change_is_never_made_by_a_link(page: str, desk: Client, owner: User):
    event = make_event(players=2, owner=owner)

    assert desk.get(path(event, page)).status_code == 405


def test_a_private_event_does_not_exist_for_other_accounts(log_in: LogIn):
    event = make_event(players=2, visibility="private")

    assert log_in(make_user()).get(path(event)).status_code == 404


def test_rows_of_another_event_are_out_of_reach(desk: Client, owner: User):
    mine = make_event(players=0, owner=owner)
    other = make_event(players=4, name="Other")
    play_round(other)
    job = other.jobs.first()
    member = other.staff.get()
    assert job is not None

    for page in ("roster/1/drop/", "rounds/1/start/", f"desk/jobs/{job.pk}/retry/"):
        assert desk.post(path(mine, page)).status_code == 404
    assert desk.post(path(mine, f"desk/staff/{member.pk}/remove/")).status_code == 404
    assert desk.get(path(mine, "rounds/1/results/")).status_code == 404


def test_a_draft_is_for_those_who_run_the_event(log_in: LogIn):
    event = make_event(players=4)
    draft_round(event)
    scorekeeper = log_in(add_staff(event, StaffRole.SCOREKEEPER))

    assert scorekeeper.get(path(event, "rounds/1/draft/")).status_code == 403
    assert scorekeeper.get(path(event, "rounds/1/results/")).status_code == 404


def test_a_superuser_helps_out(log_in: LogIn):
    event = make_event(players=2)
    admin = make_user(is_superuser=True)

    assert log_in(admin).get(path(event)).status_code == 200


def test_nothing_behind_the_desk_is_cached(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)

    assert "no-store" in desk.get(path(event))["Cache-Control"]
