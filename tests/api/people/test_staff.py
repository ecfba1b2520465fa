from typing import Any

from django.core.cache import cache
from rest_framework.test import APIClient

from core.limits import WRONG_TRIES
from tests.api.tokens import make_token
from tests.factories import tournaments as make
from tournaments.models import Announcing, Tournament

EVENT = "/api/v1/events/spring-run/"


def test_a_role_is_given_changed_and_taken(event: Tournament, owner: APIClient):
    make.make_user("bea")

    given = owner.post(f"{EVENT}staff/", {"username": "Bea", "role": "judge"}, "json")
    owner.post(f"{EVENT}staff/", {"username": "bea", "role": "scorekeeper"}, "json")
    told = owner.get(f"{EVENT}staff/").data["results"]
    gone = owner.delete(f"{EVENT}staff/{given.data['id']}/")

    assert given.status_code == 201
    assert [(one["username"], one["role"]) for one in told[1:]] == [("bea", "scorekeeper")]
    assert gone.status_code == 204
    assert event.staff.count() == 1


def test_nobody_of_that_name_is_told_by_the_field(owner: APIClient):
    answer = owner.post(f"{EVENT}staff/", {"username": "nobody", "role": "judge"}, "json")

    assert answer.status_code == 400
    assert 'There is no account "nobody"' in answer.data["errors"]["username"][0]


def test_the_owner_stays_and_hands_over(event: Tournament, owner: APIClient):
    own = event.staff.get()
    heir = make.add_staff(event, "judge", "bea")
    pk = event.staff.get(user=heir).pk

    refused = owner.delete(f"{EVENT}staff/{own.pk}/")
    handed = owner.post(f"{EVENT}staff/{pk}/hand-over/")

    assert (refused.status_code, refused.data["code"]) == (409, "staff_refused")
    assert handed.data == {"id": pk, "username": "bea", "role": "owner"}
    assert owner.post(f"{EVENT}staff/{pk}/hand-over/").status_code == 403


def test_an_invitation_is_told_once_and_works_once(event: Tournament, owner: APIClient):
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "invite-somebody"}
    body = {"role": "judge", "note": "For Bea"}
    made = owner.post(f"{EVENT}invitations/", body, "json", **key)
    again = owner.post(f"{EVENT}invitations/", body, "json", **key)
    (told,) = owner.get(f"{EVENT}invitations/").data["results"]
    secret = made.data["link"].rstrip("/").rpartition("/")[2]
    helper = APIClient()
    helper.force_login(make.make_user("bea"))
    before = helper.session.session_key

    taken = helper.post("/api/v1/invitations/accept/", {"secret": secret}, "json")
    once_more = helper.post("/api/v1/invitations/accept/", {"secret": secret}, "json")

    assert (again.data["link"], again.data["note"]) == (None, "For Bea")
    assert secret not in str(told)
    assert (taken.data["role"], taken.data["event"]) == ("judge", "spring-run")
    assert (once_more.status_code, once_more.data["code"]) == (409, "invitation_over")
    # The rights of this session have grown.
    assert helper.session.session_key != before


def test_wrong_invitations_cost_tries(event: Tournament):
    cache.clear()
    guesser = APIClient()
    guesser.force_login(make.make_user("bea"))

    accept = ("/api/v1/invitations/accept/", {"secret": "x"}, "json")
    wrong = [guesser.post(*accept).status_code for _ in range(WRONG_TRIES + 1)]
    cache.clear()

    assert wrong == [409] * WRONG_TRIES + [429]


def test_a_withdrawn_invitation_opens_nothing(event: Tournament, owner: APIClient):
    body = {"role": "judge", "hours": 1}
    owner.post(f"{EVENT}invitations/", body, "json")
    (told,) = owner.get(f"{EVENT}invitations/").data["results"]

    assert owner.delete(f"{EVENT}invitations/{told['id']}/").status_code == 204
    assert owner.get(f"{EVENT}invitations/").data["count"] == 0
    odd = owner.post(f"{EVENT}invitations/", {**body, "hours": 2}, "json")
    assert odd.status_code == 400


HOOK = "https://discord.com/api/webhooks/1/secret-of-the-channel"


def test_the_address_of_a_webhook_is_told_to_nobody(event: Tournament, owner: APIClient):
    set_ = owner.put(f"{EVENT}announcing/", {"webhook": HOOK, "allows_mail": True}, "json")
    kept = owner.put(f"{EVENT}announcing/", {"tells_standings": False}, "json")

    assert (set_.data["site"], set_.data["allows_mail"]) == ("discord.com", True)
    assert "secret-of-the-channel" not in str(owner.get(f"{EVENT}announcing/").data)
    assert (kept.data["site"], kept.data["allows_mail"]) == ("discord.com", True)
    assert Announcing.objects.get().webhook == HOOK
    assert owner.put(f"{EVENT}announcing/", {"webhook": ""}, "json").data["site"] == ""


def test_a_token_of_one_event_finds_no_practice_of_another(event: Tournament, owner: APIClient):
    made = owner.post(f"{EVENT}practice/", {}, "json").data["slug"]
    program = APIClient()
    user = make.owner_of(event).user
    bound = make_token(user, "manage", event)
    program.credentials(HTTP_AUTHORIZATION=f"Token {bound}")

    listed = program.get(f"{EVENT}practice/").data["results"]
    refused = program.post(f"{EVENT}practice/", {}, "json")
    program.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user)}")

    assert listed == []
    assert (refused.status_code, refused.data["code"]) == (403, "token_scope")
    assert [one["slug"] for one in program.get(f"{EVENT}practice/").data["results"]] == [made]
