"""Sessions in a table of their own, under the hash of their key.

Those there are end: their keys lie in clear in the tables of Django and allauth. The tables
themselves stay empty, because the release before asks for them while an upgrade is made.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import core.model_fields

OLD_TABLES = ("django_session", "usersessions_usersession")


def end_sessions(apps: Any, schema_editor: Any) -> None:
    """Where there are any: a new site never had these tables."""
    connection = schema_editor.connection
    for table in {*OLD_TABLES} & {*connection.introspection.table_names()}:
        schema_editor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


class Migration(migrations.Migration):
    dependencies = [("players", "0003_encrypted_second_factors")]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    core.model_fields.HashedField(max_length=64, primary_key=True, serialize=False),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("address", models.GenericIPAddressField(null=True)),
                ("user_agent", models.CharField(blank=True, max_length=200)),
                ("logged_in_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.user",
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.RunPython(end_sessions, migrations.RunPython.noop),
    ]
