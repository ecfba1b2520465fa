"""Account pages use the words of the site and link back."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal import auth as recovery
from django.test import Client
from django.utils.html import escape

from players.models import User
from tests.factories.sessions import logged_in
from tests.players.factors import give_app

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("sam", password="correct horse battery")


@pytest.fixture
def browser(user: User) -> Client:
    return logged_in(user)


def test_primary_email_is_named_and_can_be_changed(user: User, browser: Client):
    for address, primary in (("sam@example.org", True), ("s@example.net", False)):
        EmailAddress.objects.create(user=user, email=address, primary=primary, verified=True)

    page = browser.get("/account/email/").text
    browser.post("/account/email/", {"action_primary": "", "email": "s@example.net"})

    before, _, after = page.partition("First</span>")
    assert "First</span>" not in after
    assert before.rpartition("<bdi>")[2].startswith("sam@example.org</bdi>")
    assert EmailAddress.objects.get(primary=True).email == "s@example.net"


def test_public_pages_show_no_login_notice(client: Client):
    page = client.get("/account/login/", {"next": "/join/ABC123/"}).text

    assert "Log in to continue." in page
    assert "needs an account" not in page


def test_authenticator_app_can_be_opened_or_given_the_whole_secret(browser):
    page = browser.get("/account/2fa/totp/activate/")

    secret = page.context["form"].secret
    assert f'href="{escape(page.context["totp_url"])}"' in page.text
    assert f'id="authenticator_secret">{secret}</p>' in page.text
    assert 'href="/account/2fa/">Back' in page.text


def test_recovery_codes_page_explains_remaining_and_new_codes(user, browser):
    give_app(user)
    codes = recovery.RecoveryCodes.activate(user).get_unused_codes()

    page = browser.get("/account/2fa/recovery-codes/").text
    new_codes_page = browser.get("/account/2fa/recovery-codes/generate/").text

    assert f"{len(codes)} of {len(codes)} left" in page
    assert "<br>".join(codes) in page
    assert f"Your {len(codes)} remaining codes will stop working" in new_codes_page
    assert 'class="button button--danger"' in new_codes_page


def test_reauthentication_uses_the_words_of_other_pages(user, browser):
    give_app(user)

    assert "Use a code from my app" in browser.get("/account/reauthenticate/").text
    assert "Use my password" in browser.get("/account/2fa/reauthenticate/").text


@pytest.mark.parametrize("path", ["/me/tokens/", "/me/data/", "/me/erase/", "/account/2fa/"])
def test_account_pages_link_to_my_page(browser, path):
    page = browser.get(path).text

    assert 'aria-current="true">My page' in page
    assert 'href="/events/" aria-current' not in page
