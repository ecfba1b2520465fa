"""Create the tables of migrations 0001 to 0004 in one step on a new site.

Sites with some of these migrations apply the others one by one.
"""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.model_fields

results = import_module("matches.migrations.0003_results_of_all_games")


class Migration(migrations.Migration):
    replaces = [
        ("matches", "0001_initial"),
        ("matches", "0002_initial"),
        ("matches", "0003_results_of_all_games"),
        ("matches", "0004_losses_by_a_judge"),
    ]

    initial = True

    dependencies = [
        ("players", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Faction",
            fields=[
                ("id", models.SlugField(max_length=30, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=60)),
                ("colour", models.CharField(max_length=30)),
            ],
            options={
                "ordering": ["colour", "id"],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game_system",
                    models.CharField(
                        choices=[
                            ("onr", "Netrunner (1996)"),
                            ("anr", "Android: Netrunner"),
                            ("free_radicals", "Free Radicals"),
                        ],
                        default="onr",
                        max_length=20,
                    ),
                ),
                ("scoring_rule", models.CharField(max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "no result yet"),
                            ("proposed", "waits for an answer"),
                            ("disputed", "disputed"),
                            ("confirmed", "confirmed"),
                            ("decided", "decided by staff"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("flags", models.JSONField(blank=True, default=list)),
                ("losses", models.JSONField(blank=True, default=list)),
            ],
            options={
                "verbose_name_plural": "matches",
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
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
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "ordering": ["match", "number"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("points", core.model_fields.ExactField(blank=True, null=True)),
                ("typed_points", models.IntegerField(blank=True, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="matches.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "ordering": ["match", "position"],
            },
        ),
        migrations.CreateModel(
            name="ResultReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "proposed"),
                            ("confirmed", "confirmed"),
                            ("disputed", "disputed"),
                            ("superseded", "superseded"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("result", models.JSONField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="matches.match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["match", "pk"],
            },
        ),
        migrations.CreateModel(
            name="GameSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        blank=True, choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("agenda_points", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("points", core.model_fields.ExactField(blank=True, null=True)),
                ("faction", models.SlugField(blank=True, db_index=False, max_length=30)),
                ("victory_points", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="matches.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="matches.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["game", "role", "pk"],
            },
        ),
        migrations.AddField(
            model_name="game",
            name="winner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="matches.seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                fields=("match", "position"), name="one_player_in_a_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                fields=("match", "player"), name="one_seat_for_a_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="resultreport",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "proposed")),
                fields=("match",),
                name="one_open_proposal_a_match",
            ),
        ),
        migrations.AddConstraint(
            model_name="gameseat",
            constraint=models.UniqueConstraint(
                fields=("game", "seat"), name="a_seat_plays_a_game_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="gameseat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("role", ""), _negated=True),
                fields=("game", "role"),
                name="a_role_is_played_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                fields=("match", "number"), name="one_game_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("winner", None), models.Q(("end", ""), _negated=True), _connector="OR"
                ),
                name="a_won_game_has_an_end",
            ),
        ),
        migrations.RunPython(results.add_factions, results.nothing),
    ]
