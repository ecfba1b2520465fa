"""Malformed passkey answers are refused."""

import json
from base64 import urlsafe_b64encode
from itertools import product
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from players.models import User
from tests.factories.tournaments import make_user
from tests.players.factors import give_app

pytestmark = [pytest.mark.django_db, pytest.mark.check(15, 18)]

LOGIN = "/account/2fa/webauthn/login/"
PAGES = {
    "log in": LOGIN,
    "second factor": "/account/2fa/authenticate/",
    "again": "/account/2fa/webauthn/reauthenticate/",
    "add": "/account/2fa/webauthn/add/",
}


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


CLIENT_DATA = b64(b'{"type":"webauthn.get","challenge":"YWJj","origin":"https://testserver"}')
JUNK: tuple[Any, ...] = (
    *(None, 5, [], {}, "", "!!!", "\u00e9", b64(b""), b64(b"5"), b64(b"[]"), b64(b"{}")),
    *(b64(b"\x81" * 3000), b64(b"\xa3\x63fmt"), b64(bytes(36)), CLIENT_DATA),
)


def malformed_answer(client_data: Any, other_fields: Any) -> str:
    """Return a malformed answer with the right fields."""
    names = ("authenticatorData", "attestationObject", "signature", "userHandle")
    response = {"clientDataJSON": client_data, **dict.fromkeys(names, other_fields)}
    constant_fields = {
        "id": "YWJj",
        "rawId": "YWJj",
        "type": "public-key",
        "clientExtensionResults": {},
    }
    return json.dumps({**constant_fields, "response": response})


SHAPELESS = (
    *("5", "[]", '"a"', "{}", '{"id": 5}', "9" * 5000, "[" * 50_000, '{"a":' * 50_000, "NaN"),
)
EACH_ONCE = (
    *SHAPELESS,
    *(malformed_answer(*pair) for pair in zip(JUNK, reversed(JUNK), strict=True)),
    *(malformed_answer(CLIENT_DATA, junk) for junk in JUNK),
)
ALL = (*SHAPELESS, *(malformed_answer(*pair) for pair in product(JUNK, JUNK)))


def browser_at(page: str, user: User) -> Client:
    """Return a browser at this page, which expects a passkey."""
    browser = Client(raise_request_exception=False)
    if page == "second factor":
        give_app(user)
        browser.post("/account/login/", {"login": user.username, "password": "a long password"})
    elif page != "log in":
        browser.force_login(user)
    headers = {"accept": "application/json"} if page == "log in" else {}
    browser.get(PAGES[page], headers=headers)
    return browser


@pytest.mark.parametrize("answers", [EACH_ONCE, pytest.param(ALL, marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", PAGES)
def test_malformed_passkey_answer_is_refused(page: str, answers: tuple[str, ...]):
    user = make_user("mara")
    browser = browser_at(page, user)
    was_in = "_auth_user_id" in browser.session

    statuses = {browser.post(PAGES[page], {"credential": text}).status_code for text in answers}

    assert statuses <= {200, 302}
    assert ("_auth_user_id" in browser.session) == was_in
    assert not Authenticator.objects.filter(user=user, type="webauthn").exists()
