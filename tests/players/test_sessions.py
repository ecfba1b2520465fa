"""Sessions: new ids, ends, and reauthentication."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from cryptography.fernet import Fernet
from django.test import Client
from django.urls import reverse

from players.logins import device_name
from players.models import Session, User
from tests.factories import tournaments as make
from tests.players.factors import code_of, give_app
from tournaments.event.permissions import Actor
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import ApiToken, StaffRole, Tournament
from tournaments.settings import services as settings_services

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
LOGIN = "/account/login/"
SESSIONS = "/account/sessions/"


@pytest.fixture
def mara() -> User:
    return make.make_user("mara")


@pytest.fixture
def event(mara: User) -> Tournament:
    return make.make_event(players=0, owner=mara)


def logged_in(name: str = "mara", **extra: Any) -> Client:
    browser = Client(**extra)
    assert browser.post(LOGIN, {"login": name, "password": PASSWORD}).status_code == 302
    return browser


def thief_of(browser: Client) -> Client:
    """Return a browser with a copy of this browser's cookies."""
    thief = Client()
    thief.cookies["sessionid"] = browser.cookies["sessionid"].value
    return thief


def is_in(browser: Client) -> bool:
    return "You are logged in" in browser.get("/me/").text


def test_late_response_to_the_old_session_id_keeps_the_new_cookie():
    make.make_user("mara")
    browser = Client()
    browser.get("/claim/abc/")
    late = thief_of(browser)
    browser.post(LOGIN, {"login": "mara", "password": PASSWORD})
    assert "sessionid" not in late.get("/me/").cookies
    assert "sessionid" not in late.get("/offline/").cookies
    assert browser.get("/me/").context["user"].is_authenticated


def test_logout_deletes_the_cookie():
    make.make_user("mara")
    browser = logged_in()
    assert browser.post("/account/logout/").cookies["sessionid"].value == ""


@pytest.mark.check(22)
def test_login_changes_a_preset_session_id():
    make.make_user("mara")
    browser = Client()
    browser.get("/claim/abc/")
    thief = thief_of(browser)

    browser.post(LOGIN, {"login": "mara", "password": PASSWORD})

    assert is_in(browser)
    assert not is_in(thief)


@pytest.mark.check(22)
def test_new_role_renews_the_session_id_and_keeps_the_session_listed(event, mara, time_machine):
    helper = make.make_user("helper")
    secret = settings_services.invite_staff(
        event, Actor(user=mara), "judge", event.created_at + timedelta(days=1)
    )
    browser = logged_in("helper", headers={"user-agent": "Firefox on Android"})
    browser.get(reverse("tournaments:invitation_link", args=[secret]))
    thief = thief_of(browser)

    browser.post("/invitation/")

    assert event.staff.get(user=helper).role == StaffRole.JUDGE
    assert not is_in(thief)
    page = browser.get(SESSIONS).text
    assert "Firefox, Android" in page
    assert "This browser" in page


@pytest.mark.check(22)
def test_copied_cookies_end_with_logout_and_new_password(mara):
    first, second = logged_in(), logged_in()
    thieves = [thief_of(first), thief_of(second)]
    assert all(is_in(thief) for thief in thieves)

    first.post("/account/logout/")
    new = "another long password"
    second.post(
        "/account/password/change/",
        {"oldpassword": PASSWORD, "password1": new, "password2": new},
    )

    assert is_in(second)
    assert not any(is_in(thief) for thief in thieves)


@pytest.mark.check(22)
def test_single_button_ends_all_other_sessions(mara):
    current_browser, other_browser = logged_in(), logged_in()
    other_account = logged_in(make.make_user("bo").username)
    assert current_browser.get(SESSIONS).text.count('data-label="Browser"') == 2

    page = current_browser.post(SESSIONS, follow=True)

    assert "All your other sessions have ended." in page.text
    assert [is_in(browser) for browser in (current_browser, other_browser, other_account)] == [
        True,
        False,
        True,
    ]


@pytest.mark.check(22)
def test_current_session_is_listed_first(mara):
    for browser in (logged_in(), logged_in()):
        rows = browser.get(SESSIONS).text.partition("<tbody>")[2].split("</tr>")[:2]
        assert "This browser</span>" in rows[0]
        assert "This browser</span>" not in rows[1]


def test_setting_up_two_factor_authentication_ends_sessions_without_it(
    mara, django_capture_on_commit_callbacks
):
    current_browser, other_browser = logged_in(), logged_in()
    secret = current_browser.get("/account/2fa/totp/activate/").context["form"].secret

    with django_capture_on_commit_callbacks(execute=True):
        current_browser.post("/account/2fa/totp/activate/", {"code": code_of(secret)})

    assert is_in(current_browser)
    assert not is_in(other_browser)


def test_new_password_offers_to_end_tokens(mara):
    tokens.create_token(mara, TokenRequest("Bot", "read"))
    browser, new = logged_in(), "another long password"

    page = browser.post(
        "/account/password/change/",
        {"oldpassword": PASSWORD, "password1": new, "password2": new},
        follow=True,
    )

    assert "Your tokens still work after the password change" in page.text
    browser.post(reverse("tournaments:tokens_revoke"))
    assert not [token for token in ApiToken.objects.all() if token.is_live]


# Pages that require reauthentication (URL name, fields).
DANGEROUS = {
    "staff_add": {"username": "bo", "role": "judge"},
    "staff_remove": {},
    "staff_hand_over": {"sure": "yes"},
    "invite": {"role": "judge", "hours": "24"},
    "tokens": {"name": "Bot", "scope": "read", "event": "", "lasts": "30"},
}


