import re
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import services, sessions
from players.models import Player, User
from tests.factories.sessions import claim
from tests.players.factors import code_of
from tests.queries import queries_asked

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
LOGIN = "/account/login/"
SIGNUP = "/account/signup/"


@pytest.fixture
def user() -> User:
    user = User.objects.create_user("ada", "ada@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email="ada@example.org", primary=True)
    return user


@pytest.fixture
def guest_phone(client: Client) -> Client:
    return claim(client, services.create_player("Ada L."))


def sign_up(client: Client, **changes: str):
    data = {"username": "ada", "display_name": "", "email": "", "password1": PASSWORD} | changes
    return client.post(SIGNUP, data)


def log_in(client: Client, login: str = "ada", password: str = PASSWORD, **extra: Any):
    return client.post(LOGIN, {"login": login, "password": password}, **extra)


@pytest.mark.parametrize(("display_name", "name"), [("Zo\u00eb", "Zo\u00eb"), ("", "ada")])
def test_signup_creates_account_and_player(client, display_name, name):
    response = sign_up(client, display_name=display_name)

    assert response["Location"] == reverse("players:me")
    player = Player.objects.get()
    assert (player.name, player.user.username) == (name, "ada")
    page = client.get("/me/")
    assert page.context["player"] == player
    assert "Account created. You are logged in." in page.text


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("display_name", {"display_name": "Bo\u202e"}),
        ("display_name", {"display_name": "a" * 101}),
        ("display_name", {"display_name": "gus@x.org"}),
        ("display_name", {"username": "a" * 120}),
        ("username", {"username": "not ok!"}),
        ("username", {"username": "ada@example.org"}),
        ("password1", {"password1": "short"}),
        ("password1", {"password1": "qwerty123456"}),
        ("email", {"email": "nonsense"}),
    ],
)
def test_invalid_signup_is_explained_and_creates_nothing(client, field, changes):
    response = sign_up(client, **changes)

    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert not User.objects.exists()
    assert not Player.objects.exists()


def test_signup_shows_the_rules_of_its_fields_first(client):
    page = client.get(SIGNUP).text

    assert "Use only letters, digits and . + - _, without spaces." in page
    assert "At least 12 characters." in page


def test_signup_reveals_no_known_address(client, user):
    EmailAddress.objects.create(user=User.objects.create_user("dee"), email="ada@example.org")

    known_address_response = sign_up(client, username="bo", email="Ada@example.org")
    unknown = sign_up(Client(), username="cy", email="cy@example.org")

    assert (known_address_response.status_code, known_address_response["Location"]) == (
        unknown.status_code,
        unknown["Location"],
    )
    to_ada, to_cy = mail.outbox
    assert "already had an account with this address: ada, dee." in str(to_ada.body)
    assert "already had an account with this address" not in str(to_cy.body)


def test_signup_without_email_matches_no_other_account(client):
    with queries_asked() as queries:
        sign_up(client)

    conditions = [sql.partition(" WHERE ")[2] for sql in queries]
    assert not [condition for condition in conditions if '"email" =' in condition]


def test_shared_email_gives_no_access(client, user):
    sign_up(client, username="bo", email="ada@example.org", password1="another long password")

    assert client.get("/account/email/").context["user"].username == "bo"
    assert log_in(Client(), "ada@example.org").wsgi_request.user == user


def test_account_gets_emails_in_its_language(client, user):
    user.language = "fr"
    user.save()

    client.post("/account/password/reset/", {"email": user.email})

    (email,) = mail.outbox
    assert email.subject.startswith("Datafort: ")
    assert str(email.body).startswith("Bonjour")
    assert "mot de passe" in str(email.body)


@pytest.mark.parametrize(
    ("browser", "beginning"), [("fr-FR,fr;q=0.9", "Bonjour"), ("ja", "Hello"), ("", "Hello")]
)
def test_account_without_a_language_gets_emails_in_that_of_the_browser(
    client, user, browser, beginning
):
    client.post(
        "/account/password/reset/", {"email": user.email}, headers={"accept-language": browser}
    )

    (email,) = mail.outbox
    assert str(email.body).startswith(beginning)


