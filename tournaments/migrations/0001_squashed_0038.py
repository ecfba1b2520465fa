"""Create the tables of migrations 0001 to 0038 in one step on a new site.

Sites with some of these migrations apply the others one by one.
"""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.model_fields
import rulings.guide
import tournaments.models.codes


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0001_initial"),
        ("tournaments", "0002_avoid_group"),
        ("tournaments", "0003_exact_match_points"),
        ("tournaments", "0004_decks_checked_and_shown"),
        ("tournaments", "0005_first_receipts"),
        ("tournaments", "0006_tables_picked_for_a_deck_check"),
        ("tournaments", "0007_the_day_itself"),
        ("tournaments", "0008_the_meeting_and_the_news"),
        ("tournaments", "0009_phones_that_are_told"),
        ("tournaments", "0010_penalties"),
        ("tournaments", "0011_local_rulings_again"),
        ("tournaments", "0012_penalties_that_drop"),
        ("tournaments", "0013_bases_of_local_rulings"),
        ("tournaments", "0014_programs_elsewhere"),
        ("tournaments", "0015_cuts_played_elsewhere"),
        ("tournaments", "0016_staff_second_factor"),
        ("tournaments", "0017_backups"),
        ("tournaments", "0018_hall_version"),
        ("tournaments", "0019_job_enqueued_at"),
        ("tournaments", "0020_encrypted_webhook_secrets"),
        ("tournaments", "0021_new_players_limited"),
        ("tournaments", "0022_no_rows_of_backups"),
        ("tournaments", "0023_version_of_own_pages"),
        ("tournaments", "0024_adopted_while_public"),
        ("tournaments", "0025_facts_of_an_event"),
        ("tournaments", "0026_ratings"),
        ("tournaments", "0027_player_merges"),
        ("tournaments", "0028_paid_marks"),
        ("tournaments", "0029_day_two_and_waiting_places"),
        ("tournaments", "0030_outlook"),
        ("tournaments", "0031_series_and_invitations"),
        ("tournaments", "0032_seeds_of_a_cut_shown"),
        ("tournaments", "0033_forecast"),
        ("tournaments", "0034_deck_check_words"),
        ("tournaments", "0035_encrypted_channels_and_phones"),
        ("tournaments", "0036_players_in_and_out"),
        ("tournaments", "0037_avoid_second_meetings"),
        ("tournaments", "0038_index_events_by_day"),
    ]

    initial = True

    dependencies = [
        ("decks", "0004_notices_on_versions"),
        ("matches", "0002_initial"),
        ("players", "0006_player_merges"),
        ("rulings", "0012_local_rulings_by_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("who", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("answer", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("who", "key"), name="tournaments_one_answer_a_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("moved", models.JSONField(default=dict)),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "merged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "undone_by",
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
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)),
                        fields=("merged",),
                        name="a_record_is_merged_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kept", models.F("merged")), _negated=True),
                        name="two_records_are_merged",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
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
                ("day", models.DateField()),
                ("value", models.FloatField()),
                ("deviation", models.FloatField()),
                ("volatility", models.FloatField(blank=True, null=True)),
                ("games", models.PositiveIntegerField()),
                ("events", models.PositiveIntegerField()),
                ("is_current", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "ordering": ["game", "player", "day"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_current", True)),
                        fields=["game", "-value"],
                        name="current_ratings",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "game", "day"), name="one_rating_a_player_and_day"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("player", "game"),
                        name="one_current_rating",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingRun",
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
                ("begun", models.PositiveIntegerField(default=0)),
                ("written", models.PositiveIntegerField(default=0)),
                ("events", models.PositiveIntegerField(default=0)),
                ("computed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("slug", models.SlugField(max_length=140, unique=True)),
                ("description", models.TextField(blank=True)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "public: listed, anybody can read it"),
                            ("unlisted", "unlisted: anybody with the address can read it"),
                            ("private", "private: only its players and staff"),
                        ],
                        default="public",
                        max_length=10,
                    ),
                ),
                (
                    "scoring",
                    models.CharField(
                        choices=[("places", "points by place"), ("match_points", "match points")],
                        default="places",
                        max_length=14,
                    ),
                ),
                ("place_points", models.JSONField(default=list)),
                ("points_for_playing", models.PositiveSmallIntegerField(default=0)),
                ("best_of", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("planned_events", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("tie_breakers", models.JSONField(default=list)),
                ("qualify_per_event", models.PositiveSmallIntegerField(default=0)),
                ("qualify_by_table", models.PositiveSmallIntegerField(default=0)),
                ("passes_down", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "series",
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="series_has_a_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeriesLogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("series created", "series created"),
                            ("series changed", "series settings changed"),
                            ("series handed over", "series handed over"),
                            ("event added", "event added"),
                            ("event taken out", "event removed"),
                            ("organiser added", "organiser added"),
                            ("organiser removed", "organiser removed"),
                            ("evenings planned", "recurring events scheduled"),
                            ("evenings changed", "recurring events changed"),
                            ("evenings stopped", "recurring events stopped"),
                            ("evening skipped", "event skipped"),
                            ("evening kept", "event no longer skipped"),
                            ("evening opened", "event opened automatically"),
                            ("players invited", "players invited"),
                        ],
                        max_length=30,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=160)),
                ("before", models.JSONField(blank=True, default=dict)),
                ("after", models.JSONField(blank=True, default=dict)),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="tournaments.series",
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
            ],
            options={
                "verbose_name_plural": "series log entries",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="SeriesStaff",
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
                        choices=[("owner", "owner"), ("organiser", "organiser")], max_length=12
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff",
                        to="tournaments.series",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "series staff",
                "ordering": ["series", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("series", "user"), name="one_series_role_an_account"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("role", "owner")),
                        fields=("series",),
                        name="one_owner_a_series",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("slug", models.SlugField(max_length=140, unique=True)),
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
                ("starts_on", models.DateField()),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("location", models.CharField(blank=True, max_length=120)),
                ("description", models.TextField(blank=True)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "public: listed, anybody can read it"),
                            ("unlisted", "unlisted: anybody with the address can read it"),
                            ("private", "private: only its players and staff"),
                        ],
                        default="public",
                        max_length=10,
                    ),
                ),
                (
                    "join_code",
                    models.CharField(
                        default=tournaments.models.codes.new_join_code, max_length=6, unique=True
                    ),
                ),
                ("registration_is_open", models.BooleanField(default=True)),
                ("registration_closes_at", models.DateTimeField(blank=True, null=True)),
                (
                    "max_players",
                    models.PositiveSmallIntegerField(blank=True, default=256, null=True),
                ),
                ("scoring_rule", models.CharField(default="onr_runner_only", max_length=40)),
                ("tie_breakers", models.JSONField(default=list)),
                ("bye_points", models.SmallIntegerField(default=20)),
                ("planned_rounds", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("round_minutes", models.PositiveSmallIntegerField(default=75)),
                ("seed", models.PositiveBigIntegerField(default=tournaments.models.codes.new_seed)),
                ("decks_required", models.BooleanField(default=True)),
                ("deck_rules", models.JSONField(default=dict)),
                ("decks_locked_at", models.DateTimeField(blank=True, null=True)),
                ("decks_revealed_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("decks_close_at", models.DateTimeField(blank=True, null=True)),
                (
                    "identities_shown",
                    models.CharField(
                        choices=[
                            ("round_one", "once round 1 is published"),
                            ("with_decks", "only to people who can see the decklist"),
                        ],
                        default="round_one",
                        max_length=12,
                    ),
                ),
                ("confirm_after_minutes", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("drops_absent", models.BooleanField(default=False)),
                ("feature_tables", models.CharField(blank=True, max_length=60)),
                ("has_waiting_list", models.BooleanField(default=False)),
                (
                    "late_entry",
                    models.CharField(
                        choices=[
                            ("nobody", "no late entries after round 1"),
                            ("losses", "missed rounds score nothing"),
                            ("half", "missed rounds score half a bye"),
                            ("byes", "missed rounds score a full bye"),
                        ],
                        default="losses",
                        max_length=10,
                    ),
                ),
                ("late_entry_until", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("no_show_minutes", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("overtime_minutes", models.PositiveSmallIntegerField(default=0)),
                (
                    "practice_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practices",
                        to="tournaments.tournament",
                    ),
                ),
                ("table_numbers", models.CharField(blank=True, max_length=120)),
                ("meeting_seats", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("staff_need_second_factor", models.BooleanField(default=False)),
                ("hall_version", models.PositiveIntegerField(db_default=1, default=1)),
                (
                    "guests_per_address",
                    models.PositiveSmallIntegerField(blank=True, default=150, null=True),
                ),
                (
                    "address",
                    models.CharField(blank=True, db_default="", default="", max_length=200),
                ),
                (
                    "contact",
                    models.CharField(blank=True, db_default="", default="", max_length=120),
                ),
                ("end_time", models.TimeField(blank=True, null=True)),
                ("ends_on", models.DateField(blank=True, null=True)),
                (
                    "entry_fee",
                    models.CharField(blank=True, db_default="", default="", max_length=80),
                ),
                ("links", models.TextField(blank=True, db_default="", default="", max_length=2000)),
                ("start_time", models.TimeField(blank=True, null=True)),
                ("rated", models.BooleanField(db_default=True, default=True)),
                ("day_two_on", models.DateField(blank=True, null=True)),
                ("day_two_opened_at", models.DateTimeField(blank=True, null=True)),
                ("day_two_round", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("day_two_time", models.TimeField(blank=True, null=True)),
                ("planned_cut", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("shows_needs", models.BooleanField(db_default=True, default=True)),
                ("invitation_only", models.BooleanField(db_default=False, default=False)),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="tournaments.series",
                    ),
                ),
                ("avoid_second_meetings", models.BooleanField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-starts_on", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="tournament_has_a_name",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("round_minutes__gte", 5)),
                        name="round_lasts_five_minutes",
                    ),
                ],
                "indexes": [
                    models.Index(fields=["visibility", "starts_on", "id"], name="events_by_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="Announcing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("webhook", core.model_fields.EncryptedField(blank=True, max_length=500)),
                ("tells_pairings", models.BooleanField(default=True)),
                ("tells_standings", models.BooleanField(default=True)),
                ("allows_mail", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcing",
                        to="tournaments.tournament",
                    ),
                ),
                ("allows_push", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(max_length=80)),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("read", "read everything you can see"),
                            ("results", "also report, confirm and enter results"),
                            ("manage", "also do everything else you can do"),
                        ],
                        max_length=10,
                    ),
                ),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "digest"],
            },
        ),
        migrations.CreateModel(
            name="DeckCheckDraw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round_number", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("seed", models.PositiveBigIntegerField(blank=True, null=True)),
                ("drawn_at", models.DateTimeField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deck_check_draws",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_draw_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EveningPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_on", models.DateField()),
                (
                    "rhythm",
                    models.CharField(
                        choices=[
                            ("weekly", "every week"),
                            ("fortnightly", "every second week"),
                            ("monthly", "the same weekday of each month"),
                        ],
                        default="weekly",
                        max_length=12,
                    ),
                ),
                ("starts_at", models.TimeField()),
                ("time_zone", models.CharField(max_length=64)),
                ("days_before", models.PositiveSmallIntegerField(default=6)),
                ("opens_at", models.TimeField()),
                ("last_on", models.DateField(blank=True, null=True)),
                ("with_roster", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("stopped_why", models.CharField(blank=True, max_length=200)),
                (
                    "template",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="plans",
                        to="tournaments.series",
                    ),
                ),
            ],
            options={
                "ordering": ["series", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("dialect", models.CharField(max_length=20)),
                ("file_name", models.CharField(blank=True, max_length=200)),
                ("digest", models.CharField(db_index=True, max_length=64)),
                ("notices", models.JSONField(default=list)),
                ("differences", models.JSONField(default=list)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported_file",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="InfractionChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.SlugField(max_length=60)),
                ("name", models.CharField(blank=True, max_length=120)),
                ("description", models.CharField(blank=True, max_length=500)),
                ("ladder", models.JSONField(blank=True, default=list)),
                ("is_off", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="infraction_changes",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "code"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "code"), name="an_infraction_is_changed_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="InvitedPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("how", models.CharField(blank=True, max_length=400)),
                ("invited_at", models.DateTimeField(auto_now_add=True)),
                ("declined_at", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invited",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.series",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "player"), name="invited_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=120, unique=True)),
                ("payload", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("parked", "stopped after five failures"),
                        ],
                        db_index=True,
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("error", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="tournaments.tournament",
                    ),
                ),
                ("enqueued_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="LocalRuling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rulings.ruling",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="local_rulings",
                        to="tournaments.tournament",
                    ),
                ),
                ("made_here", models.BooleanField(default=True)),
                (
                    "basis",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="rulings.judgenote",
                    ),
                ),
                ("adopted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["tournament", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "ruling"), name="a_local_ruling_holds_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("made_here", True)),
                        fields=("ruling",),
                        name="a_local_ruling_is_made_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "on the waiting list"),
                            ("registered", "registered"),
                            ("checked_in", "checked in"),
                            ("dropped", "dropped"),
                        ],
                        default="registered",
                        max_length=12,
                    ),
                ),
                ("first_round_bye", models.BooleanField(default=False)),
                ("seed", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("joined_in_round", models.PositiveSmallIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("checked_in_at", models.DateTimeField(blank=True, null=True)),
                ("dropped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to="tournaments.tournament",
                    ),
                ),
                ("avoid_group", models.CharField(blank=True, max_length=40)),
                ("avoids_stream", models.BooleanField(default=False)),
                (
                    "dropped_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("player", "left the event"),
                            ("staff", "dropped by the staff"),
                            ("absent", "not checked in when round 1 was published"),
                            ("no_show", "did not come to the table"),
                            ("day_two", "not checked in for day 2"),
                        ],
                        max_length=10,
                    ),
                ),
                ("fixed_table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("meeting_table", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=0)),
                ("paid_at", models.DateTimeField(blank=True, null=True)),
                ("day_two_at", models.DateTimeField(blank=True, null=True)),
                ("waiting_rank", models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["tournament", "player__sort_key", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "player"), name="one_place_for_a_player"
                    ),
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_player_a_number"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Staff",
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
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("head_judge", "head judge"),
                            ("judge", "judge"),
                            ("streamer", "streamer"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "staff",
                "ordering": ["tournament", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "user"), name="one_role_for_an_account"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("role", "owner")),
                        fields=("tournament",),
                        name="one_owner_an_event",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StaffInvitation",
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
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("head_judge", "head judge"),
                            ("judge", "judge"),
                            ("streamer", "streamer"),
                        ],
                        max_length=20,
                    ),
                ),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("note", models.CharField(blank=True, max_length=80)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("ends_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "used_by",
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
                "ordering": ["tournament", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role", "owner"), _negated=True),
                        name="nobody_is_invited_to_own",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "system",
                    models.CharField(
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
                ("scoring_rule", models.CharField(default="onr_runner_only", max_length=40)),
                ("fixed_bracket", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="tournaments.tournament",
                    ),
                ),
                ("decks_shown_at", models.DateTimeField(blank=True, null=True)),
                (
                    "decks_shown_to",
                    models.CharField(
                        choices=[
                            ("private", "nobody else"),
                            ("opponent", "the opponent, once the table is published"),
                            ("cut", "players in the cut, each other's decks"),
                            ("participants", "all players of the event"),
                            ("public", "everyone who can see the event"),
                        ],
                        default="private",
                        max_length=12,
                    ),
                ),
                ("seeds_shown_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["tournament", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_stage_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("abr_event", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting to be sent"),
                            ("sending", "being sent"),
                            ("code", "sent; enter the code at AlwaysBeRunning"),
                            ("concluded", "concluded at AlwaysBeRunning"),
                            ("failed", "refused; you can send it again"),
                            (
                                "unknown",
                                "sent, but no answer; check AlwaysBeRunning before you send it again",
                            ),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=20)),
                ("page", models.CharField(blank=True, max_length=300)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploads",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("waiting", "sending"))),
                        fields=("tournament",),
                        name="one_open_upload_an_event",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=300)),
                ("secret", core.model_fields.EncryptedField(max_length=400)),
                ("events", models.JSONField(default=list)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                ("disabled_why", models.CharField(blank=True, max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "pk"],
            },
        ),
        migrations.CreateModel(
            name="DeckSubmission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("received_at", models.DateTimeField()),
                ("locked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.decklistversion",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deck_submissions",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "locked_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("player", "by the player"),
                            ("deadline", "by the deadline"),
                            ("staff", "by the staff"),
                        ],
                        max_length=10,
                    ),
                ),
            ],
            options={
                "ordering": ["registration", "side"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("registration", "side"), name="one_deck_a_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("locked_at__isnull", True),
                            models.Q(("locked_by", ""), _negated=True),
                            _connector="XOR",
                        ),
                        name="locked_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MailWish",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "registration",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_wish",
                        to="tournaments.registration",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PlannedEvening",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("is_skipped", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evenings",
                        to="tournaments.eveningplan",
                    ),
                ),
            ],
            options={
                "ordering": ["plan", "day"],
                "constraints": [
                    models.UniqueConstraint(fields=("plan", "day"), name="an_evening_is_made_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.CharField(max_length=500)),
                ("p256dh", models.CharField(max_length=90)),
                ("auth", core.model_fields.EncryptedField(max_length=200)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phones",
                        to="tournaments.registration",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("registration", "endpoint"), name="one_subscription_a_phone"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("published", "published"),
                            ("running", "running"),
                            ("closed", "closed"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("seed", models.PositiveBigIntegerField()),
                ("certificate", models.JSONField(default=dict)),
                ("relaxations", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("published_at", models.DateTimeField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="tournaments.stage",
                    ),
                ),
                ("extra_minutes", models.SmallIntegerField(default=0)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("paused_seconds", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["stage", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="one_round_a_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="StageEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seed", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("declined", models.BooleanField(default=False)),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="tournaments.stage",
                    ),
                ),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "stage entries",
                "ordering": ["stage", models.OrderBy(models.F("seed"), nulls_last=True), "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("stage", "registration"), name="one_entry_a_stage"
                    ),
                    models.UniqueConstraint(fields=("stage", "seed"), name="one_player_a_seed"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("declined", True), ("seed__isnull", False), _connector="XOR"
                        ),
                        name="a_seed_or_declined",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StatedIdentity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[("corp", "Corp"), ("runner", "Runner")], max_length=10
                    ),
                ),
                ("title", models.CharField(max_length=200)),
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
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stated_identities",
                        to="tournaments.registration",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stated identities",
                "ordering": ["registration", "side"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("registration", "side"), name="one_stated_identity_a_side"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("round.published", "a round is published"),
                            ("round.started", "a round has begun"),
                            ("result.settled", "a result is settled or changed"),
                            ("round.closed", "a round is closed"),
                            ("standings.updated", "there are new standings"),
                            ("cut.made", "the cut is made"),
                            ("event.finished", "the event is over"),
                            ("test", "somebody wants to see whether it arrives"),
                        ],
                        max_length=30,
                    ),
                ),
                ("payload", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("given_up", "not delivered"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("last_status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("next_try_at", models.DateTimeField(blank=True, null=True)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tournaments.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "ordering": ["webhook", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="DeckCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_number", models.PositiveSmallIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not checked yet"),
                            ("fine", "no problems"),
                            ("mended", "problem fixed on the spot"),
                            ("wrong", "deck does not match the list"),
                            ("illegal", "illegal decklist"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "checked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checks",
                        to="tournaments.decksubmission",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.decklistversion",
                    ),
                ),
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="checks",
                        to="tournaments.deckcheckdraw",
                    ),
                ),
            ],
            options={
                "ordering": ["draw", "table_number", "submission"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("draw", "submission"), name="one_check_of_a_deck"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("checked_at__isnull", True),
                            models.Q(("outcome", ""), _negated=True),
                            _connector="XOR",
                        ),
                        name="checked_with_an_outcome",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckReceipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("received_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=500)),
                (
                    "received_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipts",
                        to="tournaments.decksubmission",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="decks.decklistversion",
                    ),
                ),
            ],
            options={
                "ordering": ["submission", "-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("submission", "number"), name="one_receipt_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Forecast",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("places", models.PositiveSmallIntegerField()),
                ("rounds_left", models.PositiveSmallIntegerField()),
                ("runs", models.PositiveSmallIntegerField()),
                ("times_in", models.JSONField(default=dict)),
                ("computed_at", models.DateTimeField(auto_now=True)),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="forecast",
                        to="tournaments.round",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Outlook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("places", models.PositiveSmallIntegerField()),
                ("open_tables", models.PositiveSmallIntegerField()),
                ("needs", models.JSONField(default=dict)),
                ("computed_at", models.DateTimeField(auto_now=True)),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outlook",
                        to="tournaments.round",
                    ),
                ),
                ("players_in", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("players_out", models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Pairing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("bye_points", models.SmallIntegerField(blank=True, null=True)),
                ("cost", models.JSONField(default=dict)),
                ("reasons", models.JSONField(default=list)),
                ("made_by_hand", models.BooleanField(default=False)),
                ("is_locked", models.BooleanField(default=False)),
                ("bracket_game", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.match",
                    ),
                ),
                (
                    "advances",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "bye",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="byes",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pairings",
                        to="tournaments.round",
                    ),
                ),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": [
                    "round",
                    models.OrderBy(models.F("table_number"), nulls_last=True),
                    "pk",
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("match", None), ("bye", None), _connector="XOR"),
                        name="match_or_bye",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bye", None), ("bye_points__isnull", False), _connector="XOR"
                        ),
                        name="a_bye_has_points",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("match", None), ("table_number__isnull", False), _connector="XOR"
                        ),
                        name="a_match_has_a_table",
                    ),
                    models.UniqueConstraint(
                        fields=("round", "table_number"), name="one_match_a_table"
                    ),
                    models.UniqueConstraint(fields=("round", "bye"), name="one_bye_a_round"),
                    models.UniqueConstraint(
                        fields=("round", "bracket_game"), name="a_bracket_game_is_played_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StandingSnapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("computed_at", models.DateTimeField(auto_now_add=True)),
                ("tournament_version", models.PositiveIntegerField()),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshots",
                        to="tournaments.round",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshots",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("told_at", models.DateTimeField(auto_now_add=True)),
                ("applied_at", models.DateTimeField(blank=True, null=True)),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="tournaments.pairing",
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
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.registration",
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
            ],
            options={
                "ordering": ["pairing", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pairing", "registration"), name="a_player_is_missing_once_a_table"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("action", models.CharField(max_length=40)),
                ("subject", models.CharField(blank=True, max_length=160)),
                ("before", models.JSONField(blank=True, default=dict)),
                ("after", models.JSONField(blank=True, default=dict)),
                ("reason", models.TextField(blank=True)),
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
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.round",
                    ),
                ),
                (
                    "undoes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="undone_by",
                        to="tournaments.logentry",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "log entries",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Penalty",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("infraction", models.SlugField(max_length=60)),
                ("infraction_name", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("caution", "Caution"),
                            ("warning", "Warning"),
                            ("game_loss", "Game loss"),
                            ("match_loss", "Match loss"),
                            ("disqualification", "Disqualification"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "expected",
                    models.CharField(
                        choices=[
                            ("caution", "Caution"),
                            ("warning", "Warning"),
                            ("game_loss", "Game loss"),
                            ("match_loss", "Match loss"),
                            ("disqualification", "Disqualification"),
                        ],
                        max_length=20,
                    ),
                ),
                ("game", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("given_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "note",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="penalty",
                        to="rulings.judgenote",
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="penalties",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="penalties",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="penalties",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("dropped", models.BooleanField(default=False)),
                ("withdrawn_reason", models.TextField(blank=True)),
            ],
            options={
                "verbose_name_plural": "penalties",
                "ordering": ["tournament", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("game", None),
                            ("kind", rulings.guide.PenaltyKind["GAME_LOSS"]),
                            _connector="OR",
                        ),
                        name="only_a_game_loss_names_a_game",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField()),
                ("match_points", core.model_fields.ExactField()),
                ("tie_breakers", models.JSONField(default=dict)),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "snapshot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="tournaments.standingsnapshot",
                    ),
                ),
            ],
            options={
                "ordering": ["snapshot", "rank"],
                "constraints": [
                    models.UniqueConstraint(fields=("snapshot", "rank"), name="one_player_a_rank"),
                    models.UniqueConstraint(
                        fields=("snapshot", "registration"), name="one_rank_for_a_player"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="Series",
            name="target",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="qualified_from",
                to="tournaments.tournament",
            ),
        ),
    ]
