from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.webauthn.views import login_webauthn
from django.contrib.auth.hashers import MD5PasswordHasher, make_password
from django.core import mail
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from config.settings import base
from core import rate_limits
from core.rate_limits import take_place
from players import views
from players.models import Session, User
from tests.players.factors import give_app
from tests.players.test_accounts import LOGIN, PASSWORD, SIGNUP, log_in

pytestmark = pytest.mark.check(20)


@pytest.fixture(autouse=True)
def limits_as_served(settings, own_clock):
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS


@pytest.fixture
def user(db) -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def test_sixth_password_is_not_checked(client, user):
    for _ in range(5):
        assert "not correct" in log_in(client, password="wrong").text

    assert "Too many failed login attempts" in log_in(client).text
    assert "_auth_user_id" not in client.session


def test_guesses_do_not_lock_out_a_known_browser(client, user):
    log_in(client)
    client.post("/account/logout/")
    for _ in range(6):
        log_in(Client(), password="wrong")

    assert "Too many failed login attempts" in log_in(Client()).text
    assert log_in(client).status_code == 302


def test_known_browser_has_five_tries(client, user):
    log_in(client)
    client.post("/account/logout/")
    for _ in range(5):
        log_in(client, password="wrong")

    assert "Too many failed login attempts" in log_in(client).text


def known_browser(name: str, **extra: Any) -> Client:
    browser = Client()
    log_in(browser, name, **extra)
    browser.post("/account/logout/")
    return browser


def test_browser_known_for_another_account_locks_out_no_account(client, user):
    User.objects.filter(pk=user.pk).update(email="ada@example.org")
    User.objects.create_user("eve", "ada@example.org", PASSWORD[::-1])
    owner, guesser = known_browser("ada"), Client()
    log_in(guesser, "eve", PASSWORD[::-1])
    guesser.post("/account/logout/")
    for _ in range(6):
        log_in(guesser, "ada@example.org", "wrong")

    assert log_in(owner, "ada@example.org").status_code == 302
    # Guesses at another account are not extended by the own account.
    log_in(guesser, "eve", PASSWORD[::-1])
    guesser.post("/account/logout/")
    assert "not correct" in log_in(guesser, "ada@example.org").text


def test_known_browser_logs_in_to_its_account_of_two_that_share_an_email(db, client):
    for name in ("ada", "bo"):
        client.post(SIGNUP, {"username": name, "email": "us@example.org", "password1": PASSWORD})
        client.post("/account/logout/")
    log_in(client, "bo")

    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302


def test_known_browsers_do_not_lock_out_each_other(user):
    club, phone = known_browser("ada"), known_browser("ada")
    for _ in range(6):
        log_in(club, password="wrong")

    assert log_in(phone).status_code == 302


@pytest.mark.parametrize("change", ["another password", "another account", "made up"])
def test_browser_is_known_for_its_account_and_password_only(client, user, change):
    log_in(client)
    client.post("/account/logout/")
    name = "bo" if change == "another account" else "ada"
    if change == "made up":
        client.cookies["known_device"] = "1.abc"
    if change == "another account":
        User.objects.create_user("bo", password=PASSWORD)
    if change == "another password":
        user.set_password("a new long password")
        user.save()
    for _ in range(6):
        log_in(Client(), name, password="wrong")

    assert "Too many failed login attempts" in log_in(client, name).text


def test_blocked_account_does_not_block_other_accounts(client, user):
    User.objects.create_user("bo", password=PASSWORD)
    for _ in range(6):
        log_in(client, password="wrong")

    assert log_in(client, "bo").status_code == 302


@pytest.mark.parametrize("header", ["HTTP_HOST", "HTTP_X_FORWARDED_FOR"])
def test_forged_header_gives_no_more_tries(client, user, header):
    for number in range(5):
        log_in(client, password="wrong", **{header: f"10.0.0.{number}"})

    response = log_in(client, **{header: "10.0.0.9"})

    assert "Too many failed login attempts" in response.text


