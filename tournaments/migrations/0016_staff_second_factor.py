from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0015_cuts_played_elsewhere"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="staff_need_second_factor",
            field=models.BooleanField(default=False),
        ),
    ]
