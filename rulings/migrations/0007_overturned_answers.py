"""Whether an appealed answer was overturned."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rulings", "0006_versions_that_stay"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgecall",
            name="overturned",
            field=models.BooleanField(blank=True, null=True),
        ),
    ]
