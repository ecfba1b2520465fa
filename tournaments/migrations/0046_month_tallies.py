from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0045_listed_events_by_day"),
    ]

    operations = [
        migrations.CreateModel(
            name="MonthTallies",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.CharField(
                        choices=[
                            ("onr", "Netrunner (1996)"),
                            ("anr", "Android: Netrunner"),
                            ("free_radicals", "Free Radicals"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "format_id",
                    models.TextField(blank=True, help_text="Empty for events without a format."),
                ),
                ("month", models.DateField(help_text="The first day of the month.")),
                ("events", models.PositiveIntegerField()),
                (
                    "newest_at",
                    models.DateTimeField(help_text="When the last of these events was counted."),
                ),
                (
                    "versions",
                    models.BigIntegerField(
                        db_default=0,
                        default=0,
                        help_text="Sum of the versions at which the events were counted.",
                    ),
                ),
                ("figures", models.JSONField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "format_id", "month"), name="one_sum_for_each_month"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SiteTallies",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.CharField(
                        choices=[
                            ("onr", "Netrunner (1996)"),
                            ("anr", "Android: Netrunner"),
                            ("free_radicals", "Free Radicals"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "format_id",
                    models.TextField(blank=True, help_text="Empty for the sum of all formats."),
                ),
                ("events", models.PositiveIntegerField()),
                (
                    "newest_at",
                    models.DateTimeField(help_text="When the last of these events was counted."),
                ),
                (
                    "versions",
                    models.BigIntegerField(
                        db_default=0,
                        default=0,
                        help_text="Sum of the versions at which the events were counted.",
                    ),
                ),
                (
                    "figures",
                    models.JSONField(help_text="Players are counted, without their keys."),
                ),
                (
                    "late",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Events of the game that were not counted since they changed.",
                    ),
                ),
                (
                    "checked_at",
                    models.DateTimeField(help_text="When this was last compared with the events."),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "format_id"), name="one_sum_for_each_format"
                    )
                ],
            },
        ),
    ]
