"""Secrets of webhooks, encrypted with the key of the site."""

from collections.abc import Callable
from typing import Any

from django.db import migrations, models

from core import encryption
from core.model_fields import EncryptedField


def encrypt(apps: Any, schema_editor: Any) -> None:
    """Also where this is run again."""
    _change(apps, encryption.encrypt_again)


def decrypt(apps: Any, schema_editor: Any) -> None:
    """As the release before reads them."""
    _change(apps, encryption.decrypt_if_needed)


def _change(apps: Any, change: Callable[[str], str]) -> None:
    webhooks = apps.get_model("tournaments", "Webhook").objects
    for pk, secret in webhooks.values_list("pk", "secret"):
        webhooks.filter(pk=pk).update(secret=change(secret))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_job_enqueued_at")]

    operations = [
        migrations.AlterField("webhook", "secret", models.CharField(max_length=400)),
        migrations.RunPython(encrypt, decrypt),
        migrations.AlterField("webhook", "secret", EncryptedField(max_length=400)),
    ]
