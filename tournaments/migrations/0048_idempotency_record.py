from django.db import migrations


class Migration(migrations.Migration):
    """Rename the model in Python only: processes of the previous release still read the table."""

    dependencies = [("tournaments", "0047_shared_version")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("KeptAnswer", "IdempotencyRecord"),
                migrations.AlterModelTable("idempotencyrecord", "tournaments_keptanswer"),
            ]
        )
    ]
