"""The database and its backups contain no usable secrets."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from cryptography.fernet import Fernet
from django.utils import timezone

from core import encryption
from players import services
from players.adapter import KEY_MISSING
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, owner_of, player_number
from tests.factories.webhooks import add_webhook
from tests.players.factors import give_app
from tests.tournaments.privacy.dumping import dumped
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import Announcing
from tournaments.settings import services as settings_services

CHANNEL, SERVICE = "https://discord.com/api/webhooks/1/word", "https://push.example/1"
PHONE = "sEcReTs0fAph0neAAAAAAA"


@pytest.mark.goal("G19")
@pytest.mark.django_db
def test_database_stores_no_secret_in_plain_text():
    mara, event = make_user("mara"), make_event(players=1)
    guest = services.create_player("Ada")
    browser = logged_in(mara)
    waiting = browser.get("/account/2fa/totp/activate/").context["form"].secret
    claim = services.issue_claim(guest)
    browser.get(f"/claim/{claim}/")
    codes = RecoveryCodes.activate(mara)
    secrets = {
        "cookie of a session": browser.cookies["sessionid"].value,
        "app": give_app(mara),
        "app that is not confirmed": waiting,
        "seed of recovery codes": encryption.decrypt(codes.instance.data["seed"]),
        "recovery code": codes.get_unused_codes()[0],
        "token": tokens.create_token(mara, TokenRequest("Bot", "read")),
        "personal link": claim,
        "invitation": settings_services.invite_staff(
            event, owner_of(event), "judge", ends_at=timezone.now() + timedelta(days=1)
        ),
        "webhook": add_webhook(event).secret,
        "channel": Announcing.objects.create(tournament=event, webhook=CHANNEL).webhook,
        "phone": player_number(event, 1).phones.create(endpoint=SERVICE, auth=PHONE).auth,
    }
    assert Authenticator.objects.filter(user=mara).count() == len(("app", "codes"))

    text = "".join(rows for table, rows in dumped().items() if table != "sessions")

    assert "mara" in text
    assert [name for name, secret in secrets.items() if secret in text] == []


@pytest.mark.django_db
def test_login_explains_that_the_key_of_the_second_factor_is_missing(client):
    mara = make_user("mara")
    give_app(mara)
    other_key = Fernet(Fernet.generate_key())
    Authenticator.objects.update(data={"secret": other_key.encrypt(b"secret").decode()})
    client.post("/account/login/", {"login": "mara", "password": "a long password"})

    response = client.post("/account/2fa/authenticate/", {"code": "123456"})

    assert response.status_code == 200
    assert str(KEY_MISSING) in response.context["form"].errors["code"]
