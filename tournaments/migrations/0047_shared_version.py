from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0046_month_tallies")]

    operations = [
        migrations.RenameField(
            model_name="tournament", old_name="hall_version", new_name="shared_version"
        )
    ]
