import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tests.factories.sessions import logged_in
from tournaments.integrations.services import tokens
from tournaments.integrations.services.tokens import Wanted
from tournaments.models import ApiToken, StaffRole
from tournaments.settings.services import staff

FORM = {"name": "Bot", "scope": "read", "event": "", "lasts": "30"}


@pytest.fixture
def browser(client: Client) -> Client:
    """Logged in as mara, who owns Spring Run."""
    mara = make.make_user("mara")
    make.make_event(players=2, owner=mara)
    client.force_login(mara)
    return client


def secret_on(page: str) -> str:
    found = re.search(r"Token ([0-9a-f]{64})", page)
    assert found is not None
    return found[1]


def test_a_token_is_shown_once_and_works(browser: Client):
    made = browser.post("/me/tokens/", {**FORM, "event": "spring-run"})
    secret = secret_on(made.content.decode())

    assert made.status_code == 201
    assert "no-store" in made.headers["Cache-Control"]
    assert made.headers["Referrer-Policy"] == "no-referrer"
    # Or a browser sends "Origin: null" with the form, which is refused.
    assert '<meta name="referrer" content="same-origin">' in made.content.decode()
    assert "/api/v1/events/spring-run/" in made.content.decode()
    assert secret not in browser.get("/me/tokens/").content.decode()
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/spring-run/").status_code == 200


def test_the_list_says_where_how_long_and_when_last_used(browser: Client):
    secret = secret_on(
        browser.post("/me/tokens/", {**FORM, "event": "spring-run", "lasts": ""}).content.decode()
    )
    page = browser.get("/me/tokens/").content.decode()
    assert "read what you may read" in page
    assert page.count(">Never<") == 2

    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    api.get("/api/v1/events/")

    assert browser.get("/me/tokens/").content.decode().count(">Never<") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "\u202e"},
        {"scope": "all"},
        {"event": "elsewhere"},
        {"lasts": "2"},
        {"name": "x" * 81},
    ],
)
def test_what_is_wrong_makes_no_token(browser: Client, wrong: dict[str, str]):
    make.make_event(players=0, name="Elsewhere")

    assert browser.post("/me/tokens/", {**FORM, **wrong}).status_code == 422
    assert not ApiToken.objects.exists()


def test_only_its_owner_revokes_a_token(browser: Client, client: Client):
    browser.post("/me/tokens/", FORM)
    token = ApiToken.objects.get()
    stranger = logged_in(make.make_user())

    assert stranger.post(f"/me/tokens/{token.public_id}/revoke/").status_code == 404
    assert browser.get(f"/me/tokens/{token.public_id}/revoke/").status_code == 405
    stranger.post("/me/tokens/revoke/")
    assert ApiToken.objects.get().is_live

    browser.post(f"/me/tokens/{token.public_id}/revoke/")
    assert not ApiToken.objects.get().is_live


def test_all_are_revoked_at_once(browser: Client):
    secrets = [secret_on(browser.post("/me/tokens/", FORM).content.decode()) for _ in range(2)]

    browser.post("/me/tokens/revoke/")

    for secret in secrets:
        answer = APIClient().get("/api/v1/events/", HTTP_AUTHORIZATION=f"Token {secret}")
        assert answer.status_code == 401


def test_a_token_loses_what_its_account_loses(browser: Client):
    event = make.make_event(players=0, name="Other", visibility="private")
    judge = make.add_staff(event, StaffRole.JUDGE)
    secret = tokens.make(judge, Wanted("Bot", "manage", event))
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/other/").status_code == 200

    staff.take_role(event, make.owner_of(event), event.staff.get(user=judge))

    assert api.get("/api/v1/events/other/").status_code == 404
