"""Results of all three games: factions, victory points, flags, typed totals, exact shares."""

from django.db import migrations, models
from django.db.models import F

import core.model_fields
from core.model_fields import SIXTIETHS

STATES = [
    ("open", "no result yet"),
    ("proposed", "waits for an answer"),
    ("disputed", "disputed"),
    ("confirmed", "confirmed"),
    ("decided", "decided by staff"),
]
ENDS = [
    ("agenda", "Agenda points"),
    ("flatline", "Flatline"),
    ("decked", "Corp out of cards"),
    ("bad_publicity", "Bad publicity"),
    ("concession", "Concession"),
    ("time", "Time ran out"),
    ("no_show", "No-show"),
    ("judge", "Decided by a judge"),
    ("double_loss", "Both lost"),
    ("not_told", "Not recorded"),
]
FACTIONS = [
    ("farmers", "Farmers", "red"),
    ("executives", "Executives", "red"),
    ("artisans", "Artisans", "yellow"),
    ("underground", "Underground", "yellow"),
    ("merchants", "Merchants", "green"),
    ("hoteliers", "Hoteliers", "green"),
    ("adventurers", "Adventurers", "purple"),
    ("paladins", "Paladins", "purple"),
    ("entertainers", "Entertainers", "blue"),
    ("couriers", "Couriers", "blue"),
]


def add_factions(apps, schema_editor):
    Faction = apps.get_model("matches", "Faction")
    Faction.objects.bulk_create(
        Faction(id=id_, name=name, colour=colour) for id_, name, colour in FACTIONS
    )


def count_in_sixtieths(apps, schema_editor):
    for name in ("Seat", "GameSeat"):
        apps.get_model("matches", name).objects.update(points=F("points") * SIXTIETHS)


def count_in_whole_points(apps, schema_editor):
    for name in ("Seat", "GameSeat"):
        apps.get_model("matches", name).objects.update(points=F("points") / SIXTIETHS)


def tell_whole_results(apps, schema_editor):
    reports = apps.get_model("matches", "ResultReport").objects.all()
    for report in reports.iterator():
        told = {"games": report.result, "flags": [], "totals": []}
        report.result = {**told, "victory_points": [], "factions": []}
        report.save(update_fields=["result"])


def nothing(apps, schema_editor):
    """The tables themselves go; there is nothing to take back."""


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_initial")]

    operations = [
        migrations.CreateModel(
            name="Faction",
            fields=[
                ("id", models.SlugField(max_length=30, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=60)),
                ("colour", models.CharField(max_length=30)),
            ],
            options={"ordering": ["colour", "id"]},
        ),
        migrations.RunPython(add_factions, nothing),
        migrations.RunPython(count_in_sixtieths, count_in_whole_points),
        migrations.RenameField("resultreport", "games", "result"),
        migrations.RunPython(tell_whole_results, migrations.RunPython.noop),
        migrations.AlterField(
            "match",
            "state",
            models.CharField(choices=STATES, default="open", max_length=10),
        ),
        migrations.AddField("match", "flags", models.JSONField(blank=True, default=list)),
        migrations.AddField("seat", "typed_points", models.IntegerField(blank=True, null=True)),
        migrations.AlterField(
            "seat", "points", core.model_fields.ExactField(blank=True, null=True)
        ),
        migrations.AlterField(
            "game", "end", models.CharField(blank=True, choices=ENDS, max_length=20)
        ),
        migrations.AlterField(
            "gameseat", "points", core.model_fields.ExactField(blank=True, null=True)
        ),
        migrations.AlterField(
            "gameseat",
            "role",
            models.CharField(
                blank=True, choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
            ),
        ),
        migrations.AddField(
            "gameseat", "faction", models.SlugField(blank=True, db_index=False, max_length=30)
        ),
        migrations.AddField(
            "gameseat",
            "victory_points",
            models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RemoveConstraint("gameseat", "a_role_is_played_once"),
        migrations.AddConstraint(
            "gameseat",
            models.UniqueConstraint(
                condition=models.Q(("role", ""), _negated=True),
                fields=("game", "role"),
                name="a_role_is_played_once",
            ),
        ),
        migrations.AlterModelOptions("gameseat", options={"ordering": ["game", "role", "pk"]}),
    ]
