"""The pages of password and mail addresses speak like the rest of the site."""

import re

import pytest
from allauth.account.models import EmailAddress

from players.models import User
from tests.factories.sessions import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("sam", password="correct horse battery")


def test_the_first_address_is_told_apart_and_another_made_the_first(user: User):
    browser = logged_in(user)
    for address, primary in (("sam@example.org", True), ("s@example.net", False)):
        EmailAddress.objects.create(user=user, email=address, primary=primary, verified=True)

    page = browser.get("/account/email/").text
    browser.post("/account/email/", {"action_primary": "", "email": "s@example.net"})

    assert page.count("First</span>") == 1
    assert re.search(r"sam@example.org</bdi>\s*<span[^>]*>First", page)
    assert EmailAddress.objects.get(primary=True).email == "s@example.net"


def test_who_has_no_address_reads_what_one_is_good_for(user: User):
    page = logged_in(user).get("/account/email/").text

    assert "whoever runs this site has to do it" in page
    assert "Add it</button>" in page


def test_changing_the_password_says_who_is_logged_out(user: User):
    page = logged_in(user).get("/account/password/change/").text

    assert "Every other browser you are logged in with is logged out." in page
