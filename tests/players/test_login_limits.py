from typing import Any

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from config.settings import base
from players.models import User

PASSWORD = "correct horse battery"
LOGIN = "/account/login/"
SIGNUP = "/account/signup/"


@pytest.fixture(autouse=True)
def limits_as_served(settings):
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def user(db) -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def log_in(client: Client, login: str = "ada", password: str = PASSWORD, **extra: Any):
    return client.post(LOGIN, {"login": login, "password": password}, **extra)


def test_the_sixth_wrong_password_is_not_even_looked_at(client, user):
    for _ in range(5):
        assert "not correct" in log_in(client, password="wrong").text

    assert "Too many failed login attempts" in log_in(client).text
    assert "_auth_user_id" not in client.session


def test_a_blocked_account_does_not_block_others(client, user):
    User.objects.create_user("bo", password=PASSWORD)
    for _ in range(6):
        log_in(client, password="wrong")

    assert log_in(client, "bo").status_code == 302


@pytest.mark.parametrize("header", ["HTTP_HOST", "HTTP_X_FORWARDED_FOR"])
def test_a_made_up_header_gives_no_more_tries(client, user, header):
    for number in range(5):
        log_in(client, password="wrong", **{header: f"10.0.0.{number}"})

    response = log_in(client, **{header: "10.0.0.9"})

    assert "Too many failed login attempts" in response.text


def test_a_hall_can_log_in_and_sign_up_from_one_address(db):
    for number in range(60):
        assert (
            Client()
            .post(SIGNUP, {"username": f"player{number}", "password1": PASSWORD})
            .status_code
            == 302
        )
        assert log_in(Client(), f"player{number}").status_code == 302


def test_the_second_factor_cannot_be_guessed(client, user):
    totp.TOTP.activate(user, totp.generate_totp_secret())
    log_in(client)

    answers = [client.post(reverse("mfa_authenticate"), {"code": "000000"}) for _ in range(6)]

    assert "Incorrect code" in answers[0].text
    assert "Too many failed login attempts" in answers[5].text
    assert "_auth_user_id" not in client.session
