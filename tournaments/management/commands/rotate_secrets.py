"""A new key for the secrets of second factors, webhooks, channels and phones."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Manager

from core import encryption
from players.factors import change_secrets
from tournaments.models import Announcing, PushSubscription, Webhook

KEPT: tuple[tuple[Manager[Any], str], ...] = (
    (Webhook.objects, "secret"),
    (Announcing.objects, "webhook"),
    (PushSubscription.objects, "auth"),
)
"""Whatever has an EncryptedField, and its name."""


class Command(BaseCommand):
    """While the site runs: what the older keys encrypted is still read."""

    help = (
        "Make a new encryption key, and encrypt the secrets of second factors, webhooks, channels "
        "and phones with it. Where DATAFORT_ENCRYPTION_KEYS is set, put the new key there first: "
        "it is used. Older keys stay, for older backups."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.ENCRYPTION_KEYS:
            _add_key()
        with transaction.atomic():
            change_secrets(Authenticator.objects, encryption.encrypt_again)
            for rows, column in KEPT:
                for row in rows.select_for_update():
                    row.save(update_fields=[column])
        self.stdout.write("Secrets are encrypted with the newest key.")


def _add_key() -> None:
    try:
        encryption.add_key()
    except FileExistsError as error:
        raise CommandError(
            f"{error.filename} is there: another rotate_secrets is at work, or one was broken off. "
            "Nothing is encrypted with the new key in it. If none is at work, delete the file and "
            "run rotate_secrets again."
        ) from error
