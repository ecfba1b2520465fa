from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from players.models import User
from tests.api.clients import client_of
from tests.factories.tournaments import add_staff, make_event, make_user
from tournaments.models import Series, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.goal("G7")]

EVENT = {"name": "Autumn Run", "starts_on": "2026-11-21"}
SERIES = {"name": "League"}
ADMIN = {"is_staff": True, "is_superuser": True}


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def approve(*users: User, action: str = "approve_organisers") -> None:
    from django.contrib import admin
    from django.contrib.messages.storage.base import BaseStorage
    from django.test import RequestFactory

    request: Any = RequestFactory().post("/")
    request._messages = BaseStorage(request)
    chosen = User.objects.filter(pk__in=[user.pk for user in users])
    getattr(admin.site.get_model_admin(User), action)(request, chosen)


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize(
    ("setting", "kind", "status"),
    [
        ("anybody", "account", 201),
        ("approved", "account", 403),
        ("approved", "approved", 201),
        ("approved", "staff", 201),
        ("staff", "account", 403),
        ("staff", "approved", 403),
        ("staff", "staff", 201),
    ],
)
def test_setting_restricts_the_creation_of_events(setting, kind, status, settings):
    settings.ORGANISERS = setting
    user = make_user(is_staff=kind == "staff")
    if kind == "approved":
        approve(user)

    event = client_of(fresh(user)).post("/api/v1/events/", EVENT, format="json")
    pages = [
        browser_of(fresh(user)).get(reverse(f"tournaments:{name}"))
        for name in ("create", "series_create")
    ]

    assert event.status_code == status
    assert [page.status_code for page in pages] == [200 if status == 201 else 403] * 2
    assert Tournament.objects.count() == int(status == 201)


def test_withdrawn_approval_ends_the_right(settings):
    settings.ORGANISERS = "approved"
    user = make_user()
    approve(user)
    approve(user, action="withdraw_organisers")

    assert client_of(fresh(user)).post("/api/v1/events/", EVENT, format="json").status_code == 403


@pytest.mark.parametrize("name", ["create", "import", "series_create"])
def test_every_page_that_creates_refuses_with_the_contact(name, settings):
    settings.ORGANISERS, settings.OPERATOR_CONTACT = "approved", "play@club.example"
    browser = browser_of(make_user())
    address = reverse(f"tournaments:{name}")

    for answer in (browser.get(address), browser.post(address, {**EVENT, "import": "1"})):
        assert answer.status_code == 403
        assert "only approved accounts can create events" in answer.text
        assert "mailto:play@club.example" in answer.text
    assert not Tournament.objects.exists()
    assert not Series.objects.exists()


def test_organiser_cannot_repeat_an_event_without_approval(settings):
    event = make_event(players=2)
    user = add_staff(event, "organiser")
    settings.ORGANISERS = "staff"
    again = reverse("tournaments:again", args=[event.slug])

    page = browser_of(user).post(again, EVENT)

    assert page.status_code == 403
    assert "On this site, only staff of the site can create events." in page.text
    assert Tournament.objects.count() == 1


def test_import_by_the_api_is_refused(settings):
    settings.ORGANISERS = "approved"

    answer = client_of(make_user()).post(
        reverse("api:imports"), b"{}", content_type="application/json"
    )

    assert answer.status_code == 403
    assert "approved accounts" in answer.json()["detail"]


def test_visitor_without_an_account_is_sent_to_the_login(settings):
    settings.ORGANISERS = "approved"

    assert Client().get(reverse("tournaments:create")).status_code == 302


def test_administration_filters_approved_accounts():
    approved, waiting = make_user("ada"), make_user("bo")
    by_group = make_user("cleo")
    group = Group.objects.create(name="Clubs")
    group.permissions.add(Permission.objects.get(codename="add_tournament"))
    by_group.groups.add(group)
    approve(approved)
    browser = browser_of(make_user("root", is_superuser=True, is_staff=True))

    def names(value: str) -> set[str]:
        page = browser.get(reverse("admin:players_user_changelist"), {"organises": value})
        return {user.username for user in page.context["cl"].result_list}

    assert names("yes") == {"ada", "cleo"}
    assert waiting.username in names("no")
    assert not names("no") & {"ada", "cleo"}
