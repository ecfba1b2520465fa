"""Local rulings are for the readers of their event, with codes that cannot be counted up.

SQLite builds the table of rulings anew for its constraint, so its triggers are made again.
"""

from importlib import import_module

from django.db import migrations, models

stamps = import_module("rulings.migrations.0009_stamps")
TABLE = "rulings_ruling"


def stamp_again(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        return
    for statement in stamps._statements("sqlite"):
        if f" ON {TABLE} " in statement:
            name = statement.split()[2]
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}", params=None)
            schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("rulings", "0010_what_a_ruling_overturned")]

    operations = [
        migrations.RemoveConstraint("ruling", "a_short_code_is_a_letter_and_digits"),
        migrations.AddField(
            "ruling", "adopted_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddConstraint(
            "ruling",
            models.CheckConstraint(
                condition=models.Q(
                    short_code__regex=r"^(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})$"
                ),
                name="a_short_code_is_a_letter_and_digits",
            ),
        ),
        migrations.RunPython(stamp_again, stamp_again),
    ]
