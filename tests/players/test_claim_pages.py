import pytest
from django.test import Client
from django.urls import reverse

from core.secret_links import digest
from players import services, sessions
from players.models import Player, Session, User

pytestmark = [pytest.mark.django_db, pytest.mark.check(23)]

CONFIRM = "/claim/"


@pytest.fixture
def player() -> Player:
    return services.create_player("Ada")


@pytest.fixture
def secret(player: Player) -> str:
    return services.issue_claim(player)


def open_link(client: Client, secret: str):
    return client.get(reverse("players:claim", args=[secret]))


def claimed(client: Client, player: Player) -> Client:
    open_link(client, services.issue_claim(player))
    client.post(CONFIRM)
    return client


def test_claim_page_names_the_player_without_the_secret(client, secret):
    redirected = open_link(client, secret)
    confirm_page = client.get(CONFIRM)

    assert (redirected.status_code, redirected["Location"]) == (302, CONFIRM)
    assert confirm_page.status_code == 200
    assert "You are <bdi>Ada</bdi>" in confirm_page.text
    assert secret not in confirm_page.text + str(confirm_page.headers)
    assert secret not in str([session.get_decoded() for session in Session.objects.all()])
    assert Session.objects.exists()
    for response in (redirected, confirm_page):
        assert response["Referrer-Policy"] == "no-referrer"
        assert "no-store" in response["Cache-Control"]


def test_opening_a_link_does_not_consume_the_link(client, secret, player):
    for _ in range(3):
        open_link(Client(), secret)
        preview = Client()
        open_link(preview, secret)
        preview.get(CONFIRM)
        preview.head(CONFIRM)

    player.refresh_from_db()
    assert player.claimed_at is None


def test_confirmation_claims_the_player_in_a_new_session(client, secret, player):
    open_link(client, secret)
    before = client.cookies["sessionid"].value

    response = client.post(CONFIRM)

    assert response["Location"] == reverse("tournaments:my_table")
    assert client.session[sessions.GUEST_KEY] == [player.pk, 1]
    assert "Ada" in client.get(reverse("players:me")).text
    player.refresh_from_db()
    assert player.claimed_at is not None
    assert client.cookies["sessionid"].value != before
    assert not Session.objects.filter(pk=before).exists()


def test_second_use_is_gone_with_advice(secret, client):
    open_link(client, secret)
    client.post(CONFIRM)
    stranger = Client()

    open_link(stranger, secret)
    confirm_page, posted = stranger.get(CONFIRM), stranger.post(CONFIRM)

    assert (confirm_page.status_code, posted.status_code) == (410, 410)
    assert "Ask the organiser for a new" in confirm_page.text
    assert confirm_page["Referrer-Policy"] == "no-referrer"
    assert sessions.GUEST_KEY not in stranger.session


@pytest.mark.parametrize("made_up", ["x", "a" * 24, "a" * 5000, "\u00e4\u2603", "%00", "..%2f"])
def test_made_up_link_is_gone(client, made_up):
    open_link(client, made_up)

    assert client.get(CONFIRM).status_code == 410


def test_confirmation_page_without_a_link_is_gone(client):
    response = client.get(CONFIRM)

    assert response.status_code == 410
    assert "block cookies" in response.text


def test_new_link_ends_the_session_of_the_old_one(client, player):
    claimed(client, player)

    services.issue_claim(player)

    assert "Who are you?" in client.get(reverse("players:me")).text


def test_reload_after_claiming_redirects_to_my_page(client, player):
    claimed(client, player)

    response = client.get(CONFIRM)

    assert response.status_code == 410
    assert reverse("players:me") in response.text
    assert "you are <bdi>Ada</bdi>" in response.text


def test_phone_changes_its_player_only_on_confirmation(client, player):
    claimed(client, player)
    second_player = services.create_player("Bo")

    open_link(client, services.issue_claim(second_player))
    assert "This phone is signed in as <bdi>Ada</bdi>" in client.get(CONFIRM).text
    client.post(CONFIRM)

    assert client.session[sessions.GUEST_KEY] == [second_player.pk, 1]


def test_account_without_a_player_claims_the_player(client, secret, player):
    user = User.objects.create_user("ada")
    client.force_login(user)
    open_link(client, secret)
    assert "Add this player to your account" in client.get(CONFIRM).text

    client.post(CONFIRM)

    player.refresh_from_db()
    assert player.user == user


def test_account_with_a_player_leaves_the_link_unused(client, secret, player):
    user = User.objects.create_user("bo")
    services.create_player("Bo", user=user)
    client.force_login(user)
    open_link(client, secret)

    assert "The link has not been used yet." in client.get(CONFIRM).text
    assert "already plays as Bo" in client.post(CONFIRM, follow=True).text
    assert services.use_claim(digest(secret)) == player


def test_hostile_name_is_shown_as_text(client):
    player = services.create_player("<script>alert(1)</script>")
    open_link(client, services.issue_claim(player))

    assert "<script>alert" not in client.get(CONFIRM).text


@pytest.mark.check(21)
def test_wrong_links_are_counted_and_valid_links_always_open(player, secret):
    def opened(link: str, address: str = "10.0.0.1") -> int:
        phone = Client(REMOTE_ADDR=address)
        answer = open_link(phone, link)
        return phone.get(CONFIRM).status_code if answer.status_code == 302 else answer.status_code

    assert [opened(f"made-up-{number}") for number in range(21)] == [410] * 20 + [429]
    assert Session.objects.count() == 20, "a refused guess creates no session"
    assert opened("made-up", "10.0.0.2") == 410
    # The phones at a venue share an address, so a valid link always opens.
    assert opened(secret) == 200
