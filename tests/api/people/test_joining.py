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
    repeated = phone.post(JOIN, {"code": event.join_code}, "json")

    assert (joined.status_code, repeated.status_code) == (201, 200)
    assert joined.data["player"]["name"] == "Zed"
    assert (joined.data["event"], joined.data["waiting_place"]) == ("spring-run", None)
    assert "/claim/" in joined.data["claim_link"]
    assert repeated.data["claim_link"] is None
    assert phone.get(f"{EVENT}me/").data["number"] == 5
    assert phone.get("/api/v1/me/").data == {"username": None, "name": "Zed", "pronouns": ""}
    assert [row["slug"] for row in phone.get("/api/v1/me/events/").data["results"]] == [event.slug]


def test_account_joins_under_its_own_name(event: Tournament):
    client = client_of(make.make_user("bea"))

    unnamed = client.post(f"{EVENT}join/", {}, "json")
    joined = client.post(f"{EVENT}join/", {"name": "Bea"}, "json")
    repeated = client.post(f"{EVENT}join/", {}, "json")

    assert [answer.status_code for answer in (unnamed, joined, repeated)] == [400, 201, 200]
    assert joined.data["claim_link"] is None
    assert client.patch("/api/v1/me/", {"pronouns": "she/her"}, "json").data == {
        "username": "bea",
        "name": "Bea",
        "pronouns": "she/her",
    }


def test_page_and_api_share_the_limit_of_accounts_per_address(event: Tournament):
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
def test_many_wrong_codes_are_slowed_down_but_a_right_code_still_works(
    event: Tournament, time_machine
):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    join = partial(APIClient().post, JOIN, format="json")
    wrong = [join({"code": "YYYYYY"}) for _ in range(MANY_TRIES + 2)]
    right_body = {"code": event.join_code, "name": "Zed"}
    refused = join(right_body)
    time_machine.shift(1)
    joined = join(right_body)

    assert [answer.status_code for answer in wrong] == [404] * (MANY_TRIES + 1) + [429]
    assert (refused.status_code, refused["Retry-After"]) == (429, "1")
    assert joined.status_code == 201


def test_many_wrong_links_are_slowed_down_but_a_right_link_still_works(event: Tournament):
    cache.clear()
    registration, organiser = make.player_number(event, 1), make.owner_of(event)
    phone = APIClient()

    wrong = [phone.post(CLAIMS, {"secret": "x"}, "json") for _ in range(WRONG_TRIES + 1)]
    opened = phone.post(
        CLAIMS, {"secret": guests.issue_claim_link(registration, organiser)}, "json"
    )
    cache.clear()

    assert {answer.status_code for answer in wrong[:-1]} == {409}
    assert (wrong[-1].status_code, wrong[-1].data["code"]) == (429, "throttled")
    assert (opened.status_code, opened.data["name"]) == (200, "Ada")


def test_claim_renews_the_session(event: Tournament):
    registration, organiser = make.player_number(event, 1), make.owner_of(event)
    browser = client_of(make.make_user("bea"))
    before = browser.session.session_key

    claimed = browser.post(
        CLAIMS, {"secret": guests.issue_claim_link(registration, organiser)}, "json"
    )

    assert (claimed.data["username"], claimed.data["name"]) == ("bea", "Ada")
    assert browser.session.session_key != before
    assert browser.get(f"{EVENT}me/").data["number"] == 1


@pytest.mark.usefixtures("own_clock")
@pytest.mark.parametrize("closed", [{"registration_is_open": False}, {"invitation_only": True}])
def test_code_of_a_closed_private_event_is_treated_as_wrong(
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
    checked_in = guest.post(f"{MINE}check-in/").data
    dropped = guest.post(f"{MINE}drop/").data
    returned = guest.post(f"{MINE}return/").data

    assert (listed["now"], listed["can_check_in"]) == ("check_in", True)
    assert (checked_in["state"], checked_in["now"]) == ("checked_in", "here")
    assert (dropped["state"], dropped["dropped_by"], dropped["can_return"]) == (
        "dropped",
        "player",
        True,
    )
    assert returned["state"] == "checked_in"


def test_player_sees_own_rounds_and_standing(event: Tournament, owner: APIClient, guest: APIClient):
    owner.post("/api/v1/events/spring-run/registrations/check-in/", {"numbers": None}, "json")
    make.play_round(event)
    snapshot = event.snapshots.newest()
    assert snapshot is not None

    body = guest.get(MINE).data

    assert body["now"] == "between"
    assert [(round_["number"], len(round_["opponents"])) for round_ in body["rounds"]] == [(1, 1)]
    row = snapshot.rows.get(registration__number=body["number"])
    assert body["standing"]["rank"] == row.rank
    assert "avoid_group" not in body