def test_login_works_again_after_the_window(client, user, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    for _ in range(6):
        log_in(client, password="wrong")

    time_machine.shift(timedelta(minutes=4, seconds=59))
    assert "Too many failed login attempts" in log_in(client).text
    time_machine.shift(timedelta(minutes=5, seconds=2))
    assert log_in(client).status_code == 302


def test_admin_uses_the_login_of_the_site(client, user):
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    fields = {"username": "ada", "password": PASSWORD, "next": "/admin/"}

    answer = client.post("/admin/login/", fields)

    # The admin checks no password: it redirects to the login with its limits.
    assert (answer.status_code, answer["Location"]) == (302, f"{LOGIN}?next=%2Fadmin%2F")
    assert "_auth_user_id" not in client.session


def test_devices_behind_a_trusted_proxy_are_counted_separately(user, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = {**base.ACCOUNT_RATE_LIMITS, "login": "2/5m/ip"}

    def tries(forwarded: str) -> list[int]:
        headers = {"HTTP_X_FORWARDED_FOR": forwarded}
        return [log_in(Client(), **headers).status_code for _ in range(3)]

    assert tries("10.0.0.1") == [302, 302, 429]
    assert "Wait a few minutes" in log_in(Client(), HTTP_X_FORWARDED_FOR="10.0.0.1").text
    assert tries("10.0.0.2") == [302, 302, 429]
    # Addresses that the device itself put before the proxy's do not count.
    assert tries("6.6.6.6, 10.0.0.1") == [429, 429, 429]


def test_login_works_with_fewer_proxies_than_trusted(client, user, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2

    log_in(client, HTTP_X_FORWARDED_FOR="10.0.0.1")

    assert "_auth_user_id" in client.session


@pytest.mark.goal("G18")
@pytest.mark.parametrize("page", [LOGIN, SIGNUP, "/account/password/reset/"])
def test_simultaneous_account_forms_of_an_address_are_limited(
    client, user, settings, page, monkeypatch
):
    monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
    settings.API_LIMITS = {**settings.API_LIMITS, "at_once": 1}

    with take_place("account", "127.0.0.1"):
        refusal_ = client.post(page)
        assert (refusal_.status_code, refusal_["Retry-After"]) == (429, "1")
        assert client.get(page).status_code == 200
        assert client.post(page, REMOTE_ADDR="10.0.0.9").status_code == 200
        assert known_browser("ada", REMOTE_ADDR="10.0.0.9").post(page).status_code == 200
    assert log_in(client).status_code == 302


@pytest.mark.slow
def test_crowd_logs_in_with_the_real_hasher_from_one_address(db, settings, figure):
    settings.PASSWORD_HASHERS = base.PASSWORD_HASHERS
    hashed = make_password(PASSWORD)
    names = [f"phone{number}" for number in range(500)]
    User.objects.bulk_create(User(username=name, password=hashed) for name in names)

    for name in names:
        assert log_in(Client(), name).status_code == 302

    figure(f"{len(names)} log-ins from one address with Argon2, 0 blocked")


@pytest.mark.check(21)
def test_unknown_account_takes_as_long_as_a_wrong_password(user, settings, monkeypatch):
    # Count the password hashes, which take the time.
    User.objects.update(email="ada@example.org")
    hashes: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: Any, password: str, salt: str, *args: Any) -> str:
        hashes.append(password)
        return encode(self, password, salt, *args)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    def try_login(name: str) -> tuple[int, list[str]]:
        hashes.clear()
        page = log_in(Client(), name, "wrong")
        return len(hashes), [str(error) for error in page.context["form"].non_field_errors()]

    assert try_login("ada") == try_login("nobody")
    assert try_login("ada@example.org") == try_login("nobody@example.org")
    assert len(hashes) == 1


def test_crowd_can_log_in_and_sign_up_from_one_address(db):
    for number in range(60):
        name = f"player{number}"
        signed_up = Client().post(SIGNUP, {"username": name, "password1": PASSWORD})
        assert (signed_up.status_code, log_in(Client(), name).status_code) == (302, 302)


@pytest.mark.parametrize("is_known", [True, False])
def test_signup_emails_to_an_address_are_limited(user, is_known, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    if is_known:
        User.objects.filter(pk=user.pk).update(email="zed@example.org")

    def sign_up(number: int) -> bool:
        data = {"username": f"bo{number}", "email": "Zed@example.org", "password1": PASSWORD}
        answer = Client().post(SIGNUP, data, follow=True)
        assert answer.redirect_chain == [(reverse("players:me"), 302)]
        return "address was not added" in answer.content.decode()

    assert [sign_up(number) for number in range(5)] == [False] * 3 + [True] * 2
    assert len(mail.outbox) == 3
    accounts = User.objects.filter(username__startswith="bo").order_by("username")
    assert [bool(account.email) for account in accounts] == [True] * 3 + [False] * 2
    time_machine.shift(timedelta(days=1, seconds=1))
    sign_up(6)
    assert len(mail.outbox) == 4


def test_second_factor_cannot_be_guessed(client, user):
    give_app(user)
    log_in(client)

    answers = [client.post(reverse("mfa_authenticate"), {"code": "000000"}) for _ in range(6)]

    assert "Incorrect code" in answers[0].text
    assert "Too many failed login attempts" in answers[5].text
    assert "_auth_user_id" not in client.session


def test_passkey_challenges_of_an_address_are_limited(client, user, settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 2}
    known_browser_ = known_browser("ada")

    def ask(browser: Client, **extra: Any) -> int:
        accepts = {"accept": "application/json"}
        return browser.get("/account/2fa/webauthn/login/", headers=accepts, **extra).status_code

    assert [ask(Client()) for _ in range(3)] == [200, 200, 429]
    assert not Session.objects.filter(user=None).exists()
    assert ask(Client(), REMOTE_ADDR="10.0.0.9") == 200
    assert ask(known_browser_) == 200


class TestPasskeyChallenge:
    """The challenge is stored in a cookie of the browser that requested it."""

    LOGIN = "/account/2fa/webauthn/login/"

    @pytest.fixture(autouse=True)
    def view_shows_state(self, monkeypatch):
        """Let a POST return the challenge of the session."""
        ask = login_webauthn

        def answer(request: HttpRequest) -> HttpResponseBase:
            state = request.session.get("mfa.webauthn.state")
            return JsonResponse({"state": state}) if request.method == "POST" else ask(request)

        monkeypatch.setattr(views, "login_webauthn", answer)

    def state(self, browser: Client) -> Any:
        return browser.post(self.LOGIN).json()["state"]

    def challenged(self, browser: Client) -> str:
        accepts = {"accept": "application/json"}
        options = browser.get(self.LOGIN, headers=accepts).json()["request_options"]
        return str(options["publicKey"]["challenge"])

    def test_answer_is_compared_with_the_challenge_of_the_same_browser(self, client, db):
        challenge = self.challenged(client)

        assert self.state(client)["challenge"] == challenge
        assert self.state(Client()) is None
        assert not Session.objects.exists()

    def test_challenge_is_answered_once(self, client, db):
        self.challenged(client)
        second_browser = Client()
        second_browser.cookies["passkey_challenge"] = client.cookies["passkey_challenge"].value

        assert self.state(client) is not None
        assert self.state(second_browser) is None

    def test_challenge_ends_after_five_minutes(self, client, db, time_machine):
        time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
        self.challenged(client)
        time_machine.shift(timedelta(minutes=5, seconds=1))

        assert self.state(client) is None

    def test_unsigned_cookie_holds_no_challenge(self, client, db):
        client.cookies["passkey_challenge"] = "eyJhIjoxfQ:1:abc"

        assert self.state(client) is None
