"""Addresses of channels and the secrets of phones, encrypted with the key of the site."""

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
    for model, column in (("Announcing", "webhook"), ("PushSubscription", "auth")):
        rows = apps.get_model("tournaments", model).objects.exclude(**{column: ""})
        for pk, secret in rows.values_list("pk", column):
            rows.filter(pk=pk).update(**{column: change(secret)})


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0034_deck_check_words")]

    operations = [
        migrations.AlterField(
            "announcing", "webhook", models.CharField(max_length=500, blank=True)
        ),
        migrations.AlterField("pushsubscription", "auth", models.CharField(max_length=200)),
        migrations.RunPython(encrypt, decrypt),
        migrations.AlterField("announcing", "webhook", EncryptedField(max_length=500, blank=True)),
        migrations.AlterField("pushsubscription", "auth", EncryptedField(max_length=200)),
    ]