def test_signup_email_is_in_the_language_of_the_browser(db):
    sign_up(Client(headers={"accept-language": "de"}), email="ada@example.org")

    (email,) = mail.outbox
    assert email.subject == "Datafort: Neues Konto ada"
    assert str(email.body).startswith("Hallo,")


def test_signup_works_without_a_mail_server(client, settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    assert sign_up(client, email="ada@example.org").status_code == 302
    for address in ("ada@example.org", "bo@example.org"):
        answer = Client().post("/account/password/reset/", {"email": address})
        assert answer["Location"] == "/account/password/reset/done/"
    assert "did not accept the email account/email/password_reset_key" in caplog.text


def test_signup_sent_twice_creates_one_account(client, monkeypatch):
    sign_up(Client())
    # The second request checks before the first has written.
    monkeypatch.setattr(DefaultAccountAdapter, "clean_username", lambda _, username: username)

    answer = sign_up(client, email="ada@example.org")

    assert answer["Location"] == SIGNUP
    assert "This username is taken." in client.get(SIGNUP).text
    assert User.objects.count() == Player.objects.count() == 1
    assert not mail.outbox


def test_signup_cannot_create_a_staff_account(client):
    sign_up(client, is_staff="on", is_superuser="on", player="1", claimed_at="2026-01-01 00:00")

    user = User.objects.get()
    assert (user.is_staff, user.is_superuser) == (False, False)
    assert Player.objects.get().claimed_at is None


@pytest.mark.parametrize(
    ("display_name", "name"), [("", "Ada L."), ("Ada Lovelace", "Ada Lovelace")]
)
def test_guest_who_signs_up_keeps_the_player(guest_phone, display_name, name):
    assert "You play as <bdi>Ada L.</bdi>" in guest_phone.get(SIGNUP).text

    sign_up(guest_phone, display_name=display_name)

    player = Player.objects.get()
    assert (player.name, player.user.username) == (name, "ada")
    assert sessions.GUEST_KEY not in guest_phone.session


def test_guest_who_logs_in_to_an_account_without_a_player_keeps_the_player(guest_phone, user):
    response = log_in(guest_phone)

    assert response["Location"] == reverse("players:me")
    assert Player.objects.get().user == user
    assert "Ada L. now belongs to your account." in guest_phone.get("/me/").text


def test_guest_is_not_linked_to_an_account_with_a_player(guest_phone, user):
    services.create_player("Countess", user=user)

    log_in(guest_phone)
    page = guest_phone.get("/me/").text

    assert Player.objects.get(name="Ada L.").user is None
    assert "already plays as Countess. Ada L. remains a separate player" in page
    assert '<bdi class="player-name">Countess</bdi>' in page
    guest_phone.post("/account/logout/")
    assert '<bdi class="player-name">Ada L.</bdi>' in guest_phone.get("/me/").text


def test_opening_the_logout_page_does_not_log_out(client, user):
    log_in(client)

    assert "Log out?" in client.get("/account/logout/").text
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org"])
def test_login_by_username_or_email(client, user, login):
    assert log_in(client, login).status_code == 302
    assert client.session["_auth_user_id"] == str(user.pk)


def test_login_never_redirects_to_another_site(client, user):
    response = client.post(f"{LOGIN}?next=//evil.example/", {"login": "ada", "password": PASSWORD})

    assert response["Location"] == reverse("players:me")


def test_password_reset_by_email_resets_the_tries(client, user):
    for _ in range(6):
        log_in(Client(), password="wrong")
    client.post("/account/password/reset/", {"email": "ada@example.org"})
    [message] = mail.outbox
    link = re.search(r"http://testserver(/\S+)", str(message.body))
    assert link is not None
    new = "another long password"

    page = client.get(link[1], follow=True)
    client.post(page.request["PATH_INFO"], {"password1": new, "password2": new})

    assert message.subject.startswith("Datafort: ")
    assert log_in(Client(), password=new).status_code == 302


@pytest.mark.parametrize(
    ("address", "page"), [("ada@example.org", "password/reset/key/"), ("bo@example.org", "signup/")]
)
def test_email_links_ignore_the_host_header(client, user, settings, address, page):
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = ["*"], "https://play.example"

    form_data = {"email": address}
    client.post("/account/password/reset/", form_data, headers={"host": "evil.example"})

    [message] = mail.outbox
    assert f"https://play.example/account/{page}" in str(message.body)
    assert "evil.example" not in str(message.body)


def test_reset_reveals_no_account(client, user):
    known_account_response = client.post("/account/password/reset/", {"email": "ada@example.org"})
    unknown = client.post("/account/password/reset/", {"email": "bo@example.org"})

    assert (known_account_response.status_code, known_account_response["Location"]) == (
        unknown.status_code,
        unknown["Location"],
    )


def test_staff_read_players_and_accounts_in_the_admin(client):
    client.force_login(User.objects.create_superuser("root"))
    services.create_player("Zo\u00eb")

    assert "Zo\u00eb" in client.get("/admin/players/player/?q=ZO%C3%8B").text
    assert "root" in client.get("/admin/players/user/").text


def test_admin_refuses_invalid_names(client):
    client.force_login(User.objects.create_superuser("root"))

    for names in ({"name": "Bo\u202e"}, {"name": "Bo", "shown_name": "Bo\u202e"}):
        response = client.post("/admin/players/player/add/", {"pronouns": "", **names})
        assert "RIGHT-TO-LEFT OVERRIDE" in response.text

    assert not Player.objects.exists()


@pytest.mark.check(40)
def test_admin_stores_former_names_and_cannot_rename_erased_players(client):
    client.force_login(User.objects.create_superuser("root"))
    player = services.create_player("Zo\u00eb")
    address = f"/admin/players/player/{player.pk}/change/"

    client.post(address, {"name": "Bo", "pronouns": "", "user": ""})

    player.refresh_from_db()
    assert (player.name, player.former_names) == ("Bo", ["Zo\u00eb"])
    Player.objects.update(erased_at=timezone.now())
    assert client.post(address, {"name": "Zo\u00eb", "user": ""}).status_code == 403


def test_two_factor_setup_and_login(client, user):
    log_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/")

    code = code_of(page.context["form"].secret)
    client.post("/account/2fa/totp/activate/", {"code": code})
    assert 'alt="QR code for the authenticator app"' in page.text
    assert "Recovery" in client.get("/account/2fa/").text

    second_browser = Client()
    assert log_in(second_browser)["Location"] == reverse("mfa_authenticate")
    assert "Who are you?" in second_browser.get("/me/").text
    assert "Two-factor authentication" in second_browser.get(reverse("mfa_authenticate")).text


def test_code_that_activated_an_app_does_not_work_at_login(
    client, user, time_machine, django_capture_on_commit_callbacks
):
    cache.clear()
    time_machine.move_to(datetime(2026, 5, 2, 12, tzinfo=UTC), tick=False)
    log_in(client)
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    second_browser = Client()
    log_in(second_browser)

    repeated = second_browser.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    time_machine.shift(31)
    next_code = second_browser.post(reverse("mfa_authenticate"), {"code": code_of(secret)})

    assert (repeated.status_code, next_code.status_code) == (200, 302)


ENTRANCE = ["login/", "signup/", "password/reset/", "password/reset/done/", "inactive/"]
INSIDE = ["email/", "password/change/", "logout/", "2fa/", "reauthenticate/"]


@pytest.mark.parametrize("path", ENTRANCE + INSIDE)
def test_account_pages_use_the_site_layout(client, user, path):
    if path in INSIDE:
        log_in(client)

    response = client.get(f"/account/{path}")

    assert response.status_code == 200
    assert response.text.count("<h1") == 1
    assert 'class="site-header"' in response.text
    assert "style=" not in response.text
    assert "no-store" in response["Cache-Control"]
    assert not re.search(r"<script(?![^>]* (src|type=\"application/json\"))", response.text)
