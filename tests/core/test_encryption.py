"""Encrypted secrets and changes of their keys."""

from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from cryptography.fernet import Fernet, InvalidToken
from django.contrib.auth.models import AbstractBaseUser
from django.core.management import CommandError, call_command

from core import checks, encryption
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, player_number, start_round
from tests.factories.webhooks import add_webhook
from tests.players.factors import code_of, give_app
from tournaments.models import Announcing, JobKind, PushSubscription, Webhook

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key_file(settings, tmp_path: Path) -> Path:
    """The key file of a site without keys in its settings."""
    settings.ENCRYPTION_KEYS, settings.VAR_DIR = [], tmp_path
    return tmp_path / "encryption_key"


def totp_of(user: AbstractBaseUser) -> TOTP:
    return TOTP(Authenticator.objects.get(user_id=user.pk, type="totp"))


def test_key_file_is_created_once_and_private(key_file: Path):
    encrypted = encryption.encrypt("a secret")

    assert encryption.decrypt(encrypted) == "a secret"
    assert key_file.stat().st_mode & 0o777 == 0o600


def test_new_key_encrypts_and_old_key_still_decrypts(key_file: Path):
    mara, event = make_user("mara"), make_event(players=1)
    secret, signs = give_app(mara), add_webhook(event).secret
    Announcing.objects.create(tournament=event, webhook="https://discord.com/1")
    player_number(event, 1).phones.create(endpoint="https://push.example/1", auth="of a phone")
    codes = RecoveryCodes.activate(mara).get_unused_codes()
    old_secret = encryption.encrypt("of an older backup")

    call_command("rotate_secrets")

    newest, _ = key_file.read_text().split()
    assert encryption.decrypt(old_secret) == "of an older backup"
    assert key_file.stat().st_mode & 0o777 == 0o600
    key_file.write_text(newest)
    assert totp_of(mara).validate_code(code_of(secret))
    recovery = RecoveryCodes(Authenticator.objects.get(user=mara, type="recovery_codes"))
    assert recovery.get_unused_codes() == codes
    assert Webhook.objects.get().secret == signs
    assert Announcing.objects.get().webhook == "https://discord.com/1"
    assert PushSubscription.objects.get().auth == "of a phone"
    with pytest.raises(InvalidToken):
        encryption.decrypt(old_secret)


def test_interrupted_key_change_is_reported_and_left_in_place(key_file: Path):
    encrypted = encryption.encrypt("a secret")
    new_key_file = key_file.with_name(".encryption_key.new")
    new_key_file.write_text("half a k")

    with pytest.raises(CommandError, match=r"\.encryption_key\.new exists.*delete the file"):
        call_command("rotate_secrets")

    assert encryption.decrypt(encrypted) == "a secret"
    new_key_file.unlink()
    call_command("rotate_secrets")
    assert len(key_file.read_text().split()) == 2


def test_key_from_settings_creates_no_file(settings, key_file: Path):
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.ENCRYPTION_KEYS = [old]
    mara = make_user("mara")
    secret = give_app(mara)

    settings.ENCRYPTION_KEYS = [new, old]
    call_command("rotate_secrets")

    settings.ENCRYPTION_KEYS = [new]
    assert totp_of(mara).validate_code(code_of(secret))
    assert not key_file.exists()


def test_event_works_without_the_key_and_recovers_its_secrets(key_file: Path):
    event = make_event(players=2)
    add_webhook(event)
    Announcing.objects.create(tournament=event, webhook="https://discord.com/1")
    key = key_file.read_text()
    key_file.unlink()

    start_round(event)
    setting = Announcing.objects.get()
    setting.save()
    call_command("rotate_secrets")

    assert not event.jobs.filter(kind=JobKind.NOTIFY).exists()
    assert setting.webhook == ""
    key_file.write_text(key)
    assert Announcing.objects.get().webhook == "https://discord.com/1"


def test_session_with_an_unknown_key_is_logged(key_file: Path, caplog):
    browser = logged_in(make_user("mara"))
    key_file.unlink()

    assert "_auth_user_id" not in browser.session
    assert "need the same DATAFORT_ENCRYPTION_KEYS." in caplog.text


def test_invalid_encryption_key_stops_the_start(settings):
    settings.ENCRYPTION_KEYS = ["not a key"]

    assert "datafort.E008" in [message.id for message in checks.check_settings()]
