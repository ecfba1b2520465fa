"""Create the tables of migrations 0001 to 0012 in one step on a new site.

Sites with some of these migrations apply the others one by one.
"""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

search_index = import_module("rulings.migrations.0002_search_index")
versions_that_stay = import_module("rulings.migrations.0006_versions_that_stay")
stamps = import_module("rulings.migrations.0009_stamps")


class Migration(migrations.Migration):
    replaces = [
        ("rulings", "0001_initial"),
        ("rulings", "0002_search_index"),
        ("rulings", "0003_the_day_itself"),
        ("rulings", "0004_a_legal_source"),
        ("rulings", "0005_notes_in_their_place"),
        ("rulings", "0006_versions_that_stay"),
        ("rulings", "0007_overturned_answers"),
        ("rulings", "0008_notes_of_practice"),
        ("rulings", "0009_stamps"),
        ("rulings", "0010_what_a_ruling_overturned"),
        ("rulings", "0011_local_rulings_for_their_event"),
        ("rulings", "0012_local_rulings_by_name"),
    ]

    initial = True

    dependencies = [
        ("decks", "0004_notices_on_versions"),
        ("matches", "0003_results_of_all_games"),
        ("players", "0002_forgotten_people"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.SlugField(max_length=80, unique=True)),
                ("number", models.PositiveIntegerField()),
                (
                    "section",
                    models.CharField(
                        choices=[
                            ("general", "General"),
                            ("corp", "Corp cards"),
                            ("runner", "Runner cards"),
                        ],
                        max_length=10,
                    ),
                ),
                ("subject", models.CharField(max_length=120)),
                ("subject_key", models.CharField(db_index=True, max_length=160)),
                ("subject_slug", models.SlugField(max_length=80)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("ruling", "ruling"),
                            ("errata", "erratum"),
                            ("unofficial-errata", "unofficial erratum"),
                            ("cross-reference", "cross-reference"),
                            ("reference", "section of the rules"),
                        ],
                        max_length=20,
                    ),
                ),
                ("reverses", models.BooleanField(default=False)),
                ("short_code", models.CharField(max_length=12, unique=True)),
                ("place", models.CharField(blank=True, max_length=12)),
                ("heading", models.CharField(blank=True, max_length=160)),
                ("withdrawn_on", models.DateField(blank=True, null=True)),
                ("overturned", models.CharField(blank=True, max_length=200)),
                ("adopted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "card",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
                (
                    "supersedes",
                    models.ManyToManyField(
                        blank=True, related_name="superseded_by", to="rulings.ruling"
                    ),
                ),
            ],
            options={
                "ordering": ["document", "number"],
            },
        ),
        migrations.CreateModel(
            name="RulingStamp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.CharField(max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="JudgeNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("note", "note"),
                            ("answer", "answer to a call"),
                            ("result", "decision on a result"),
                            ("penalty", "penalty"),
                        ],
                        default="note",
                        max_length=10,
                    ),
                ),
                ("is_practice", models.BooleanField(default=False)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                (
                    "ruling",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_entry",
                        serialize=False,
                        to="rulings.ruling",
                    ),
                ),
                ("heading", models.TextField()),
                ("body", models.TextField()),
                ("source", models.TextField(blank=True)),
            ],
            options={
                "verbose_name_plural": "search entries",
            },
        ),
        migrations.CreateModel(
            name="RulingDocument",
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
                        default="onr",
                        max_length=20,
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                ("edition", models.CharField(blank=True, max_length=20)),
                ("published_on", models.DateField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("list", "list of rulings"),
                            ("reference", "rules reference"),
                            ("house", "house rulings"),
                            ("netrunnerdb", "NetrunnerDB"),
                            ("local", "local rulings"),
                        ],
                        default="list",
                        max_length=12,
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("notice", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "title", "edition"), name="one_document_an_edition"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="ruling",
            name="document",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rulings",
                to="rulings.rulingdocument",
            ),
        ),
        migrations.CreateModel(
            name="RulingLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("see_also", "see also"),
                            ("mentions", "mentions"),
                            ("about", "is about"),
                        ],
                        max_length=10,
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=120)),
                ("subject_slug", models.SlugField(blank=True, max_length=80)),
                (
                    "card",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="rulings.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ["ruling", "kind", "position"],
            },
        ),
        migrations.CreateModel(
            name="RulingVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("original_text", models.TextField(blank=True)),
                ("in_force_from", models.DateField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="rulings.ruling",
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["ruling", "-number"],
            },
        ),
        migrations.CreateModel(
            name="NoteCitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="rulings.judgenote",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rulings.rulingversion",
                    ),
                ),
            ],
            options={
                "ordering": ["note", "position"],
            },
        ),
        migrations.AddField(
            model_name="judgenote",
            name="cited",
            field=models.ManyToManyField(
                related_name="notes", through="rulings.NoteCitation", to="rulings.rulingversion"
            ),
        ),
        migrations.CreateModel(
            name="Citation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("authority", models.CharField(max_length=80)),
                ("via", models.CharField(blank=True, max_length=80)),
                ("venue", models.CharField(blank=True, max_length=80)),
                ("date", models.DateField(blank=True, null=True)),
                ("about", models.CharField(blank=True, max_length=120)),
                (
                    "about_card",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="rulings.rulingversion",
                    ),
                ),
            ],
            options={
                "ordering": ["version", "position"],
            },
        ),
        migrations.CreateModel(
            name="JudgeCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("about", models.CharField(blank=True, max_length=200)),
                ("raised_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("for_head_judge", models.BooleanField(default=False)),
                ("escalated_at", models.DateTimeField(blank=True, null=True)),
                ("minutes", models.PositiveSmallIntegerField(default=0)),
                ("overturned", models.BooleanField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "appeals",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="appeal",
                        to="rulings.judgecall",
                    ),
                ),
                (
                    "escalated_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "taken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "note",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="call",
                        to="rulings.judgenote",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("answered_at", None), ("withdrawn_at", None)),
                        fields=("match",),
                        name="one_open_call_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("answered_at", None), ("withdrawn_at", None), _connector="OR"
                        ),
                        name="answered_or_withdrawn",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                fields=("document", "number"), name="one_ruling_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("code__regex", "^[a-z0-9]+(-[a-z0-9]+)*-[0-9]+$")),
                name="ruling_code_ends_in_a_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("short_code__regex", "^(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})$")
                ),
                name="a_short_code_is_a_letter_and_digits",
            ),
        ),
        migrations.AddConstraint(
            model_name="rulinglink",
            constraint=models.UniqueConstraint(
                fields=("ruling", "kind", "position"), name="ruling_links_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="rulingversion",
            constraint=models.UniqueConstraint(
                fields=("ruling", "number"), name="one_ruling_version_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="notecitation",
            constraint=models.UniqueConstraint(fields=("note", "position"), name="cited_in_order"),
        ),
        migrations.AddConstraint(
            model_name="notecitation",
            constraint=models.UniqueConstraint(
                fields=("note", "version"), name="cited_once_a_note"
            ),
        ),
        migrations.AddConstraint(
            model_name="citation",
            constraint=models.UniqueConstraint(
                fields=("version", "position"), name="citations_in_order"
            ),
        ),
        migrations.RunPython(search_index.make, search_index.drop),
        migrations.RunPython(versions_that_stay.make, versions_that_stay.drop),
        migrations.RunPython(stamps.make, stamps.drop),
    ]
