import pytest
from django.test import Client
from django.urls import reverse

from players import services, sessions
from players.models import Player, Session, User
from tests.factories.sessions import claim

pytestmark = pytest.mark.django_db

ME = "/me/"


@pytest.fixture
def guest() -> Player:
    return services.create_player("Ada", "she/her")


@pytest.fixture
def phone(client: Client, guest: Player) -> Client:
    return claim(client, guest)


def test_stranger_can_log_in_or_join_but_not_save(client):
    response = client.get(ME)

    assert response.status_code == 200
    assert reverse("account_login") in response.text
    assert reverse("account_signup") in response.text
    assert f'action="{reverse("tournaments:join")}"' in response.text
    assert 'name="code"' in response.text
    client.post(ME, {"name": "Ada"})
    assert not Player.objects.exists()


def test_guest_sees_name_events_and_the_offer_of_an_account(phone):
    page = phone.get(ME).text

    assert "Ada" in page
    assert "(she/her)" in page
    assert reverse("tournaments:mine") in page
    assert "Create an account" in page
    assert reverse("account_logout") not in page


def test_guest_changes_name_and_pronouns(phone, guest):
    response = phone.post(ME, {"name": " Zoe\u0308 ", "pronouns": "they/them"}, follow=True)

    guest.refresh_from_db()
    assert (guest.name, guest.pronouns) == ("Zo\u00eb", "they/them")
    assert "Saved: Zo\u00eb." in response.text


def test_invalid_name_is_explained_and_not_saved(phone, guest):
    response = phone.post(ME, {"name": "Bo\u202e", "pronouns": ""})

    assert "RIGHT-TO-LEFT OVERRIDE" in response.text
    assert '<bdi class="player-name">Ada</bdi>' in response.text
    guest.refresh_from_db()
    assert guest.name == "Ada"


def test_number_of_former_names_is_limited(phone, guest):
    Player.objects.update(former_names=[f"Ada {number}" for number in range(30)])

    page = phone.post(ME, {"name": "Bo", "pronouns": ""}, follow=True)
    data = {"username": "ada", "display_name": "Bo", "password1": "correct horse battery"}
    sign_up = phone.post(reverse("account_signup"), data)

    assert "Ada has already had 30 other names" in page.text
    assert "Ada has already had 30 other names" in sign_up.text
    guest.refresh_from_db()
    assert (guest.name, guest.user) == ("Ada", None)


def test_only_name_and_pronouns_can_be_changed(phone, guest):
    user = User.objects.create_user("bo")
    guest.refresh_from_db()
    claimed_at = guest.claimed_at

    phone.post(
        ME,
        {
            "name": "Ada",
            "pronouns": "",
            "user": user.pk,
            "claimed_at": "2026-01-01 00:00",
            "claim_generation": 99,
            "claim_hash": "0" * 64,
            "is_staff": "on",
        },
    )

    guest.refresh_from_db()
    assert (guest.user, guest.claim_generation, guest.claim_hash) == (None, 0, None)
    assert guest.claimed_at == claimed_at


def test_phone_forgets_the_guest_on_request(phone):
    assert phone.get(reverse("players:forget")).status_code == 405
    assert sessions.GUEST_KEY in phone.session

    phone.post(reverse("players:forget"))

    assert sessions.GUEST_KEY not in phone.session
    assert "Who are you?" in phone.get(ME).text


def test_forgetting_creates_no_session_for_a_stranger(client):
    assert client.post(reverse("players:forget")).status_code == 302

    assert not Session.objects.exists()


def test_account_without_a_player_can_play_too(client):
    user = User.objects.create_user("ada")
    client.force_login(user)
    page = client.get(ME).text
    assert "can only run events" in page
    for name in ["account_email", "account_change_password", "mfa_index", "account_logout"]:
        assert reverse(name) in page

    client.post(ME, {"name": "Ada", "pronouns": ""})

    assert Player.objects.get().user == user


def test_my_page_is_never_stored(phone, client):
    assert "no-store" in phone.get(ME)["Cache-Control"]
    assert "no-store" in Client().get(ME)["Cache-Control"]


def test_my_page_of_a_new_guest_needs_few_queries(phone, django_assert_max_num_queries):
    # Session, player, invitations, day of erasure, events, ratings and decks.
    with django_assert_max_num_queries(9):
        phone.get(ME)