@pytest.mark.check(25)
def test_stale_session_continues_after_reauthentication(event, mara, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z")
    make.make_user("bo")
    judge = event.staff.get(user=make.add_staff(event, StaffRole.JUDGE))
    addresses = {
        name: reverse(f"tournaments:{name}", args=args)
        for name, args in {
            "staff_add": [event.slug],
            "staff_hand_over": [event.slug, judge.pk],
            "staff_remove": [event.slug, judge.pk],
            "invite": [event.slug],
            "tokens": [],
        }.items()
    }
    browser = logged_in()

    time_machine.shift(timedelta(minutes=9))
    assert not asks(browser.post(addresses["staff_add"], DANGEROUS["staff_add"]))
    time_machine.shift(timedelta(minutes=2))

    assert {name for name in DANGEROUS if asks(browser.post(addresses[name], DANGEROUS[name]))} == (
        DANGEROUS.keys()
    )
    assert event.staff.get(user__username="mara").role == StaffRole.OWNER
    assert not ApiToken.objects.exists()
    held_up = browser.post(addresses["tokens"], DANGEROUS["tokens"])
    assert "Then you can continue where you were" in browser.get(held_up["Location"]).text
    created = browser.post(held_up["Location"], {"password": PASSWORD, "next": addresses["tokens"]})
    assert created.status_code == 201
    assert ApiToken.objects.get().name == "Bot"
    # No second reauthentication within ten minutes.
    assert not asks(browser.post(addresses["invite"], DANGEROUS["invite"]))


@pytest.mark.check(25)
def test_duration_of_a_login_is_a_setting(mara, settings):
    browser, address = logged_in(), reverse("tournaments:tokens")
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0

    assert asks(browser.post(address, DANGEROUS["tokens"]))


def asks(answer) -> bool:
    return answer.status_code == 302 and "/reauthenticate/" in answer["Location"]


@pytest.mark.check(25)
@pytest.mark.parametrize("action", ["action_add", "action_primary", "action_remove"])
def test_stale_session_cannot_change_email_addresses(mara, time_machine, action):
    # Any of its email addresses can reset the password.
    time_machine.move_to("2026-05-02T10:00:00Z")
    for number in (1, 2):
        EmailAddress.objects.create(
            user=mara, email=f"mara{number}@example.org", primary=number == 1, verified=True
        )
    before = list(EmailAddress.objects.order_by("pk").values())
    browser = logged_in()
    time_machine.shift(timedelta(minutes=11))
    email = "thief@evil.example" if action == "action_add" else "mara2@example.org"

    held_up = browser.post("/account/email/", {"email": email, action: ""})

    assert asks(held_up)
    assert list(EmailAddress.objects.order_by("pk").values()) == before
    browser.post(held_up["Location"], {"password": PASSWORD, "next": "/account/email/"})
    assert list(EmailAddress.objects.order_by("pk").values()) != before


@pytest.mark.check(25)
def test_wrong_password_does_nothing_and_is_limited(event, mara, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z")
    browser = logged_in()
    time_machine.shift(timedelta(minutes=11))
    address = reverse("tournaments:tokens")
    reauthentication_url = browser.post(address, DANGEROUS["tokens"])["Location"]

    tries = [
        browser.post(reauthentication_url, {"password": "wrong", "next": address})
        for _ in range(11)
    ]

    assert tries[-1].status_code == 429
    assert not ApiToken.objects.exists()


@pytest.mark.check(25)
def test_api_requires_a_fresh_session_but_not_for_tokens(event, mara, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z")
    browser = logged_in()
    secret = tokens.create_token(mara, TokenRequest("Bot", "manage"))
    time_machine.shift(timedelta(minutes=11))
    address = f"/api/v1/events/{event.slug}/"

    by_session = browser.delete(address)
    by_token = Client().delete(address, headers={"Authorization": f"Token {secret}"})

    assert (by_session.status_code, by_session.json()["code"]) == (403, "reauthentication_needed")
    assert by_token.status_code == 204


@pytest.mark.check(25)
def test_switching_off_two_factor_authentication_requires_reauthentication(mara, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z")
    secret = give_app(mara)
    browser = Client()
    browser.post(LOGIN, {"login": "mara", "password": PASSWORD})
    browser.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(browser)
    time_machine.shift(timedelta(minutes=11))

    assert asks(browser.post("/account/2fa/totp/deactivate/"))
    time_machine.shift(timedelta(minutes=-9))
    assert not asks(browser.post("/account/2fa/totp/deactivate/"))
    assert not mara.authenticator_set.exists()


@pytest.mark.check(22)
@pytest.mark.goal("G19")
def test_session_key_is_stored_in_the_cookie_only(mara):
    browser = logged_in()
    key = browser.cookies["sessionid"].value
    row = Session.objects.get(session_key=key)
    assert row.user == mara
    assert key not in f"{Session.objects.values().get()}"

    thief = Client()
    for stolen in (row.session_key, str(row.session_key)[:32]):
        thief.cookies["sessionid"] = str(stolen)
        assert not is_in(thief)
    assert is_in(browser)


@pytest.mark.goal("G19")
def test_session_data_is_encrypted(mara, settings):
    logged_in()
    assert Session.objects.get().get_decoded()["_auth_user_id"] == str(mara.pk)

    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    assert Session.objects.get().get_decoded() == {}


WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (
            "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
            "Firefox, Android",
        ),
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/140.0 Safari/537.36", "Chrome, Linux"),
        (
            f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        ("curl/8.5", "curl/8.5"),
        ("x" * 90, "x" * 60),
        ("", "Unknown"),
    ],
)
def test_browsers_have_readable_names(user_agent, name):
    assert device_name(user_agent) == name
