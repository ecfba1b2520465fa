"""Links, map URL and contact URL of an event, parsed from typed text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from django.db import models
from django.urls import reverse

from core.time_zones import known_zones
from decks import games
from players.models import User
from tournaments.models.codes import new_join_code, new_seed

MAP_SEARCH = "https://www.openstreetmap.org/search?query="
EMAIL_ADDRESS = re.compile(r"[^\s@:/?&]+@[^\s@:/?&]+\.[^\s@:/?&]+")
WEB_ADDRESS = re.compile(r"https?://\S+")
MOST_LINKS = 10


class LinkError(ValueError):
    """A line without a valid URL."""


@dataclass(frozen=True)
class Link:
    """A link to another site, with its label."""

    name: str
    address: str


def parse_links(typed: str) -> Iterator[Link]:
    """Parse one link per line, its name before its URL. Raise LinkError."""
    for line in filter(None, map(str.strip, typed.splitlines())):
        yield _parse_link(line)


def parse_stored_links(kept: str) -> list[Link]:
    """Parse stored links, skipping invalid lines."""
    found = (_parse_link_or_none(line.strip()) for line in kept.splitlines())
    return [link for link in found if link][:MOST_LINKS]


def map_url(place: str) -> str:
    """URL of a map of this place; empty without a place."""
    return f"{MAP_SEARCH}{quote(place, safe='')}" if place else ""


def contact_url(contact: str) -> str:
    """The `mailto:` or web URL of a contact, or ""."""
    if EMAIL_ADDRESS.fullmatch(contact):
        return f"mailto:{quote(contact, safe='@')}"
    return contact if WEB_ADDRESS.fullmatch(contact) and _has_host(contact) else ""


def _parse_link(line: str) -> Link:
    name, _, address = line.rpartition(" ")
    if not WEB_ADDRESS.fullmatch(address) or not _has_host(address):
        raise LinkError(line)
    return Link(name.strip(" :-") or address, address)


def _parse_link_or_none(line: str) -> Link | None:
    try:
        return _parse_link(line)
    except LinkError:
        return None


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        # An unbalanced bracket, as in http://[.
        return False


# The event itself, with its settings.


class Visibility(models.TextChoices):
    PUBLIC = "public", "public: listed, anybody can read it"
    UNLISTED = "unlisted", "unlisted: anybody with the address can read it"
    PRIVATE = "private", "private: only its players and staff"


class DeckAudience(models.TextChoices):
    """The readers of a stage's decklists, apart from the deck's owner and the judges.

    Each value includes the audiences before it.
    """

    PRIVATE = "private", "nobody else"
    OPPONENT = "opponent", "the opponent, from when the table is published"
    CUT = "cut", "players of the cut see each other's"
    PARTICIPANTS = "participants", "all players of the event"
    PUBLIC = "public", "everybody who can read the event"


class IdentitiesShown(models.TextChoices):
    """The moment from which identities are shown beside names."""

    ROUND_ONE = "round_one", "once round 1 is published"
    WITH_DECKS = "with_decks", "only to those who see the whole list"


class LateEntry(models.TextChoices):
    """The points a late entry gets for missed rounds."""

    NOBODY = "nobody", "nobody comes in after round 1"
    LOSSES = "losses", "missed rounds bring nothing"
    HALF = "half", "missed rounds bring half the points of a bye"
    BYES = "byes", "missed rounds bring the points of a bye"


class Tournament(models.Model):
    """An event with its rules."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=140, unique=True)
    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    # All dates and times without a zone are local to the event's `time_zone`. Decks are checked as
    # of `starts_on`.
    starts_on = models.DateField()
    time_zone = models.CharField(max_length=64, default="UTC")
    start_time = models.TimeField(null=True, blank=True)
    # Null for an event of one day.
    ends_on = models.DateField(null=True, blank=True)
    end_time = models.TimeField(null=True, blank=True)
    # A two-day event breaks once: before `day_two_round` or, if that is null, before its cut.
    # Players check in again from `day_two_opened_at`.
    day_two_on = models.DateField(null=True, blank=True)
    day_two_time = models.TimeField(null=True, blank=True)
    day_two_round = models.PositiveSmallIntegerField(null=True, blank=True)
    day_two_opened_at = models.DateTimeField(null=True, blank=True)
    location = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=200, blank=True, default="", db_default="")
    entry_fee = models.CharField(max_length=80, blank=True, default="", db_default="")
    contact = models.CharField(max_length=120, blank=True, default="", db_default="")
    # One link per line: a name, then its URL.
    links = models.TextField(max_length=2_000, blank=True, default="", db_default="")
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )

    join_code = models.CharField(max_length=6, unique=True, default=new_join_code)
    registration_is_open = models.BooleanField(default=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    max_players = models.PositiveSmallIntegerField(null=True, blank=True, default=256)
    # Players, with or without an account, who may join from one network address within ten minutes.
    # Null for no limit.
    guests_per_address = models.PositiveSmallIntegerField(null=True, blank=True, default=150)
    has_waiting_list = models.BooleanField(default=False)
    drops_absent = models.BooleanField(default=False)
    # Only invited players can join; the staff can add anybody to the roster.
    invitation_only = models.BooleanField(default=False, db_default=False)

    scoring_rule = models.CharField(max_length=40, default="onr_runner_only")
    tie_breakers = models.JSONField(default=list)
    bye_points = models.SmallIntegerField(default=20)
    planned_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    # Applies only to matches of one game. Null: on if the planned rounds fit a round robin.
    avoid_second_meetings = models.BooleanField(null=True, blank=True)
    # Number of players in the cut; null for no cut.
    planned_cut = models.PositiveSmallIntegerField(null=True, blank=True)
    # Everybody can see during the last round which players are in or out of the cut.
    shows_needs = models.BooleanField(default=True, db_default=True)
    round_minutes = models.PositiveSmallIntegerField(default=75)
    overtime_minutes = models.PositiveSmallIntegerField(default=0)
    # Both are ranges as typed, such as "1-20, 31". Empty means 1, 2, 3 ... and no feature tables.
    table_numbers = models.CharField(max_length=120, blank=True)
    feature_tables = models.CharField(max_length=60, blank=True)
    # Minutes until an unanswered report is confirmed automatically; null for never.
    confirm_after_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # Minutes after the start of a round until a missing player loses; null for never.
    no_show_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # Seats per table at the player meeting; null while no seating exists.
    meeting_seats = models.PositiveSmallIntegerField(null=True, blank=True)
    late_entry = models.CharField(
        max_length=10, choices=LateEntry.choices, default=LateEntry.LOSSES
    )
    # The last round in which a late entry can start.
    late_entry_until = models.PositiveSmallIntegerField(null=True, blank=True)
    # All random draws of the event derive from this seed.
    seed = models.PositiveBigIntegerField(default=new_seed)

    decks_required = models.BooleanField(default=True)
    # Settings of decks.legality.
    deck_rules = models.JSONField(default=dict)
    # Players cannot change their decks after this.
    decks_close_at = models.DateTimeField(null=True, blank=True)
    # When the staff locked all decks.
    decks_locked_at = models.DateTimeField(null=True, blank=True)
    # Everybody can see all decks from here, regardless of the stages' settings.
    decks_revealed_at = models.DateTimeField(null=True, blank=True)
    identities_shown = models.CharField(
        max_length=12, choices=IdentitiesShown.choices, default=IdentitiesShown.ROUND_ONE
    )

    staff_need_second_factor = models.BooleanField(default=False)
    # The games count for the ratings once the event is finished (tournaments.ratings).
    rated = models.BooleanField(default=True, db_default=True)
    series = models.ForeignKey(
        "tournaments.Series", models.SET_NULL, null=True, blank=True, related_name="events"
    )
    # Set for a practice event, a private copy that is deleted after use.
    practice_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="practices"
    )
    # Increases with every public change; used for the ETags of pages and to compare-and-set
    # pairings.
    version = models.PositiveIntegerField(default=1)
    # Increases with public changes that affect more than one table.
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
    def game_played(self) -> games.GameDefinition:
        return games.GAMES[self.game]

    @property
    def has_decks(self) -> bool:
        return self.game_played.has_decks

    @property
    def last_day(self) -> date:
        return max(
            self.starts_on, self.ends_on or self.starts_on, self.day_two_on or self.starts_on
        )

    @property
    def is_one_day(self) -> bool:
        """Return True for an event of one day, or of one evening that ends after midnight."""
        days = (self.last_day - self.starts_on).days
        into_the_night = self.start_time and self.end_time and self.end_time <= self.start_time
        return days == 0 or (days == 1 and bool(into_the_night) and self.day_two_on is None)

    @property
    def starts_at(self) -> datetime | None:
        """Start of the event, or None if only the day is set."""
        return self._moment(self.starts_on, self.start_time)

    @property
    def day_two_at(self) -> datetime | None:
        """Start of day 2, or None if there is no day 2 or only its day is set."""
        return self._moment(self.day_two_on, self.day_two_time) if self.day_two_on else None

    @property
    def ends_at(self) -> datetime | None:
        """Expected end, or None if it is not set or not after the start."""
        ends, starts = self._moment(self.last_day, self.end_time), self.starts_at
        return ends if ends and starts and ends > starts else None

    def closes_on(self, day: date) -> datetime | None:
        """Closing time on this day, or None."""
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
        """URL of a map of the address; empty without an address."""
        return map_url(self.address)

    @property
    def contact_address(self) -> str:
        """The `mailto:` or web URL of the contact, or ""."""
        return contact_url(self.contact)

    @property
    def known_links(self) -> list[Link]:
        return parse_stored_links(self.links)


# Staff roles and invitations.


class StaffRole(models.TextChoices):
    OWNER = "owner", "owner"
    ORGANISER = "organiser", "organiser"
    SCOREKEEPER = "scorekeeper", "scorekeeper"
    HEAD_JUDGE = "head_judge", "head judge"
    JUDGE = "judge", "judge"
    STREAMER = "streamer", "streamer"


class Staff(models.Model):
    """An account's role at an event."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    role = models.CharField(max_length=20, choices=StaffRole.choices)

    class Meta:
        verbose_name_plural = "staff"
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_role_for_an_account"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=models.Q(role=StaffRole.OWNER),
                name="one_owner_an_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()}"


class StaffInvitation(models.Model):
    """A link that gives a role to the first account that opens it.

    It ends when it is used, withdrawn or expired. Only a hash of its secret is stored.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=StaffRole.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=80, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(role=StaffRole.OWNER), name="nobody_is_invited_to_own"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation as {self.get_role_display()} to {self.tournament}"
