"""Addresses of webhooks, encrypted with the key of the site as those of channels are.

Rows change in batches, each in a transaction of its own, so that a large table is never locked.
Code of this release reads both forms; running it again is harmless.
"""

from collections.abc import Callable
from typing import Any

from django.db import migrations, models, transaction
from django.db.models import Value

BATCH = 200


def encrypt(apps: Any, schema_editor: Any) -> None:
    """Encrypt every address with the newest key; the field does it when it is written."""
    _change(apps, lambda address: address)


def decrypt(apps: Any, schema_editor: Any) -> None:
    """Write every address in clear, as the release before reads it."""
    _change(apps, lambda address: Value(address, output_field=models.CharField()))


def _change(apps: Any, written: Callable[[str], Any]) -> None:
    webhooks = apps.get_model("tournaments", "Webhook").objects.order_by("pk")
    last = 0
    while True:
        with transaction.atomic():
            batch = list(webhooks.select_for_update().filter(pk__gt=last).only("address")[:BATCH])
            for webhook in batch:
                # Empty if its key is lost: it stays as it is.
                if webhook.address:
                    webhooks.filter(pk=webhook.pk).update(address=written(webhook.address))
        if len(batch) < BATCH:
            return
        last = batch[-1].pk


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0041_wider_webhook_addresses")]

    operations = [migrations.RunPython(encrypt, decrypt)]
