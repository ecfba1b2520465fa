"""Cuts that were played elsewhere: a system of their own, and the places their files tell."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0014_programs_elsewhere"),
    ]

    operations = [
        migrations.AddField(
            model_name="stageentry",
            name="place",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="stage",
            name="system",
            field=models.CharField(
                choices=[
                    ("double", "Swiss, two games a match"),
                    ("single", "Swiss, one game a match"),
                    ("pods", "Pods of two to five"),
                    ("round_robin", "Round robin"),
                    ("double_elimination", "Double elimination"),
                    ("single_elimination", "Single elimination"),
                    ("manual", "Paired by hand"),
                    ("told_elimination", "Cut played elsewhere"),
                ],
                default="double",
                max_length=20,
            ),
        ),
    ]
