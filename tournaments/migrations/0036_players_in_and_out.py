"""How many players are certainly in and out, counted in the answers that are stored."""

from collections import Counter
from typing import Any

from django.db import migrations, models


def count(apps: Any, schema_editor: Any) -> None:
    for outlook in apps.get_model("tournaments", "Outlook").objects.iterator():
        verdicts = Counter(need["verdict"] for need in outlook.needs.values())
        outlook.players_in, outlook.players_out = verdicts["in"], verdicts["out"]
        outlook.save(update_fields=["players_in", "players_out"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0035_encrypted_channels_and_phones")]

    operations = [
        migrations.AddField(
            model_name="outlook",
            name="players_in",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="outlook",
            name="players_out",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
