"""A local ruling made at one event may hold at later ones."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rulings", "0007_overturned_answers"),
        ("tournaments", "0010_penalties"),
    ]

    operations = [
        migrations.AddField(
            model_name="localruling",
            name="made_here",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="localruling",
            name="ruling",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rulings.ruling"
            ),
        ),
        migrations.AddConstraint(
            model_name="localruling",
            constraint=models.UniqueConstraint(
                fields=("tournament", "ruling"), name="a_local_ruling_holds_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="localruling",
            constraint=models.UniqueConstraint(
                condition=models.Q(("made_here", True)),
                fields=("ruling",),
                name="a_local_ruling_is_made_once",
            ),
        ),
    ]
