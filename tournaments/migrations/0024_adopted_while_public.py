"""Adopting is kept at the event; shown to everybody is a ruling while its event is public."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def keep_at_the_event(apps, schema_editor):
    LocalRuling = apps.get_model("tournaments", "LocalRuling")
    Ruling = apps.get_model("rulings", "Ruling")
    adopted = LocalRuling.objects.filter(made_here=True, ruling__adopted_at__isnull=False)
    of_ruling = Ruling.objects.filter(pk=OuterRef("ruling")).values("adopted_at")
    adopted.update(adopted_at=Subquery(of_ruling))
    hidden = adopted.exclude(tournament__visibility="public", tournament__practice_of=None)
    Ruling.objects.filter(pk__in=hidden.values("ruling")).update(adopted_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0023_version_of_own_pages"),
        ("rulings", "0012_local_rulings_by_name"),
    ]

    operations = [
        migrations.AddField("localruling", "adopted_at", models.DateTimeField(null=True, blank=True)),
        migrations.RunPython(keep_at_the_event, migrations.RunPython.noop, elidable=True),
    ]
