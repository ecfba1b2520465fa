"""Joining, personal links and a player's own page over the API."""

from functools import partial

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from core.rate_limits import MANY_TRIES, WRONG_TRIES
from players.services import create_player
from tests.api.clients import client_of, make_token, with_token
from tests.factories import tournaments as make
from tournaments.models import Tournament
from tournaments.registration import guests

JOIN = "/api/v1/join/"
CLAIMS = "/api/v1/claims/"
EVENT = "/api/v1/events/spring-run/"


def test_guest_joins_by_name(event: Tournament):
    phone = APIClient()

    joined = phone.post(JOIN, {"code": event.join_code.lower(), "name": "Zed"}, "json")
    again = phone.post(JOIN, {"code": event.join_code}, "json")

    assert (joined.status_code, again.status_code) == (201, 200)
    assert joined.data["player"]["name"] == "Zed"
    assert (joined.data["event"], joined.data["waiting_place"]) == ("spring-run", None)
    assert "/claim/" in joined.data["claim_link"]
    assert again.data["claim_link"] is None
    assert phone.get(f"{EVENT}me/").data["number"] == 5
    assert phone.get("/api/v1/me/").data == {"username": None, "name": "Zed", "pronouns": ""}
    assert [row["slug"] for row in phone.get("/api/v1/me/events/").data["results"]] == [event.slug]


def test_an_account_joins_as_itself(event: Tournament):
    client = client_of(make.make_user("bea"))

    unnamed = client.post(f"{EVENT}join/", {}, "json")
    joined = client.post(f"{EVENT}join/", {"name": "Bea"}, "json")
    again = client.post(f"{EVENT}join/", {}, "json")

    assert [answer.status_code for answer in (unnamed, joined, again)] == [400, 201, 200]
    assert joined.data["claim_link"] is None
    assert client.patch("/api/v1/me/", {"pronouns": "she/her"}, "json").data == {
        "username": "bea",
        "name": "Bea",
        "pronouns": "she/her",
    }


def test_accounts_of_one_address_are_counted_as_they_join_on_page_and_api(event: Tournament):
    cache.clear()
    Tournament.objects.update(guests_per_address=2)
    browsers = [APIClient() for _ in range(4)]
    for number, browser in enumerate(browsers):
        account = make.make_user(f"account{number}")
        create_player(f"Name {number}", user=account)
        browser.force_login(account)

    browsers[0].post(JOIN, {"code": event.join_code}, "json")
    browsers[1].post(f"/join/{event.join_code}/")
    refused = browsers[2].post(JOIN, {"code": event.join_code}, "json")
    browsers[3].post(f"/join/{event.join_code}/")

    assert (refused.status_code, refused.data["code"]) == (409, "too_many_guests")
    joined = event.registrations.filter(player__user__isnull=False)
    assert [str(registration.player) for registration in joined.order_by("number")] == [
        "Name 0",
        "Name 1",
    ]


@pytest.mark.usefixtures("own_clock")
def test_many_wrong_codes_slow_down_and_block_nothing(event: Tournament, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    join = partial(APIClient().post, JOIN, format="json")
    wrong = [join({"code": "YYYYYY"}) for _ in range(MANY_TRIES + 2)]
    right = {"code": event.join_code, "name": "Zed"}
    refused = join(right)
    time_machine.shift(1)
    joined = join(right)

    assert [answer.status_code for answer in wrong] == [404] * (MANY_TRIES + 1) + [429]
    assert (refused.status_code, refused["Retry-After"]) == (429, "1")
    assert joined.status_code == 201


def test_wrong_links_are_slowed_and_a_right_one_opens(event: Tournament):
    cache.clear()
    place, organiser = make.player_number(event, 1), make.owner_of(event)
    phone = APIClient()

    wrong = [phone.post(CLAIMS, {"secret": "x"}, "json") for _ in range(WRONG_TRIES + 1)]
    right = phone.post(CLAIMS, {"secret": guests.issue_claim_link(place, organiser)}, "json")
    cache.clear()

    assert {answer.status_code for answer in wrong[:-1]} == {409}
    assert (wrong[-1].status_code, wrong[-1].data["code"]) == (429, "throttled")
    assert (right.status_code, right.data["name"]) == (200, "Ada")


def test_claim_renews_the_session(event: Tournament):
    place, organiser = make.player_number(event, 1), make.owner_of(event)
    browser = client_of(make.make_user("bea"))
    before = browser.session.session_key

    taken = browser.post(CLAIMS, {"secret": guests.issue_claim_link(place, organiser)}, "json")

    assert (taken.data["username"], taken.data["name"]) == ("bea", "Ada")
    assert browser.session.session_key != before
    assert browser.get(f"{EVENT}me/").data["number"] == 1


@pytest.mark.usefixtures("own_clock")
@pytest.mark.parametrize("closed", [{"registration_is_open": False}, {"invitation_only": True}])
def test_code_of_a_private_event_that_admits_nobody_is_a_wrong_code(
    event: Tournament, owner: APIClient, closed: dict[str, bool], time_machine
):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    cache.clear()
    owner.patch(f"{EVENT}settings/", {"visibility": "private", **closed}, "json")
    phone, body = APIClient(), {"code": event.join_code, "name": "Zed"}

    answers = [phone.post(JOIN, body, "json") for _ in range(MANY_TRIES + 2)]

    assert [answer.status_code for answer in answers] == [404] * (MANY_TRIES + 1) + [429]
    assert phone.post(f"{EVENT}join/", {}, "json").status_code == 404


def test_bound_token_lists_its_event_only(event: Tournament):
    user = event.staff.get(role="owner").user
    make.make_event(players=0, name="Other", owner=user)
    client = with_token(make_token(user, tournament=event))

    assert [row["slug"] for row in client.get("/api/v1/me/events/").data["results"]] == [event.slug]


MINE = "/api/v1/events/spring-run/me/"


def test_check_in_drop_and_return(event: Tournament, guest: APIClient):
    Tournament.objects.update(starts_on=timezone.localdate())

    listed = guest.get(MINE).data
    here = guest.post(f"{MINE}check-in/").data
    gone = guest.post(f"{MINE}drop/").data
    back = guest.post(f"{MINE}return/").data

    assert (listed["now"], listed["can_check_in"]) == ("check_in", True)
    assert (here["state"], here["now"]) == ("checked_in", "here")
    assert (gone["state"], gone["dropped_by"], gone["can_return"]) == ("dropped", "player", True)
    assert back["state"] == "checked_in"


def test_my_rounds_and_my_standing(event: Tournament, owner: APIClient, guest: APIClient):
    owner.post("/api/v1/events/spring-run/registrations/check-in/", {"numbers": None}, "json")
    make.play_round(event)
    snapshot = event.snapshots.newest()
    assert snapshot is not None

    body = guest.get(MINE).data

    assert body["now"] == "between"
    assert [(round_["number"], len(round_["opponents"])) for round_ in body["rounds"]] == [(1, 1)]
    mine = snapshot.rows.get(registration__number=body["number"])
    assert body["standing"]["rank"] == mine.rank
    assert "avoid_group" not in body
