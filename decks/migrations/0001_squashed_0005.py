"""Create the tables of migrations 0001 to 0005 in one step on a new site.

Sites with some of these migrations apply the others one by one.
"""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("decks", "0001_initial"),
        ("decks", "0002_initial"),
        ("decks", "0003_android_netrunner"),
        ("decks", "0004_notices_on_versions"),
        ("decks", "0005_fold_ampersands"),
    ]

    initial = True

    dependencies = [("players", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Catalogue",
            fields=[
                (
                    "game",
                    models.CharField(
                        choices=[
                            ("onr", "Netrunner (1996)"),
                            ("anr", "Android: Netrunner"),
                            ("free_radicals", "Free Radicals"),
                        ],
                        max_length=20,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("stamp", models.UUIDField(default=uuid.uuid4)),
                ("source", models.CharField(blank=True, max_length=200)),
                ("source_date", models.DateField(blank=True, null=True)),
                ("imported_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Card",
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
                ("title_key", models.CharField(editable=False, max_length=160)),
                ("folded_title", models.CharField(editable=False, max_length=160)),
                ("slug", models.SlugField(max_length=140)),
                (
                    "side",
                    models.CharField(
                        choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("type", models.CharField(max_length=20)),
                ("set_name", models.CharField(blank=True, max_length=80)),
                ("rarity", models.CharField(blank=True, max_length=20)),
                ("subtypes", models.CharField(blank=True, max_length=120)),
                ("difficulty", models.CharField(blank=True, max_length=4)),
                ("agenda_points", models.SmallIntegerField(blank=True, null=True)),
                ("cost", models.CharField(blank=True, max_length=4)),
                ("strength", models.CharField(blank=True, max_length=4)),
                ("memory", models.CharField(blank=True, max_length=4)),
                ("trash_cost", models.CharField(blank=True, max_length=4)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("card_id", models.CharField(blank=True, max_length=140)),
                ("deck_limit", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("faction", models.CharField(blank=True, max_length=40)),
                ("influence_cost", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("influence_limit", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("is_unique", models.BooleanField(default=False)),
                ("minimum_deck_size", models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["title_key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "title_key"), name="one_card_for_a_title"
                    ),
                    models.UniqueConstraint(
                        fields=("game", "slug"), name="one_card_for_an_address"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("card_id", ""), _negated=True),
                        fields=("game", "card_id"),
                        name="one_card_for_an_id",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CardCycle",
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
                ("cycle_id", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=80)),
                ("position", models.PositiveSmallIntegerField()),
            ],
            options={
                "ordering": ["game", "position", "cycle_id"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "cycle_id"), name="one_cycle_an_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="CardFaction",
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
                ("faction_id", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=60)),
                (
                    "side",
                    models.CharField(
                        choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("is_mini", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["game", "side", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "faction_id"), name="one_faction_an_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="CardSet",
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
                ("set_id", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=80)),
                ("type", models.CharField(blank=True, max_length=20)),
                ("released_on", models.DateField(blank=True, null=True)),
                ("size", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "cycle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sets",
                        to="decks.cardcycle",
                    ),
                ),
            ],
            options={
                "ordering": ["game", "released_on", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Decklist",
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
                (
                    "side",
                    models.CharField(
                        choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DecklistVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("size", models.PositiveIntegerField()),
                ("agenda_points", models.IntegerField(default=0)),
                ("is_legal", models.BooleanField()),
                ("breaches", models.JSONField(default=list)),
                ("seal", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "form",
                    models.CharField(
                        choices=[
                            ("plain_text", "plain text"),
                            ("netrunnerdb_v2", "NetrunnerDB JSON (v2)"),
                            ("netrunnerdb_v3", "NetrunnerDB JSON (v3)"),
                            ("octgn", "OCTGN deck (.o8d)"),
                            ("meteor", "Meteor JSON"),
                        ],
                        default="plain_text",
                        max_length=20,
                    ),
                ),
                ("format_id", models.CharField(blank=True, max_length=40)),
                ("judged_on", models.DateField(blank=True, null=True)),
                ("snapshot_id", models.CharField(blank=True, max_length=60)),
                ("notices", models.JSONField(default=list)),
                (
                    "decklist",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="decks.decklist",
                    ),
                ),
                (
                    "identity",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
            ],
            options={
                "ordering": ["decklist", "-number"],
            },
        ),
        migrations.CreateModel(
            name="DeckSlot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("quantity", models.PositiveIntegerField()),
                ("position", models.PositiveSmallIntegerField(default=0)),
                ("printing", models.CharField(blank=True, max_length=10)),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slots",
                        to="decks.decklistversion",
                    ),
                ),
            ],
            options={
                "ordering": ["version", "position", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Format",
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
                        default="anr",
                        max_length=20,
                    ),
                ),
                ("format_id", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=60)),
                ("position", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": ["game", "position", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "format_id"), name="one_format_an_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="CardPool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pool_id", models.CharField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=100)),
                ("sets", models.ManyToManyField(related_name="+", to="decks.cardset")),
                (
                    "format",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pools",
                        to="decks.format",
                    ),
                ),
            ],
            options={
                "ordering": ["format", "pool_id"],
            },
        ),
        migrations.CreateModel(
            name="Printing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=10, unique=True)),
                ("position", models.PositiveSmallIntegerField()),
                ("quantity", models.PositiveSmallIntegerField()),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="printings",
                        to="decks.card",
                    ),
                ),
                (
                    "card_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="printings",
                        to="decks.cardset",
                    ),
                ),
            ],
            options={
                "ordering": ["card", "card_set__released_on", "code"],
            },
        ),
        migrations.CreateModel(
            name="Restriction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("restriction_id", models.CharField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=100)),
                ("effective_from", models.DateField()),
                ("banned_subtypes", models.JSONField(blank=True, default=list)),
                ("point_limit", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "format",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restrictions",
                        to="decks.format",
                    ),
                ),
            ],
            options={
                "ordering": ["format", "effective_from", "restriction_id"],
            },
        ),
        migrations.CreateModel(
            name="RestrictionEntry",
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
                            ("banned", "banned"),
                            ("restricted", "restricted: one title of these"),
                            ("points", "costs points"),
                            ("universal_influence", "each copy costs more influence"),
                            ("global_penalty", "each copy lowers the influence limit"),
                        ],
                        max_length=20,
                    ),
                ),
                ("value", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.card",
                    ),
                ),
                (
                    "restriction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="decks.restriction",
                    ),
                ),
            ],
            options={
                "ordering": ["restriction", "kind", "card"],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("snapshot_id", models.CharField(max_length=60, unique=True)),
                ("position", models.PositiveSmallIntegerField()),
                ("effective_from", models.DateField()),
                (
                    "format",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="snapshots",
                        to="decks.format",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.cardpool",
                    ),
                ),
                (
                    "restriction",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.restriction",
                    ),
                ),
            ],
            options={
                "ordering": ["format", "position"],
            },
        ),
        migrations.CreateModel(
            name="CardAlias",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("alias", models.CharField(max_length=120)),
                ("alias_key", models.CharField(db_index=True, editable=False, max_length=160)),
                ("folded_alias", models.CharField(editable=False, max_length=160)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="decks.card",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("card", "alias_key"), name="one_alias_for_a_spelling"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="cardset",
            constraint=models.UniqueConstraint(fields=("game", "set_id"), name="one_set_an_id"),
        ),
        migrations.AddConstraint(
            model_name="decklist",
            constraint=models.UniqueConstraint(
                fields=("player", "game", "side", "title"), name="one_deck_for_a_title"
            ),
        ),
        migrations.AddConstraint(
            model_name="decklistversion",
            constraint=models.UniqueConstraint(
                fields=("decklist", "number"), name="one_version_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="deckslot",
            constraint=models.CheckConstraint(
                condition=models.Q(("quantity__gt", 0)), name="slot_has_copies"
            ),
        ),
        migrations.AddConstraint(
            model_name="deckslot",
            constraint=models.UniqueConstraint(
                fields=("version", "card", "printing"), name="one_slot_for_a_card"
            ),
        ),
        migrations.AddConstraint(
            model_name="restrictionentry",
            constraint=models.UniqueConstraint(
                fields=("restriction", "card", "kind"), name="one_entry_for_a_card"
            ),
        ),
        migrations.AddConstraint(
            model_name="snapshot",
            constraint=models.UniqueConstraint(
                fields=("format", "position"), name="one_snapshot_a_position"
            ),
        ),
    ]
