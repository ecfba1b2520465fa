"""Cards, printings and formats of Android: Netrunner; figures that may be X are text."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


def no_difficulty_is_empty(apps, schema_editor):
    apps.get_model("decks", "Card").objects.filter(difficulty=None).update(difficulty="")


def no_difficulty_is_null(apps, schema_editor):
    apps.get_model("decks", "Card").objects.filter(difficulty="").update(difficulty=None)


class Migration(migrations.Migration):

    dependencies = [
        ('decks', '0002_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CardCycle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=[('onr', 'Netrunner (1996)'), ('anr', 'Android: Netrunner'), ('free_radicals', 'Free Radicals')], max_length=20)),
                ('cycle_id', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=80)),
                ('position', models.PositiveSmallIntegerField()),
            ],
            options={
                'ordering': ['game', 'position', 'cycle_id'],
            },
        ),
        migrations.CreateModel(
            name='CardFaction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=[('onr', 'Netrunner (1996)'), ('anr', 'Android: Netrunner'), ('free_radicals', 'Free Radicals')], max_length=20)),
                ('faction_id', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=60)),
                ('side', models.CharField(choices=[('corp', 'Corp'), ('runner', 'Runner')], max_length=10)),
                ('is_mini', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['game', 'side', 'name'],
            },
        ),
        migrations.CreateModel(
            name='CardPool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool_id', models.CharField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=100)),
            ],
            options={
                'ordering': ['format', 'pool_id'],
            },
        ),
        migrations.CreateModel(
            name='CardSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=[('onr', 'Netrunner (1996)'), ('anr', 'Android: Netrunner'), ('free_radicals', 'Free Radicals')], max_length=20)),
                ('set_id', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=80)),
                ('type', models.CharField(blank=True, max_length=20)),
                ('released_on', models.DateField(blank=True, null=True)),
                ('size', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                'ordering': ['game', 'released_on', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Catalogue',
            fields=[
                ('game', models.CharField(choices=[('onr', 'Netrunner (1996)'), ('anr', 'Android: Netrunner'), ('free_radicals', 'Free Radicals')], max_length=20, primary_key=True, serialize=False)),
                ('stamp', models.UUIDField(default=uuid.uuid4)),
                ('source', models.CharField(blank=True, max_length=200)),
                ('source_date', models.DateField(blank=True, null=True)),
                ('imported_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Format',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=[('onr', 'Netrunner (1996)'), ('anr', 'Android: Netrunner'), ('free_radicals', 'Free Radicals')], default='anr', max_length=20)),
                ('format_id', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=60)),
                ('position', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['game', 'position', 'name'],
            },
        ),
        migrations.CreateModel(
            name='Printing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=10, unique=True)),
                ('position', models.PositiveSmallIntegerField()),
                ('quantity', models.PositiveSmallIntegerField()),
            ],
            options={
                'ordering': ['card', 'card_set__released_on', 'code'],
            },
        ),
        migrations.CreateModel(
            name='Restriction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('restriction_id', models.CharField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('effective_from', models.DateField()),
                ('banned_subtypes', models.JSONField(blank=True, default=list)),
                ('point_limit', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                'ordering': ['format', 'effective_from', 'restriction_id'],
            },
        ),
        migrations.CreateModel(
            name='RestrictionEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('banned', 'banned'), ('restricted', 'restricted: one title of these'), ('points', 'costs points'), ('universal_influence', 'each copy costs more influence'), ('global_penalty', 'each copy lowers the influence limit')], max_length=20)),
                ('value', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                'ordering': ['restriction', 'kind', 'card'],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('snapshot_id', models.CharField(max_length=60, unique=True)),
                ('position', models.PositiveSmallIntegerField()),
                ('effective_from', models.DateField()),
            ],
            options={
                'ordering': ['format', 'position'],
            },
        ),
        migrations.AlterModelOptions(
            name='deckslot',
            options={'ordering': ['version', 'position', 'pk']},
        ),
        migrations.RemoveConstraint(
            model_name='deckslot',
            name='one_slot_for_a_card',
        ),
        migrations.AddField(
            model_name='card',
            name='card_id',
            field=models.CharField(blank=True, max_length=140),
        ),
        migrations.AddField(
            model_name='card',
            name='deck_limit',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='card',
            name='faction',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='card',
            name='influence_cost',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='card',
            name='influence_limit',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='card',
            name='is_unique',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='card',
            name='minimum_deck_size',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='decklistversion',
            name='form',
            field=models.CharField(choices=[('plain_text', 'plain text'), ('netrunnerdb_v2', 'NetrunnerDB JSON (v2)'), ('netrunnerdb_v3', 'NetrunnerDB JSON (v3)'), ('octgn', 'OCTGN deck (.o8d)'), ('meteor', 'Meteor JSON')], default='plain_text', max_length=20),
        ),
        migrations.AddField(
            model_name='decklistversion',
            name='format_id',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='decklistversion',
            name='identity',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.card'),
        ),
        migrations.AddField(
            model_name='decklistversion',
            name='judged_on',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='decklistversion',
            name='snapshot_id',
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name='deckslot',
            name='position',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deckslot',
            name='printing',
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AlterField(
            model_name='card',
            name='difficulty',
            field=models.CharField(blank=True, max_length=4, null=True),
        ),
        migrations.RunPython(no_difficulty_is_empty, no_difficulty_is_null),
        migrations.AlterField(
            model_name='card',
            name='difficulty',
            field=models.CharField(blank=True, max_length=4),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='card',
            name='set_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.UniqueConstraint(condition=models.Q(('card_id', ''), _negated=True), fields=('game', 'card_id'), name='one_card_for_an_id'),
        ),
        migrations.AddConstraint(
            model_name='deckslot',
            constraint=models.UniqueConstraint(fields=('version', 'card', 'printing'), name='one_slot_for_a_card'),
        ),
        migrations.AddConstraint(
            model_name='cardcycle',
            constraint=models.UniqueConstraint(fields=('game', 'cycle_id'), name='one_cycle_an_id'),
        ),
        migrations.AddConstraint(
            model_name='cardfaction',
            constraint=models.UniqueConstraint(fields=('game', 'faction_id'), name='one_faction_an_id'),
        ),
        migrations.AddField(
            model_name='cardset',
            name='cycle',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sets', to='decks.cardcycle'),
        ),
        migrations.AddField(
            model_name='cardpool',
            name='sets',
            field=models.ManyToManyField(related_name='+', to='decks.cardset'),
        ),
        migrations.AddConstraint(
            model_name='format',
            constraint=models.UniqueConstraint(fields=('game', 'format_id'), name='one_format_an_id'),
        ),
        migrations.AddField(
            model_name='cardpool',
            name='format',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pools', to='decks.format'),
        ),
        migrations.AddField(
            model_name='printing',
            name='card',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='printings', to='decks.card'),
        ),
        migrations.AddField(
            model_name='printing',
            name='card_set',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='printings', to='decks.cardset'),
        ),
        migrations.AddField(
            model_name='restriction',
            name='format',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='restrictions', to='decks.format'),
        ),
        migrations.AddField(
            model_name='restrictionentry',
            name='card',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.card'),
        ),
        migrations.AddField(
            model_name='restrictionentry',
            name='restriction',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='decks.restriction'),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='format',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='decks.format'),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='pool',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.cardpool'),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='restriction',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.restriction'),
        ),
        migrations.AddConstraint(
            model_name='cardset',
            constraint=models.UniqueConstraint(fields=('game', 'set_id'), name='one_set_an_id'),
        ),
        migrations.AddConstraint(
            model_name='restrictionentry',
            constraint=models.UniqueConstraint(fields=('restriction', 'card', 'kind'), name='one_entry_for_a_card'),
        ),
        migrations.AddConstraint(
            model_name='snapshot',
            constraint=models.UniqueConstraint(fields=('format', 'position'), name='one_snapshot_a_position'),
        ),
    ]
