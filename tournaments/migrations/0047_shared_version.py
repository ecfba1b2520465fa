from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename the field in Python only: processes of the previous release still read the column."""

    dependencies = [("tournaments", "0046_month_tallies")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("tournament", "hall_version", "shared_version"),
                migrations.AlterField(
                    "tournament",
                    "shared_version",
                    models.PositiveIntegerField(
                        db_column="hall_version", db_default=1, default=1
                    ),
                ),
            ]
        )
    ]
