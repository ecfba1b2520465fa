"""Writes: idempotency keys, versions, scopes and CSRF tokens."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from players.sessions import GUEST_KEY
from tests.api.clients import make_token, with_token
from tests.factories import tournaments as make
from tests.factories.sessions import claim
from tournaments.models import IdempotencyRecord, StaffRole, Tournament

EVENT = "/api/v1/events/spring-run/"
SETTINGS = f"{EVENT}settings/"
ROSTER = f"{EVENT}registrations/"
ZED = {"players": [{"name": "Zed"}]}
KEY: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "0b5c1d2e-first"}


@pytest.fixture
def spring_run(db: None) -> Tournament:
    return make.make_event(players=3)


@pytest.fixture
def owner(spring_run: Tournament) -> APIClient:
    return with_token(make_token(make.owner_of(spring_run).user))


def roster(event: Tournament) -> int:
    return event.registrations.count()


class TestKeys:
    def test_repeated_write_runs_once_with_the_same_response(self, spring_run, owner):
        first, repeated = (owner.post(ROSTER, ZED, "json", **KEY) for _ in range(2))

        assert (first.status_code, first.json()) == (repeated.status_code, repeated.json())
        assert first.status_code == 201
        assert "Idempotency-Replayed" not in first.headers
        assert repeated.headers["Idempotency-Replayed"] == "true"
        assert roster(spring_run) == 4

    def test_key_of_another_request_is_refused(self, spring_run, owner):
        owner.post(ROSTER, ZED, "json", **KEY)

        answers = [
            owner.post(ROSTER, {"players": [{"name": "Yan"}]}, "json", **KEY),
            owner.post(f"{ROSTER}check-in/", ZED, "json", **KEY),
        ]

        for answer in answers:
            assert (answer.status_code, answer.json()["code"]) == (422, "key_used_otherwise")
            assert "new key" in answer.json()["detail"]
            assert "page" not in answer.json()["detail"]
        assert roster(spring_run) == 4

    def test_order_of_json_keys_does_not_matter(self, spring_run, owner):
        bodies = (
            '{"players": [{"name": "Zed", "pronouns": "they"}]}',
            '{"players": [{"pronouns": "they",  "name": "Zed"}]}',
        )
        for body in bodies:
            answer = owner.post(ROSTER, body, content_type="application/json", **KEY)
            assert answer.status_code == 201
        assert roster(spring_run) == 4

    def test_key_of_a_refused_write_can_be_used_again(self, spring_run, owner):
        invalid = owner.post(ROSTER, {"players": []}, "json", **KEY)

        assert invalid.status_code == 400
        assert owner.post(ROSTER, ZED, "json", **KEY).status_code == 201

    def test_lost_role_hides_the_stored_response(self, spring_run):
        user = make.add_staff(spring_run, StaffRole.ORGANISER)
        helper = with_token(make_token(user))
        assert helper.post(ROSTER, ZED, "json", **KEY).status_code == 201

        spring_run.staff.filter(user=user).delete()

        assert helper.post(ROSTER, ZED, "json", **KEY).status_code == 403

    def test_key_that_is_too_long_is_refused(self, owner):
        answer = owner.post(ROSTER, ZED, "json", HTTP_IDEMPOTENCY_KEY="x" * 65)

        assert (answer.status_code, answer.json()["code"]) == (400, "key_not_usable")

    def test_secret_is_shown_once_and_not_stored(self, spring_run, owner):
        first, repeated = (owner.post(f"{ROSTER}1/claim-link/", **KEY) for _ in range(2))

        link = first.json()["claim_link"]
        assert repeated.json() == {"claim_link": None}
        assert repeated.headers["Idempotency-Replayed"] == "true"
        assert link not in str(list(IdempotencyRecord.objects.values()))

    def test_short_keys_of_strangers_are_not_stored(self, spring_run):
        body = {"code": spring_run.join_code, "name": "Zed"}
        long: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "0b5c1d2e-4f7a-4b7e-a2ff"}
        first_phone, second_phone = APIClient(), APIClient()
        joined = first_phone.post("/api/v1/join/", body, "json", **long)
        repeated = second_phone.post("/api/v1/join/", body, "json", **long)

        assert (joined.status_code, repeated.status_code) == (201, 201)
        assert repeated.json() == {**joined.json(), "claim_link": None}
        assert not second_phone.cookies
        assert roster(spring_run) == 4
        short = APIClient().post("/api/v1/join/", {**body, "name": "Yan"}, "json", **KEY)
        assert "Idempotency-Replayed" not in short.headers


class TestVersions:
    def test_current_etag_lets_a_write_through(self, spring_run, owner):
        etag = owner.get(EVENT).headers["ETag"]

        answer = owner.patch(SETTINGS, {"name": "Summer Run"}, "json", HTTP_IF_MATCH=etag)

        assert answer.status_code == 200
        assert answer.json()["name"] == "Summer Run"

    def test_second_write_with_the_same_etag_is_refused(self, spring_run, owner):
        etag = owner.get(EVENT).headers["ETag"]
        names = ("Summer Run", "Winter Run")

        answers = [owner.patch(SETTINGS, {"name": n}, "json", HTTP_IF_MATCH=etag) for n in names]

        assert [answer.status_code for answer in answers] == [200, 412]
        assert answers[1].json()["code"] == "precondition_failed"
        assert make.fresh(spring_run).name == "Summer Run"

    def test_weak_listed_and_wildcard_etags_match(self, spring_run, owner):
        etag = owner.get(EVENT).headers["ETag"]

        for sent_etag in (f"W/{etag}", f'"other", {etag}', "*"):
            etag = owner.get(EVENT).headers["ETag"]
            sent_etag = sent_etag if sent_etag == "*" else sent_etag.split('"')[0] + etag
            answer = owner.patch(SETTINGS, {"name": sent_etag[:5]}, "json", HTTP_IF_MATCH=sent_etag)
            assert answer.status_code == 200, sent_etag

    @pytest.mark.parametrize("sent_etag", ['"old"', "old", '"', 'W/"old"'])
    def test_outdated_or_malformed_etag_is_refused(self, spring_run, owner, sent_etag):
        answer = owner.post(ROSTER, ZED, "json", HTTP_IF_MATCH=sent_etag)

        assert answer.status_code == 412
        assert roster(spring_run) == 3

    def test_action_accepts_the_etag_of_its_object(self, spring_run, owner):
        make.start_round(spring_run)
        etag = owner.get(f"{EVENT}rounds/1/").headers["ETag"]
        make.add_players(spring_run, 1)

        stale = owner.post(f"{EVENT}rounds/1/close/", {}, "json", HTTP_IF_MATCH=etag)
        etag = owner.get(f"{EVENT}rounds/1/").headers["ETag"]
        current = owner.post(f"{EVENT}rounds/1/close/", {}, "json", HTTP_IF_MATCH=etag)

        # The version is checked before the open table is refused.
        assert (stale.status_code, current.status_code) == (412, 409)

    def test_action_accepts_the_etag_of_a_private_object(self, spring_run, owner):
        etag = owner.get(f"{ROSTER}3/").headers["ETag"]

        header = {"HTTP_IF_MATCH": etag}
        answers = [owner.post(f"{ROSTER}3/drop/", {}, "json", **header) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [200, 412]

    def test_etag_of_a_staff_list_depends_on_its_content(self, spring_run, owner):
        etag = owner.get(ROSTER).headers["ETag"]

        answers = [owner.post(ROSTER, ZED, "json", HTTP_IF_MATCH=etag) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [201, 412]


class TestTokens:
    @pytest.mark.parametrize("scope", ["read", "results"])
    def test_narrow_token_is_refused_with_the_scope(self, spring_run, scope):
        client = with_token(make_token(make.owner_of(spring_run).user, scope))

        refused = client.post(ROSTER, ZED, "json")

        assert (refused.status_code, refused.json()["code"]) == (403, "token_scope")
        assert (
            refused.json()["detail"]
            == f'This token has the scope "{scope}". This request requires "manage".'
        )

    def test_bound_token_reaches_no_other_event(self, spring_run):
        owner = make.owner_of(spring_run).user
        other_event = make.make_event(players=0, name="Other", owner=owner)
        client = with_token(make_token(owner, "manage", other_event))

        assert client.get(EVENT).status_code == 404
        assert client.post(ROSTER, ZED, "json").status_code == 404
        created = client.post("/api/v1/events/", {"name": "Third"}, "json")
        assert (created.status_code, created.json()["code"]) == (403, "token_scope")

    @pytest.mark.parametrize(
        "header_sent",
        ["Token", "Token a b", "Token caf\u00e9", f"Token {'f' * 64}", "Bearer nothing"],
    )
    def test_invalid_token_is_a_401(self, spring_run, header_sent):
        answer = APIClient().get(EVENT, HTTP_AUTHORIZATION=header_sent)

        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == header_sent.split()[0]
        assert set(answer.json()) == {"code", "detail", "errors"}

    def test_token_of_an_inactive_account_is_a_401(self, spring_run, owner):
        user = make.owner_of(spring_run).user
        user.is_active = False
        user.save()

        assert owner.get(EVENT).status_code == 401

    def test_token_outside_the_header_is_ignored(self, spring_run):
        token = make_token(make.owner_of(spring_run).user)

        assert APIClient().get(f"{EVENT}?token={token}").status_code == 400
        phone = APIClient()
        phone.cookies["token"] = token
        assert phone.post(ROSTER, ZED, "json").status_code == 401


class TestBrowsers:
    def csrf(self, client: APIClient) -> dict[str, Any]:
        client.get("/account/login/" if GUEST_KEY in client.session else "/me/")
        return {"HTTP_X_CSRFTOKEN": client.cookies["csrftoken"].value}

    def is_refused_then_accepted(self, client: APIClient, send: Any) -> None:
        refusal = send()
        assert (refusal.status_code, refusal.json()["code"]) == (403, "permission_denied")
        assert "CSRF" in refusal.json()["detail"]
        assert send(**self.csrf(client)).status_code == 200

    def test_session_of_an_account_requires_a_csrf_token(self, spring_run):
        client = APIClient(enforce_csrf_checks=True)
        client.force_login(make.owner_of(spring_run).user)  # type: ignore[arg-type]

        self.is_refused_then_accepted(
            client, lambda **extra: client.patch(SETTINGS, {"name": "Other"}, "json", **extra)
        )

    def test_session_of_a_guest_requires_a_csrf_token(self, spring_run):
        guest = make.player_number(spring_run, 1).player
        client = claim(APIClient(enforce_csrf_checks=True), guest)

        self.is_refused_then_accepted(
            client, lambda **extra: client.post(f"{EVENT}me/drop/", {}, "json", **extra)
        )

    def test_token_requires_no_csrf_token(self, spring_run):
        client = APIClient(enforce_csrf_checks=True)
        client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(make.owner_of(spring_run).user)}")

        assert client.post(ROSTER, ZED, "json").status_code == 201
