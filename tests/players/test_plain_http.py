"""Over plain http staff cannot log in, but players can."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players import services
from players.models import User
from tests.factories import tournaments as make
from tournaments.models import StaffRole, Tournament

pytestmark = pytest.mark.django_db

LOGIN = "/account/login/"
PASSWORD = "a long password"
# A tablet at the venue, without a proxy in between.
VENUE: dict[str, Any] = {"REMOTE_ADDR": "192.168.1.77"}


@pytest.fixture
def event() -> Tournament:
    return make.make_event(players=0, owner=make.make_user("mara"))


def log_in(name: str, *, secure: bool = False, **extra: Any):
    browser = Client(**extra)
    return browser.post(LOGIN, {"login": name, "password": PASSWORD}, secure=secure)


@pytest.mark.parametrize("role", [StaffRole.ORGANISER, StaffRole.JUDGE, StaffRole.STREAMER])
def test_staff_are_refused_with_advice(event, role):
    helper = make.add_staff(event, role)

    refusal = log_in(helper.username, **VENUE)

    assert refusal.status_code == 200
    assert "at http://127.0.0.1:80." in refusal.text
    assert "DATAFORT_PLAIN_LOGINS" in refusal.text
    User.objects.create_user("root", password=PASSWORD, is_staff=True)
    for name in ("mara", "root"):
        assert log_in(name, **VENUE).status_code == 200


def test_staff_can_log_in_locally_by_https_or_if_allowed(event, settings):
    assert log_in("mara").status_code == 302
    assert log_in("mara", REMOTE_ADDR="::1").status_code == 302
    assert log_in("mara", secure=True, **VENUE).status_code == 302
    settings.ALLOW_PLAIN_LOGINS = True
    assert log_in("mara", **VENUE).status_code == 302


def test_header_of_the_client_does_not_count_as_https(event):
    headers: dict[str, Any] = {
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_X_FORWARDED_FOR": "127.0.0.1",
    }

    assert log_in("mara", **VENUE, **headers).status_code == 200


def test_login_page_warns_before_typing(event):
    page, at_home = Client(**VENUE).get(LOGIN).text, Client().get(LOGIN).text

    assert "This connection is not secure" in page
    assert "This connection is not secure" in Client(**VENUE).get("/account/signup/").text
    assert "This connection is not secure" not in at_home


def test_players_can_log_in_over_plain_http(event):
    make.make_user("ada")
    assert log_in("ada", **VENUE).status_code == 302
    phone, second_phone = Client(**VENUE), Client(**VENUE)

    joined = phone.post(f"/join/{event.join_code}/", {"name": "Bo"})
    second_phone.get(
        reverse("players:claim", args=[services.issue_claim(services.create_player("Cy"))])
    )
    claimed = second_phone.post("/claim/")

    assert joined.status_code == 200
    assert event.registrations.get().player.name == "Bo"
    assert claimed.status_code == 302
    assert "Cy" in second_phone.get("/me/").text
