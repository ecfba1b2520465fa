"""Match points may be shares of a place, so they are kept as sixtieths."""

from django.db import migrations
from django.db.models import F

import core.model_fields
from core.model_fields import SIXTIETHS


def count_in_sixtieths(apps, schema_editor):
    Standing = apps.get_model("tournaments", "Standing")
    Standing.objects.update(match_points=F("match_points") * SIXTIETHS)


def count_in_whole_points(apps, schema_editor):
    Standing = apps.get_model("tournaments", "Standing")
    Standing.objects.update(match_points=F("match_points") / SIXTIETHS)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_avoid_group")]

    operations = [
        migrations.RunPython(count_in_sixtieths, count_in_whole_points),
        migrations.AlterField("standing", "match_points", core.model_fields.ExactField()),
    ]
