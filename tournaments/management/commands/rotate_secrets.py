"""Make a new encryption key and encrypt all stored secrets with it."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from core import encryption
from core.model_fields import EncryptedField
from players.factors import change_secrets


class Command(BaseCommand):
    """Can run while the site is up: data encrypted with older keys stays readable."""

    help = (
        "Create a new encryption key, and encrypt the secrets of two-factor "
        "authentication, webhooks, channels and phones with it. If "
        "DATAFORT_ENCRYPTION_KEYS is set, first put a new key at its start. Keep older "
        "keys for older backups."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.ENCRYPTION_KEYS:
            try:
                encryption.add_key()
            except FileExistsError as error:
                raise CommandError(
                    f"{error.filename} exists: another rotate_secrets is running, or one was "
                    "interrupted. Nothing is encrypted with the new key in this file. If none is "
                    "running, delete the file and run rotate_secrets again."
                ) from error
        with transaction.atomic():
            change_secrets(Authenticator.objects, encryption.encrypt_again)
            for model in apps.get_models():
                fields = model._meta.concrete_fields
                secrets = [field.name for field in fields if isinstance(field, EncryptedField)]
                for row in model._default_manager.select_for_update() if secrets else ():
                    row.save(update_fields=secrets)
        self.stdout.write("Secrets are encrypted with the newest key.")
