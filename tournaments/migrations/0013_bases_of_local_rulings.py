"""A local ruling names the rulings it was based on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rulings", "0007_overturned_answers"),
        ("tournaments", "0012_penalties_that_drop"),
    ]

    operations = [
        migrations.AddField(
            model_name="localruling",
            name="basis",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="rulings.judgenote",
            ),
        ),
    ]
