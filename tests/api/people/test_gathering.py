from rest_framework.test import APIClient

from tests.api.tokens import make_token
from tests.factories import tournaments as make
from tournaments.models import Announcing, Tournament

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
