import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from players.models import User
from tests.factories import tournaments as make
from tests.factories.sessions import logged_in
from tests.players.factors import give_app
from tests.tournaments.pages import url
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import StaffRole, Tournament, Visibility
from tournaments.settings import services
from tournaments.web import polling


@pytest.fixture
def mara() -> User:
    return make.make_user("mara")


@pytest.fixture
def event(mara: User) -> Tournament:
    made = make.make_event(players=2, owner=mara)
    give_app(mara)
    services.change_settings(made, Actor(user=mara), staff_need_second_factor=True)
    return make.fresh(made)


def test_desk_opens_once_staff_have_a_factor(event, mara):
    judge = make.add_staff(event, StaffRole.JUDGE)
    browser, desk = logged_in(judge), url("desk", event)

    held_up = browser.get(desk)

    assert held_up.status_code == 403
    assert "One more step before the desk opens" in held_up.text
    assert reverse("mfa_activate_totp") in held_up.text
    assert f'href="{desk}"' in held_up.text
    assert "no-store" in held_up["Cache-Control"]
    assert f'href="{desk}"' in browser.get(event.get_absolute_url()).text
    give_app(judge)
    assert browser.get(desk).status_code == 200
    assert logged_in(mara).get(desk).status_code == 200


def test_private_event_is_listed_for_staff_with_a_factor(event):
    services.change_settings(event, make.owner_of(event), visibility=Visibility.PRIVATE)
    judge = make.add_staff(event, StaffRole.JUDGE)

    assert not visibility.events_of_reader(Actor(user=judge)).exists()
    give_app(judge)
    assert visibility.events_of_reader(Actor(user=judge)).get() == event


def test_staff_without_a_factor_cannot_write(event):
    organiser = make.add_staff(event, StaffRole.ORGANISER)
    api = APIClient()
    api.force_login(organiser)

    page = logged_in(organiser).post(url("day_settings", event), {"late_entry": "nobody"})
    answer = api.patch(f"/api/v1/events/{event.slug}/settings/", {"name": "Mine"}, format="json")

    assert page.status_code == 403
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_needed")
    assert make.fresh(event).name == "Spring Run"


def test_private_event_shows_only_its_name(event):
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    judge = make.add_staff(event, StaffRole.JUDGE)

    browser = logged_in(judge)
    held_up = browser.get(event.get_absolute_url())
    stranger = logged_in(make.make_user()).get(event.get_absolute_url())

    assert (held_up.status_code, stranger.status_code) == (403, 404)
    assert "Ada" not in held_up.text
    assert not polling.can_follow(event.slug, browser.cookies.output(header="", sep=";"))


def test_players_and_strangers_are_not_affected(event):
    page = Client().get(event.get_absolute_url())
    stranger = logged_in(make.make_user()).get(url("desk", event))

    assert page.status_code == 200
    assert "One more step" not in stranger.text


@pytest.mark.check(24)
def test_token_must_be_made_with_a_factor(event, mara):
    helper = make.add_staff(event, StaffRole.ORGANISER)
    early = tokens.create_token(helper, TokenRequest("Early", "manage"))
    with pytest.raises(tokens.FactorMissing, match="Set it up first"):
        tokens.create_token(helper, TokenRequest("Bound", "manage", event))
    give_app(helper)
    late = tokens.create_token(helper, TokenRequest("Late", "manage", event))

    answers = {
        name: desk_by(secret, event) for name, secret in {"early": early, "late": late}.items()
    }

    assert answers == {"early": 403, "late": 200}


def desk_by(secret: str, event: Tournament) -> int:
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return api.get(f"/api/v1/events/{event.slug}/jobs/").status_code


def test_organiser_without_a_factor_cannot_require_one(mara):
    event = make.make_event(players=0, owner=mara)
    browser, day = logged_in(mara), url("day_settings", event)
    fields = {"late_entry": "losses", "overtime_minutes": "0", "staff_need_second_factor": "on"}
    api = APIClient()
    api.force_login(mara)

    page = browser.post(day, fields)
    answer = api.patch(
        f"/api/v1/events/{event.slug}/settings/", {"staff_need_second_factor": True}, format="json"
    )

    assert page.status_code == 409
    assert "you would lock yourself out" in page.text
    assert (answer.status_code, answer.json()["code"]) == (409, "own_factor_missing")
    assert not make.fresh(event).staff_need_second_factor
    give_app(mara)
    assert browser.post(day, fields).status_code == 302
    assert make.fresh(event).staff_need_second_factor


def test_owner_sees_staff_without_a_factor(event, mara):
    make.add_staff(event, StaffRole.JUDGE)

    page = logged_in(mara).get(url("staff", event)).text

    assert page.count("Not set up") == 1


def test_administrator_needs_a_factor(settings, mara):
    settings.ADMIN_NEEDS_SECOND_FACTOR = True
    event = make.make_event(players=0, owner=mara)
    root = User.objects.create_superuser("root", password="a long password")
    browser = logged_in(root)
    desk = url("desk", event)
    admin = reverse("admin:index")

    assert browser.get(desk).status_code == 403
    assert browser.get("/rulings/import/").status_code == 403
    led = browser.get(admin, follow=True)
    assert "Set up two-factor authentication to open the administration" in led.text
    give_app(root)
    assert browser.get(desk).status_code == 200
    assert browser.get("/rulings/import/").status_code == 200
    assert browser.get(admin).status_code == 200


def test_administrator_deletes_a_lost_factor_without_seeing_its_secret(mara):
    secret = give_app(mara)
    browser = logged_in(User.objects.create_superuser("root", password="a long password"))
    row = Authenticator.objects.get(user=mara)

    page = browser.get(f"/admin/mfa/authenticator/{row.pk}/change/")
    browser.post(f"/admin/mfa/authenticator/{row.pk}/delete/", {"post": "yes"})

    assert page.status_code == 200
    assert secret not in page.text
    assert not Authenticator.objects.exists()
