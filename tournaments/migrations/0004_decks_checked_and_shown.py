"""Receipts, locks, checks and audiences of decks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def players_locked_their_decks(apps, schema_editor):
    submissions = apps.get_model("tournaments", "DeckSubmission").objects
    submissions.filter(locked_at__isnull=False).update(locked_by="player")


class Migration(migrations.Migration):

    dependencies = [
        ('decks', '0003_android_netrunner'),
        ('tournaments', '0003_exact_match_points'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DeckCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_number', models.PositiveSmallIntegerField()),
                ('outcome', models.CharField(blank=True, choices=[('', 'not checked yet'), ('fine', 'nothing wrong'), ('mended', 'wrong, and mended on the spot'), ('wrong', 'wrong: the deck is not the list'), ('illegal', 'the list itself is not legal')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['draw', 'table_number', 'submission'],
            },
        ),
        migrations.CreateModel(
            name='DeckCheckDraw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('seed', models.PositiveBigIntegerField()),
                ('drawn_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['tournament', 'number'],
            },
        ),
        migrations.CreateModel(
            name='DeckReceipt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('received_at', models.DateTimeField()),
                ('reason', models.CharField(blank=True, max_length=500)),
            ],
            options={
                'ordering': ['submission', '-number'],
            },
        ),
        migrations.AddField(
            model_name='decksubmission',
            name='locked_by',
            field=models.CharField(blank=True, choices=[('player', 'by the player'), ('deadline', 'by the deadline'), ('staff', 'by the staff')], max_length=10),
        ),
        migrations.RunPython(players_locked_their_decks, migrations.RunPython.noop),
        migrations.AddField(
            model_name='stage',
            name='decks_shown_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='stage',
            name='decks_shown_to',
            field=models.CharField(choices=[('private', 'nobody else'), ('opponent', 'the opponent, once the table is published'), ('cut', "players in the cut, each other's decks"), ('participants', 'all players of the event'), ('public', 'everyone who can see the event')], default='private', max_length=12),
        ),
        migrations.AddField(
            model_name='tournament',
            name='decks_close_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='identities_shown',
            field=models.CharField(choices=[('round_one', 'once round 1 is published'), ('with_decks', 'only to people who can see the decklist')], default='round_one', max_length=12),
        ),
        migrations.AddConstraint(
            model_name='decksubmission',
            constraint=models.CheckConstraint(condition=models.Q(('locked_at__isnull', True), models.Q(('locked_by', ''), _negated=True), _connector='XOR'), name='locked_by_somebody'),
        ),
        migrations.AddField(
            model_name='deckcheck',
            name='checked_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='deckcheck',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='tournaments.decksubmission'),
        ),
        migrations.AddField(
            model_name='deckcheck',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.decklistversion'),
        ),
        migrations.AddField(
            model_name='deckcheckdraw',
            name='drawn_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='deckcheckdraw',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deck_check_draws', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='deckcheck',
            name='draw',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='tournaments.deckcheckdraw'),
        ),
        migrations.AddField(
            model_name='deckreceipt',
            name='received_from',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='deckreceipt',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='receipts', to='tournaments.decksubmission'),
        ),
        migrations.AddField(
            model_name='deckreceipt',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.decklistversion'),
        ),
        migrations.AddConstraint(
            model_name='deckcheckdraw',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_draw_a_number'),
        ),
        migrations.AddConstraint(
            model_name='deckcheck',
            constraint=models.UniqueConstraint(fields=('draw', 'submission'), name='one_check_of_a_deck'),
        ),
        migrations.AddConstraint(
            model_name='deckcheck',
            constraint=models.CheckConstraint(condition=models.Q(('checked_at__isnull', True), models.Q(('outcome', ''), _negated=True), _connector='XOR'), name='checked_with_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='deckreceipt',
            constraint=models.UniqueConstraint(fields=('submission', 'number'), name='one_receipt_a_number'),
        ),
    ]
