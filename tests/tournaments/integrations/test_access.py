"""API tokens and join codes."""

import re
from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tests.factories.sessions import logged_in
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import ApiToken, StaffRole
from tournaments.models.codes import ALPHABET, CODE_LENGTH, new_join_code
from tournaments.settings import services as settings_services

FORM = {"name": "Bot", "scope": "read", "event": "", "lasts": "30"}


def test_token_expires_only_if_requested():
    user = make.make_user()
    secret = tokens.create_token(user, TokenRequest("Bot", "read"))
    assert len(secret) == 64
    assert ApiToken.objects.get().expiry is None
    tokens.create_token(user, TokenRequest("Bot", "read", lasts=timedelta(days=1)))
    assert tokens.live_tokens(user).count() == 2

    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        assert tokens.live_tokens(user).count() == 1
        assert tokens.ended_tokens(user).count() == 1


def test_account_has_at_most_twenty_tokens_and_revoking_frees_a_slot():
    user = make.make_user()
    for number in range(tokens.MAX_LIVE_TOKENS):
        tokens.create_token(user, TokenRequest(f"Bot {number}", "read"))

    with pytest.raises(tokens.TooManyTokens):
        tokens.create_token(user, TokenRequest("One more", "read"))
    tokens.revoke_token(tokens.live_tokens(user)[0])
    tokens.create_token(user, TokenRequest("One more", "read"))
    tokens.create_token(make.make_user(), TokenRequest("Somebody else's", "read"))


def test_oldest_ended_tokens_are_deleted(monkeypatch):
    monkeypatch.setattr(tokens, "MAX_ENDED_TOKENS", 3)
    user = make.make_user()
    for number in range(5):
        tokens.create_token(user, TokenRequest(f"Bot {number}", "read"))
        tokens.revoke_all_tokens(user)

    assert [token.name for token in tokens.ended_tokens(user)] == [
        "Bot 4",
        "Bot 3",
        "Bot 2",
    ]


def test_event_log_has_names_but_no_secrets_of_tokens():
    event = make.make_event(players=0)
    owner = make.owner_of(event).user
    assert owner is not None
    secret = tokens.create_token(owner, TokenRequest("Bot", "results", event))
    tokens.create_token(owner, TokenRequest("Another", "read"))
    tokens.revoke_all_tokens(owner)
    tokens.revoke_all_tokens(owner)

    entries = event.log.filter(action__startswith="token").order_by("pk")
    logged = [(entry.action, entry.subject, entry.user) for entry in entries]
    assert logged == [("token made", "Bot", owner), ("token revoked", "Bot", owner)]
    assert secret not in str(list(entries.values()))


@pytest.mark.check(21)
def test_join_codes_are_spread_evenly(figure):
    codes = [new_join_code() for _ in range(20_000)]

    # 32 letters at 6 places: 30 bits. This many draws collide in one of five runs.
    assert len(ALPHABET) ** CODE_LENGTH >= 2**30
    assert len(codes) - len(set(codes)) < 5
    expected = len(codes) / len(ALPHABET)
    for place in range(CODE_LENGTH):
        seen = Counter(code[place] for code in codes)
        assert seen.keys() == set(ALPHABET)
        # Six standard deviations of a fair draw.
        assert all(abs(count - expected) < 6 * expected**0.5 for count in seen.values())
    figure(f"{len(set(codes))} different codes in {len(codes)} draws")


@pytest.mark.check(21)
def test_join_code_stops_working_when_registration_closes():
    event = make.make_event(players=0, visibility="private")
    address = reverse("tournaments:join_code", args=[event.join_code])
    assert Client().get(address).status_code == 200

    settings_services.set_registration(event, make.owner_of(event), is_open=False)
    closed, unknown = (
        Client().get(address),
        Client().get(address.replace(event.join_code, "ZZZZZZ")),
    )

    assert closed.status_code == unknown.status_code == 404
    assert closed.text.replace(event.join_code, "ZZZZZZ") == unknown.text


@pytest.fixture
def browser(client: Client) -> Client:
    """Return the browser of mara, the owner of Spring Run."""
    mara = make.make_user("mara")
    make.make_event(players=2, owner=mara)
    client.force_login(mara)
    return client


def secret_on(page: str) -> str:
    match = re.search(r"Token ([0-9a-f]{64})", page)
    assert match is not None
    return match[1]


def test_token_is_shown_once_and_works(browser: Client):
    made = browser.post("/me/tokens/", {**FORM, "event": "spring-run"})
    secret = secret_on(made.content.decode())

    assert made.status_code == 201
    assert "no-store" in made.headers["Cache-Control"]
    assert made.headers["Referrer-Policy"] == "no-referrer"
    # Otherwise browsers send "Origin: null" with the form, which is refused.
    assert '<meta name="referrer" content="same-origin">' in made.content.decode()
    assert "/api/v1/events/spring-run/" in made.content.decode()
    assert secret not in browser.get("/me/tokens/").content.decode()
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/spring-run/").status_code == 200


def test_list_shows_permissions_expiry_and_last_use(browser: Client):
    secret = secret_on(
        browser.post("/me/tokens/", {**FORM, "event": "spring-run", "lasts": ""}).content.decode()
    )
    page = browser.get("/me/tokens/").content.decode()
    assert "read everything you can see" in page
    assert page.count(">Never<") == 2

    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    api.get("/api/v1/events/")

    assert browser.get("/me/tokens/").content.decode().count(">Never<") == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "\u202e"},
        {"scope": "all"},
        {"event": "elsewhere"},
        {"lasts": "2"},
        {"name": "x" * 81},
    ],
)
def test_invalid_input_creates_no_token(browser: Client, changes: dict[str, str]):
    make.make_event(players=0, name="Elsewhere")

    assert browser.post("/me/tokens/", {**FORM, **changes}).status_code == 422
    assert not ApiToken.objects.exists()


def test_only_the_owner_revokes_a_token(browser: Client):
    browser.post("/me/tokens/", FORM)
    token = ApiToken.objects.get()
    stranger = logged_in(make.make_user())

    assert stranger.post(f"/me/tokens/{token.public_id}/revoke/").status_code == 404
    assert browser.get(f"/me/tokens/{token.public_id}/revoke/").status_code == 405
    stranger.post("/me/tokens/revoke/")
    assert ApiToken.objects.get().is_live

    browser.post(f"/me/tokens/{token.public_id}/revoke/")
    assert not ApiToken.objects.get().is_live


def test_all_tokens_are_revoked_together(browser: Client):
    secrets = [secret_on(browser.post("/me/tokens/", FORM).content.decode()) for _ in range(2)]

    browser.post("/me/tokens/revoke/")

    for secret in secrets:
        answer = APIClient().get("/api/v1/events/", HTTP_AUTHORIZATION=f"Token {secret}")
        assert answer.status_code == 401


def test_token_loses_the_rights_of_its_account(browser: Client):
    event = make.make_event(players=0, name="Other", visibility="private")
    judge = make.add_staff(event, StaffRole.JUDGE)
    secret = tokens.create_token(judge, TokenRequest("Bot", "manage", event))
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/other/").status_code == 200

    settings_services.remove_role(event, make.owner_of(event), event.staff.get(user=judge))

    assert api.get("/api/v1/events/other/").status_code == 404
