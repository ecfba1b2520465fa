"""Documents of several kinds, short codes, and notes that cite several rulings."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils.text import slugify


def give_addresses(apps, schema_editor):
    """The list that ships gets its slug, and its rulings their short codes, by their numbers."""
    for document in apps.get_model("rulings", "RulingDocument").objects.all():
        document.slug = slugify(f"{document.title} {document.edition}".replace(".", "-"))[:80]
        document.save(update_fields=["slug"])
    rulings = apps.get_model("rulings", "Ruling").objects.order_by("document", "number")
    for serial, ruling in enumerate(rulings.iterator(), start=1):
        ruling.short_code = f"R-{serial:04d}"
        ruling.save(update_fields=["short_code"])


def keep_citations(apps, schema_editor):
    """A note cited one ruling at most, and an answer was a text of its call."""
    citations = apps.get_model("rulings", "NoteCitation").objects
    notes = apps.get_model("rulings", "JudgeNote").objects
    for note in notes.exclude(cited=None):
        citations.create(note=note, version_id=note.cited_id, position=1)
    for call in apps.get_model("rulings", "JudgeCall").objects.exclude(answered_at=None):
        call.note = notes.create(
            match_id=call.match_id, kind="answer", author_id=call.answered_by_id, text=call.answer
        )
        call.save(update_fields=["note"])


class Migration(migrations.Migration):

    dependencies = [
        ("decks", "0004_notices_on_versions"),
        ("matches", "0003_results_of_all_games"),
        ("players", "0001_initial"),
        ("rulings", "0003_the_day_itself"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint("rulingdocument", "one_document_an_edition"),
        migrations.AddField(
            "rulingdocument",
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
        migrations.AddField(
            "rulingdocument", "slug", models.SlugField(max_length=80, null=True, unique=True)
        ),
        migrations.AddField("rulingdocument", "notice", models.TextField(blank=True)),
        migrations.AlterField(
            "rulingdocument", "edition", models.CharField(blank=True, max_length=20)
        ),
        migrations.AddField(
            "ruling", "short_code", models.CharField(max_length=12, null=True, unique=True)
        ),
        migrations.AddField("ruling", "place", models.CharField(blank=True, max_length=12)),
        migrations.AddField("ruling", "heading", models.CharField(blank=True, max_length=160)),
        migrations.AddField("ruling", "withdrawn_on", models.DateField(blank=True, null=True)),
        migrations.AddField(
            "ruling",
            "supersedes",
            models.ManyToManyField(
                blank=True, related_name="superseded_by", to="rulings.ruling"
            ),
        ),
        migrations.AlterField(
            "ruling",
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
        migrations.AlterField(
            "rulinglink",
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
        migrations.RunPython(give_addresses, migrations.RunPython.noop),
        migrations.AlterField(
            "rulingdocument", "slug", models.SlugField(max_length=80, unique=True)
        ),
        migrations.AlterField(
            "ruling", "short_code", models.CharField(max_length=12, unique=True)
        ),
        migrations.AddConstraint(
            "rulingdocument",
            models.UniqueConstraint(
                fields=["game", "title", "edition"], name="one_document_an_edition"
            ),
        ),
        migrations.AddConstraint(
            "ruling",
            models.CheckConstraint(
                condition=models.Q(("short_code__regex", "^[RSL]-[0-9]{4,6}$")),
                name="a_short_code_is_a_letter_and_digits",
            ),
        ),
        migrations.AddField(
            "rulingversion",
            "written_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "rulingversion", "reason", models.CharField(blank=True, max_length=200)
        ),
        migrations.RenameModel("MatchNote", "JudgeNote"),
        migrations.RemoveConstraint("judgenote", "a_note_says_or_cites_something"),
        migrations.AlterModelOptions("judgenote", {"ordering": ["pk"]}),
        migrations.AddField(
            "judgenote",
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
        migrations.AlterField(
            "judgenote",
            "match",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="matches.match",
            ),
        ),
        migrations.CreateModel(
            "NoteCitation",
            [
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
            {
                "ordering": ["note", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=["note", "position"], name="cited_in_order"),
                    models.UniqueConstraint(fields=["note", "version"], name="cited_once_a_note"),
                ],
            },
        ),
        migrations.AddField(
            "judgecall", "for_head_judge", models.BooleanField(default=False)
        ),
        migrations.AddField(
            "judgecall",
            "escalated_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "judgecall", "escalated_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            "judgecall",
            "appeals",
            models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="appeal",
                to="rulings.judgecall",
            ),
        ),
        migrations.AddField(
            "judgecall",
            "note",
            models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="call",
                to="rulings.judgenote",
            ),
        ),
        migrations.AddField(
            "judgecall", "minutes", models.PositiveSmallIntegerField(default=0)
        ),
        migrations.RunPython(keep_citations, migrations.RunPython.noop),
    ]
