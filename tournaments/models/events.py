"""The event itself and the people who run it."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import models
from django.urls import reverse

from core.time_zones import known_zones
from decks import games
from tournaments.models import facts
from tournaments.models.codes import new_join_code, new_seed


class Visibility(models.TextChoices):
    PUBLIC = "public", "public: listed, anybody can read it"
    UNLISTED = "unlisted", "unlisted: anybody with the address can read it"
    PRIVATE = "private", "private: only its players and staff"


class DeckAudience(models.TextChoices):
    """Who sees the deck lists of a stage, besides their players and the judges; each sees more."""

    PRIVATE = "private", "nobody else"
    OPPONENT = "opponent", "the opponent, from when the table is published"
    CUT = "cut", "players of the cut see each other's"
    PARTICIPANTS = "participants", "all players of the event"
    PUBLIC = "public", "everybody who can read the event"


class IdentitiesShown(models.TextChoices):
    """When the identities of the decks stand beside the names."""

    ROUND_ONE = "round_one", "once round 1 is published"
    WITH_DECKS = "with_decks", "only to those who see the whole list"


class LateEntry(models.TextChoices):
    """What somebody who comes after round 1 has from the rounds they missed."""

    NOBODY = "nobody", "nobody comes in after round 1"
    LOSSES = "losses", "missed rounds bring nothing"
    HALF = "half", "missed rounds bring half the points of a bye"
    BYES = "byes", "missed rounds bring the points of a bye"


class Tournament(models.Model):
    """One event with its rules.

    `version` grows with every change the public can see: the ETag of its
    pages and the compare-and-set of pairing. `hall_version` grows with those
    that more than one table can see. `seed` is where all chance of
    the event comes from. `deck_rules` are the settings of decks.legality;
    decks are pinned to `starts_on`. From `decks_close_at` on no player changes a list, and
    `decks_locked_at` is when the staff locked all. `decks_revealed_at` shows every list to
    everybody, whatever the stages say.

    `table_numbers` and `feature_tables` are ranges as they were typed ("1-20, 31"); an empty one
    means 1, 2, 3 ... and none. `confirm_after_minutes` settles a report nobody answers;
    `no_show_minutes` after the start of a round the table of somebody who is missing is decided.
    Empty: neither happens by itself. `guests_per_address` is how many players, with an account or
    without, may join from one address in ten minutes, empty for any number. `late_entry_until` is
    the last round somebody can come in with. `meeting_seats` are those of a table at the player
    meeting, empty while nobody is seated for it. A `practice_of` another event is a sandbox:
    private, and thrown away when it has served. The games of one that is `rated` count for the
    ratings of its players once it is finished (tournaments.ratings).

    `planned_cut` players go on to a cut, empty for none; `shows_needs` says whether everybody reads
    who is in or out before the last round is over.

    `start_time`, `ends_on` and `end_time` are days and hours of the event's own `time_zone`;
    without `ends_on` it lasts one day. An event of two days breaks once, before `day_two_round` or,
    without that, before its cut; from `day_two_opened_at` on players check in again. `links` has a
    line for each: a name, then its address.
    It counts for its `series`. Where it is `invitation_only` nobody joins but InvitedPlayers;
    the staff put anybody on the roster.
    """

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=140, unique=True)
    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    starts_on = models.DateField()
    time_zone = models.CharField(max_length=64, default="UTC")
    start_time = models.TimeField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    end_time = models.TimeField(null=True, blank=True)
    day_two_on = models.DateField(null=True, blank=True)
    day_two_time = models.TimeField(null=True, blank=True)
    day_two_round = models.PositiveSmallIntegerField(null=True, blank=True)
    day_two_opened_at = models.DateTimeField(null=True, blank=True)
    location = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=200, blank=True, default="", db_default="")
    entry_fee = models.CharField(max_length=80, blank=True, default="", db_default="")
    contact = models.CharField(max_length=120, blank=True, default="", db_default="")
    links = models.TextField(max_length=2_000, blank=True, default="", db_default="")
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )

    join_code = models.CharField(max_length=6, unique=True, default=new_join_code)
    registration_is_open = models.BooleanField(default=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    max_players = models.PositiveSmallIntegerField(null=True, blank=True, default=256)
    guests_per_address = models.PositiveSmallIntegerField(null=True, blank=True, default=150)
    has_waiting_list = models.BooleanField(default=False)
    drops_absent = models.BooleanField(default=False)
    invitation_only = models.BooleanField(default=False, db_default=False)

    scoring_rule = models.CharField(max_length=40, default="onr_runner_only")
    tie_breakers = models.JSONField(default=list)
    bye_points = models.SmallIntegerField(default=20)
    planned_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    # Of one game a match only; null: where the planned rounds fit a round robin.
    avoid_second_meetings = models.BooleanField(null=True, blank=True)
    planned_cut = models.PositiveSmallIntegerField(null=True, blank=True)
    shows_needs = models.BooleanField(default=True, db_default=True)
    round_minutes = models.PositiveSmallIntegerField(default=75)
    overtime_minutes = models.PositiveSmallIntegerField(default=0)
    table_numbers = models.CharField(max_length=120, blank=True)
    feature_tables = models.CharField(max_length=60, blank=True)
    confirm_after_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    no_show_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    meeting_seats = models.PositiveSmallIntegerField(null=True, blank=True)
    late_entry = models.CharField(
        max_length=10, choices=LateEntry.choices, default=LateEntry.LOSSES
    )
    late_entry_until = models.PositiveSmallIntegerField(null=True, blank=True)
    seed = models.PositiveBigIntegerField(default=new_seed)

    decks_required = models.BooleanField(default=True)
    deck_rules = models.JSONField(default=dict)
    decks_close_at = models.DateTimeField(null=True, blank=True)
    decks_locked_at = models.DateTimeField(null=True, blank=True)
    decks_revealed_at = models.DateTimeField(null=True, blank=True)
    identities_shown = models.CharField(
        max_length=12, choices=IdentitiesShown.choices, default=IdentitiesShown.ROUND_ONE
    )

    staff_need_second_factor = models.BooleanField(default=False)
    rated = models.BooleanField(default=True, db_default=True)
    series = models.ForeignKey(
        "tournaments.Series", models.SET_NULL, null=True, blank=True, related_name="events"
    )
    practice_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="practices"
    )
    version = models.PositiveIntegerField(default=1)
    hall_version = models.PositiveIntegerField(default=1, db_default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Time of the last step of an import in progress. The event is hidden until this is null.
    import_touched_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-starts_on", "-pk"]
        indexes = [
            # Lists count and sort public events without reading their rows.
            models.Index(
                fields=["visibility", "starts_on", "id", "practice_of", "finished_at"],
                name="listed_events_by_day",
            ),
            models.Index(
                fields=["import_touched_at"],
                condition=models.Q(import_touched_at__isnull=False),
                name="imports_in_progress",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="tournament_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(round_minutes__gte=5), name="round_lasts_five_minutes"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.slug])

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def is_practice(self) -> bool:
        return self.practice_of_id is not None

    @property
    def game_played(self) -> games.Game:
        """The record of its game."""
        return games.GAMES[self.game]

    @property
    def has_decks(self) -> bool:
        """Whether players hand in decks."""
        return self.game_played.has_decks

    @property
    def last_day(self) -> date:
        """The day it ends; the first one where nobody said another."""
        return max(
            self.starts_on, self.ends_on or self.starts_on, self.day_two_on or self.starts_on
        )

    @property
    def is_one_day(self) -> bool:
        """Whether it lasts a day, or an evening that ends after midnight."""
        days = (self.last_day - self.starts_on).days
        into_the_night = self.start_time and self.end_time and self.end_time <= self.start_time
        return days == 0 or (days == 1 and bool(into_the_night) and self.day_two_on is None)

    @property
    def starts_at(self) -> datetime | None:
        """The moment it begins; None while only the day is known."""
        return self._moment(self.starts_on, self.start_time)

    @property
    def day_two_at(self) -> datetime | None:
        """The moment day 2 begins; None while only the day is known, or there is none."""
        return self._moment(self.day_two_on, self.day_two_time) if self.day_two_on else None

    @property
    def ends_at(self) -> datetime | None:
        """The moment it is expected to end; None where it is not known, or not after the start."""
        ends, starts = self._moment(self.last_day, self.end_time), self.starts_at
        return ends if ends and starts and ends > starts else None

    def closes_on(self, day: date) -> datetime | None:
        """The moment this day of it must be over, as when a shop closes; None if nobody said."""
        closes = self._moment(day, self.end_time)
        starts = self.day_two_time if day == self.day_two_on else self.start_time
        if closes and starts and self.end_time:
            # An evening may end after midnight.
            return closes + timedelta(days=self.end_time <= starts)
        return closes

    def _moment(self, day: date, hour: time | None) -> datetime | None:
        zone = ZoneInfo(self.time_zone if self.time_zone in known_zones() else "UTC")
        return datetime.combine(day, hour, zone) if hour else None

    @property
    def map_address(self) -> str:
        """A map of where it is; only an address can be found on one."""
        return facts.map_address(self.address)

    @property
    def contact_address(self) -> str:
        """What a click on the contact opens, if anything."""
        return facts.contact_address(self.contact)

    @property
    def known_links(self) -> list[facts.Link]:
        """Pages elsewhere that belong to it."""
        return facts.known_links(self.links)
