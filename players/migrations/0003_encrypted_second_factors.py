"""Secrets of second factors, encrypted with the key of the site."""

from typing import Any

from django.db import migrations

from core import encryption
from players.factors import change_secrets


def encrypt(apps: Any, schema_editor: Any) -> None:
    """Also where the release before wrote some in clear meanwhile and this is run again."""
    change_secrets(apps.get_model("mfa", "Authenticator").objects, encryption.encrypt_again)


def decrypt(apps: Any, schema_editor: Any) -> None:
    """As the release before reads them."""
    change_secrets(apps.get_model("mfa", "Authenticator").objects, encryption.decrypt_if_needed)


class Migration(migrations.Migration):
    dependencies = [
        ("mfa", "0003_authenticator_type_uniq"),
        ("players", "0002_forgotten_people"),
    ]

    operations = [migrations.RunPython(encrypt, decrypt)]
