"""The settings of an event and its staff over the API."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from core.rate_limits import WRONG_TRIES
from tests.api.clients import client_of, make_token, with_token
from tests.factories import tournaments as make
from tests.factories.library import load_cards
from tournaments.integrations.services import announcing
from tournaments.models import Announcing, Tournament

EVENTS = "/api/v1/events/"
EVENT = f"{EVENTS}spring-run/"


def test_any_account_makes_an_event_with_all_its_settings():
    answer = client_of(make.make_user("ann")).post(
        EVENTS,
        {
            "name": "Autumn Run",
            "starts_on": "2026-10-03",
            "time_zone": "Europe/Berlin",
            "registration_closes_at": "2026-10-02T20:00:00+02:00",
            "registration_is_open": False,
            "planned_rounds": 5,
            "tie_breakers": ["strength_of_schedule"],
            "deck_rules": {"ban_list": True},
            "table_numbers": "1-20",
            "has_waiting_list": True,
        },
        "json",
    )

    event = Tournament.objects.get(slug="autumn-run")
    assert answer.status_code == 201
    assert answer.headers["Location"] == "http://testserver/api/v1/events/autumn-run/"
    assert event.staff.get().user.username == "ann"
    assert event.registration_closes_at == datetime(2026, 10, 2, 18, tzinfo=UTC)
    assert event.tie_breakers == ["match_points", "strength_of_schedule", "lot"]
    assert (event.table_numbers, event.has_waiting_list) == ("1-20", True)
    assert not event.registration_is_open
    assert answer.data["deck_rules"] == {
        "runner_minimum": 45,
        "corp_minimum": 45,
        "exact_ratio": False,
        "ban_list": True,
    }
    assert answer.data["join_code"] == event.join_code


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ({"game": "anr"}, ["no_format"]),
        ({"game": "anr", "deck_rules": {"format": "standard"}}, []),
        ({"game": "onr"}, []),
    ],
)
def test_new_event_without_a_format_answers_that_every_card_is_legal(
    rules: dict[str, object], codes: list[str]
):
    load_cards("anr")
    api = client_of(make.make_user("ann"))

    made = api.post(EVENTS, {"name": "A", "starts_on": "2025-09-17", **rules}, "json")

    assert [notice["code"] for notice in made.json()["notices"]] == codes
    if codes:
        assert "every card is legal" in made.json()["notices"][0]["detail"]
        changed = api.patch(
            f"{EVENTS}{made.json()['slug']}/",
            {"deck_rules": {"format": "standard"}},
            "json",
        )
        assert changed.json()["notices"] == []


def test_only_what_is_named_is_changed(event: Tournament, owner: APIClient):
    before = owner.get(f"{EVENT}settings/").data

    answer = owner.patch(EVENT, {"location": "Berlin", "round_minutes": 60}, "json")

    assert answer.data == {**before, "location": "Berlin", "round_minutes": 60}
    assert event.log.get(action="settings changed").after == {
        "location": "Berlin",
        "round_minutes": 60,
    }
    assert answer.data == owner.get(f"{EVENT}settings/").data


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"time_zone": "Europe/Netrunner"}, "time_zone"),
        ({"table_numbers": "9-1"}, "table_numbers"),
        ({"tie_breakers": ["strength_of_schedule"] * 2}, "tie_breakers"),
        ({"scoring_rule": "fr_rank"}, "scoring_rule"),
        ({"deck_rules": {"format": "standard"}}, "format"),
        ({"rounds": 3}, "rounds"),
        ({"max_players": "8"}, "max_players"),
        ({"registration_is_open": 1}, "registration_is_open"),
    ],
)
def test_what_the_form_refuses_is_a_400_by_field(
    owner: APIClient, sent: dict[str, object], field: str
):
    answer = owner.patch(EVENT, sent, "json")

    assert answer.status_code == 400
    assert set(answer.data["errors"]) == {field}


def test_settings_read_before_a_change_are_too_old_to_change(owner: APIClient):
    etag = owner.get(f"{EVENT}settings/").headers["ETag"]
    public = owner.get(EVENT).headers["ETag"]
    owner.patch(EVENT, {"location": "Berlin"}, "json")

    stale = owner.patch(f"{EVENT}settings/", {"location": "Bonn"}, "json", HTTP_IF_MATCH=etag)
    also = owner.patch(EVENT, {"location": "Bonn"}, "json", HTTP_IF_MATCH=public)
    newest = owner.get(EVENT).headers["ETag"]
    fresh = owner.patch(EVENT, {"location": "Bonn"}, "json", HTTP_IF_MATCH=newest)

    assert [one.status_code for one in (stale, also, fresh)] == [412, 412, 200]


def test_the_join_code_is_for_the_desk(event: Tournament, owner: APIClient):
    code = owner.get(f"{EVENT}joining/").data

    assert code["join_code"] == event.join_code
    assert code["url"].endswith(f"/join/{event.join_code}/")
    assert code["address"] == code["url"]
    assert event.join_code not in str(APIClient().get(EVENT).data)


def test_stages_show_published_rounds_only(event: Tournament, owner: APIClient):
    make.add_players(event, 2)
    make.play_round(event)
    make.draft_round(event)

    (stage,) = owner.get(f"{EVENT}stages/").data["results"]

    assert (stage["number"], stage["rounds"]) == (1, [1])


def test_a_role_is_given_changed_and_taken(event: Tournament, owner: APIClient):
    make.make_user("bea")

    given = owner.post(f"{EVENT}staff/", {"username": "Bea", "role": "judge"}, "json")
    owner.post(f"{EVENT}staff/", {"username": "bea", "role": "scorekeeper"}, "json")
    staff = owner.get(f"{EVENT}staff/").data["results"]
    gone = owner.delete(f"{EVENT}staff/{given.data['id']}/")
    wrong = owner.post(f"{EVENT}staff/", {"username": "nobody", "role": "judge"}, "json")

    assert (given.status_code, wrong.status_code) == (201, 400)
    assert 'There is no account "nobody"' in wrong.data["errors"]["username"][0]
    assert [(one["username"], one["role"]) for one in staff[1:]] == [("bea", "scorekeeper")]
    assert gone.status_code == 204
    assert event.staff.count() == 1


def test_the_owner_stays_and_hands_over(event: Tournament, owner: APIClient):
    own = event.staff.get()
    heir = make.add_staff(event, "judge", "bea")
    pk = event.staff.get(user=heir).pk

    refused = owner.delete(f"{EVENT}staff/{own.pk}/")
    handed = owner.post(f"{EVENT}staff/{pk}/hand-over/")

    assert (refused.status_code, refused.data["code"]) == (409, "staff_refused")
    assert handed.data == {"id": pk, "username": "bea", "role": "owner"}
    assert owner.post(f"{EVENT}staff/{pk}/hand-over/").status_code == 403


def test_an_invitation_is_shown_once_and_works_once(event: Tournament, owner: APIClient):
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "invite-somebody"}
    body = {"role": "judge", "note": "For Bea"}
    made = owner.post(f"{EVENT}invitations/", body, "json", **key)
    again = owner.post(f"{EVENT}invitations/", body, "json", **key)
    (invitation,) = owner.get(f"{EVENT}invitations/").data["results"]
    secret = made.data["link"].rstrip("/").rpartition("/")[2]
    helper = client_of(make.make_user("bea"))
    before = helper.session.session_key

    taken = helper.post("/api/v1/invitations/accept/", {"secret": secret}, "json")
    once_more = helper.post("/api/v1/invitations/accept/", {"secret": secret}, "json")

    assert (again.data["link"], again.data["note"]) == (None, "For Bea")
    assert secret not in str(invitation)
    assert (taken.data["role"], taken.data["event"]) == ("judge", "spring-run")
    assert (once_more.status_code, once_more.data["code"]) == (409, "invitation_over")
    # The rights of this session have grown.
    assert helper.session.session_key != before


def test_wrong_invitations_cost_tries(event: Tournament):
    cache.clear()
    guesser = client_of(make.make_user("bea"))

    accept = ("/api/v1/invitations/accept/", {"secret": "x"}, "json")
    wrong = [guesser.post(*accept).status_code for _ in range(WRONG_TRIES + 1)]
    cache.clear()

    assert wrong == [409] * WRONG_TRIES + [429]


def test_a_withdrawn_invitation_opens_nothing(event: Tournament, owner: APIClient):
    body = {"role": "judge", "hours": 1}
    owner.post(f"{EVENT}invitations/", body, "json")
    (invitation,) = owner.get(f"{EVENT}invitations/").data["results"]

    assert owner.delete(f"{EVENT}invitations/{invitation['id']}/").status_code == 204
    assert owner.get(f"{EVENT}invitations/").data["count"] == 0
    odd = owner.post(f"{EVENT}invitations/", {**body, "hours": 2}, "json")
    assert odd.status_code == 400


HOOK = "https://discord.com/api/webhooks/1/secret-of-the-channel"


def test_the_address_of_a_webhook_is_shown_to_nobody(event: Tournament, owner: APIClient):
    set_ = owner.put(f"{EVENT}announcing/", {"webhook": HOOK, "allows_mail": True}, "json")
    kept = owner.put(f"{EVENT}announcing/", {"tells_standings": False}, "json")

    assert (set_.data["site"], set_.data["allows_mail"]) == ("discord.com", True)
    assert "secret-of-the-channel" not in str(owner.get(f"{EVENT}announcing/").data)
    assert (kept.data["site"], kept.data["allows_mail"]) == ("discord.com", True)
    assert Announcing.objects.get().webhook == HOOK
    assert owner.put(f"{EVENT}announcing/", {"webhook": ""}, "json").data["site"] == ""


def test_a_notification_nobody_named_keeps_what_another_set_meanwhile(
    event: Tournament, owner: APIClient
):
    def another() -> None:
        announcing.change(event, make.owner_of(event), allows_mail=True)

    with make.meanwhile(another):
        kept = owner.put(f"{EVENT}announcing/", {"tells_standings": False}, "json")

    assert (kept.data["allows_mail"], kept.data["tells_standings"]) == (True, False)


def test_a_token_of_one_event_finds_no_practice_of_another(event: Tournament, owner: APIClient):
    made = owner.post(f"{EVENT}practice/", {}, "json").data["slug"]
    user = make.owner_of(event).user
    program = with_token(make_token(user, "manage", event))

    listed = program.get(f"{EVENT}practice/").data["results"]
    refused = program.post(f"{EVENT}practice/", {}, "json")
    program = with_token(make_token(user))

    assert listed == []
    assert (refused.status_code, refused.data["code"]) == (403, "token_scope")
    assert [one["slug"] for one in program.get(f"{EVENT}practice/").data["results"]] == [made]
