import pytest
from rest_framework.test import APIClient

from tests.api.tokens import make_token
from tests.factories import tournaments as make
from tournaments.models import Announcing, Tournament

pytestmark = pytest.mark.django_db
EVENT = "/api/v1/events/spring-run/"
HOOK = "https://discord.com/api/webhooks/1/secret-of-the-channel"


def test_the_address_of_a_webhook_is_told_to_nobody(event: Tournament, owner: APIClient):
    set_ = owner.put(f"{EVENT}announcing/", {"webhook": HOOK, "allows_mail": True}, "json")
    kept = owner.put(f"{EVENT}announcing/", {"tells_standings": False}, "json")

    assert (set_.data["site"], set_.data["allows_mail"]) == ("discord.com", True)
    assert "secret-of-the-channel" not in str(owner.get(f"{EVENT}announcing/").data)
    assert (kept.data["site"], kept.data["allows_mail"]) == ("discord.com", True)
    assert Announcing.objects.get().webhook == HOOK
    assert owner.put(f"{EVENT}announcing/", {"webhook": ""}, "json").data["site"] == ""


def test_a_webhook_elsewhere_is_refused(owner: APIClient):
    odd = owner.put(f"{EVENT}announcing/", {"webhook": "http://127.0.0.1/x"}, "json")
    none = owner.post(f"{EVENT}announcing/test/")

    assert (odd.status_code, set(odd.data["errors"])) == (400, {"webhook"})
    assert (none.status_code, none.data["code"]) == (409, "no_webhook")


def test_a_test_is_on_its_way(owner: APIClient):
    owner.put(f"{EVENT}announcing/", {"webhook": HOOK}, "json")

    answer = owner.post(f"{EVENT}announcing/test/")

    assert answer.status_code == 202
    assert [one["kind"] for one in answer.data["sendings"]] == ["notify"]


def test_the_meeting_is_seated_seen_and_cleared(event: Tournament, owner: APIClient):
    body = {"seats": 2, "with_registered": True}
    seated = owner.post(f"{EVENT}meeting/", body, "json").data
    seen = APIClient().get(f"{EVENT}meeting/").data

    assert seen == seated
    assert seated["is_on"]
    assert [(one["name"], one["table"]) for one in seated["seats"]] == [
        ("Ada", 1),
        ("Bo", 1),
        ("Cy", 2),
        ("Di", 2),
    ]
    assert owner.delete(f"{EVENT}meeting/").status_code == 204
    assert APIClient().get(f"{EVENT}meeting/").data == {"is_on": False, "seats": []}
    assert owner.post(f"{EVENT}meeting/", {"seats": 3}, "json").status_code == 400
    assert owner.post(f"{EVENT}meeting/", {"seats": 2}, "json").data["code"] == "no_meeting"


def test_a_practice_event_is_made_played_and_thrown_away(event: Tournament, owner: APIClient):
    make.add_players(event, 4)
    real = owner.post(f"{EVENT}practice/play/", {}, "json")
    made = owner.post(f"{EVENT}practice/", {}, "json")
    mine = f"/api/v1/events/{made.data['slug']}/"

    played = owner.post(f"{mine}practice/play/", {"what": "round"}, "json")
    listed = owner.get(f"{EVENT}practice/").data["results"]

    assert (real.status_code, real.data["code"]) == (409, "not_a_practice")
    assert (made.status_code, made.headers["Location"]) == (201, f"http://testserver{mine}")
    assert played.data == {"tables": None, "round": 1}
    assert [one["slug"] for one in listed] == [made.data["slug"]]
    assert APIClient().get(mine).status_code == 404
    assert owner.post(f"{mine}practice/play/", {}, "json").status_code == 409
    assert owner.delete(f"{mine}practice/").status_code == 204
    assert owner.delete(f"{EVENT}practice/").status_code == 409
    assert owner.get(mine).status_code == 404


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
