"""Some rulings reverse what is no ruling of ours; they say so in words.

The column is added in place: a table that is rebuilt on SQLite loses its triggers.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("rulings", "0009_stamps")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddField(
                    "ruling", "overturned", models.CharField(blank=True, max_length=200)
                )
            ],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE rulings_ruling"
                    " ADD COLUMN overturned varchar(200) NOT NULL DEFAULT ''",
                    "ALTER TABLE rulings_ruling DROP COLUMN overturned",
                )
            ],
        )
    ]
