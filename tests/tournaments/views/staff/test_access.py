"""Who gets behind the desk, and how far."""

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import (
    make_event,
    make_user,
)
from tests.tournaments.views.staff.conftest import LogIn, path

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


@pytest.mark.parametrize("page", [*PAGES, *POSTS])
def test_a_stranger_is_sent_to_the_log_in_page(page: str, client: Client):
    event = make_event(players=2)
    send = client.get if page in PAGES else client.post

    answer = send(path(event, page))

    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/?next=")


@pytest.mark.parametrize("page", POSTS)
def test_a_change_is_never_made_by_a_link(page: str, desk: Client, owner: User):
    event = make_event(players=2, owner=owner)

    assert desk.get(path(event, page)).status_code == 405


def test_a_superuser_helps_out(log_in: LogIn):
    event = make_event(players=2)
    admin = make_user(is_superuser=True)

    assert log_in(admin).get(path(event)).status_code == 200


def test_nothing_behind_the_desk_is_cached(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)

    assert "no-store" in desk.get(path(event))["Cache-Control"]
