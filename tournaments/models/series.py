"""Series: events that count together, their staff, recurring events and invitations."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from core.model_fields import label_or_text
from players.models import Player, User
from tournaments.models.event_lists import Visibility
from tournaments.models.events import Tournament


class SeriesScoring(models.TextChoices):
    PLACES = "places", gettext_lazy("points by place")
    MATCH_POINTS = "match_points", gettext_lazy("match points")


class Rhythm(models.TextChoices):
    WEEKLY = "weekly", gettext_lazy("every week")
    FORTNIGHTLY = "fortnightly", gettext_lazy("every second week")
    MONTHLY = "monthly", gettext_lazy("the same weekday of each month")


class Series(models.Model):
    """Events with a shared table. An event counts once it is finished."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=140, unique=True)
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    scoring = models.CharField(
        max_length=14, choices=SeriesScoring.choices, default=SeriesScoring.PLACES
    )
    # Points for place 1, 2 ...; later places get `points_for_playing`.
    place_points = models.JSONField(default=list)
    points_for_playing = models.PositiveSmallIntegerField(default=0)
    # Number of each player's best events that count; null for all.
    best_of = models.PositiveSmallIntegerField(null=True, blank=True)
    planned_events = models.PositiveSmallIntegerField(null=True, blank=True)
    # Ids of tournaments.series.rules.
    tie_breakers = models.JSONField(default=list)
    # Players qualify for this event: the first `qualify_per_event` of each event, then
    # `qualify_by_table` of the table. With `passes_down`, places of players who are already
    # qualified go to the next.
    target = models.ForeignKey(
        Tournament, models.SET_NULL, null=True, blank=True, related_name="qualified_from"
    )
    qualify_per_event = models.PositiveSmallIntegerField(default=0)
    qualify_by_table = models.PositiveSmallIntegerField(default=0)
    passes_down = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "series"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="series_has_a_name")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:series", args=[self.slug])


class SeriesRole(models.TextChoices):
    OWNER = "owner", gettext_lazy("owner")
    ORGANISER = "organiser", gettext_lazy("organiser")


class SeriesStaff(models.Model):
    series = models.ForeignKey(Series, models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    role = models.CharField(max_length=12, choices=SeriesRole.choices)

    class Meta:
        verbose_name_plural = "series staff"
        ordering = ["series", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["series", "user"], name="one_series_role_an_account"),
            models.UniqueConstraint(
                fields=["series"],
                condition=models.Q(role=SeriesRole.OWNER),
                name="one_owner_a_series",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()}"


class StopReason(models.TextChoices):
    EVENT_DELETED = "event_deleted", gettext_lazy("The event to copy was deleted.")
    NO_OWNER = "no_owner", gettext_lazy("The series has no owner.")
    LAST_EVENT_BEGUN = "last_event_begun", gettext_lazy("The last event has begun.")


class EveningPlan(models.Model):
    """A plan of recurring events. Each is a copy of `template`, then becomes the new template.

    Dates and times are local to `time_zone`.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="plans")
    template = models.ForeignKey(
        Tournament, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    first_on = models.DateField()
    rhythm = models.CharField(max_length=12, choices=Rhythm.choices, default=Rhythm.WEEKLY)
    starts_at = models.TimeField()
    time_zone = models.CharField(max_length=64)
    # The event is created, with open registration, this many days before it, at `opens_at`.
    days_before = models.PositiveSmallIntegerField(default=6)
    opens_at = models.TimeField()
    last_on = models.DateField(null=True, blank=True)
    with_roster = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    # A StopReason, a text of an earlier release, or empty if a person stopped the plan.
    stopped_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["series", "pk"]

    def __str__(self) -> str:
        return f"{self.get_rhythm_display()} from {self.first_on:%d.%m.%Y}"

    @property
    def is_running(self) -> bool:
        return self.stopped_at is None

    @property
    def shown_stop_reason(self) -> str:
        return label_or_text(StopReason, self.stopped_why)


class PlannedEvening(models.Model):
    """A day of a plan that is done: its event was created, or it `is_skipped`."""

    plan = models.ForeignKey(EveningPlan, models.CASCADE, related_name="evenings")
    day = models.DateField()
    event = models.ForeignKey(Tournament, models.SET_NULL, null=True, blank=True, related_name="+")
    is_skipped = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["plan", "day"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "day"], name="an_evening_is_made_once")
        ]

    def __str__(self) -> str:
        return f"{self.day:%d.%m.%Y} of {self.plan}"


class InvitedPlayer(models.Model):
    """An invitation of a player to an invitation-only event.

    A declined invitation stays, and the place passes to the next player.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invited")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    # The series in which the player qualified; null if invited by the staff.
    series = models.ForeignKey(Series, models.SET_NULL, null=True, blank=True, related_name="+")
    # How the player qualified, in words, without names.
    how = models.CharField(max_length=400, blank=True)
    invited_at = models.DateTimeField(auto_now_add=True)
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="invited_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} for {self.tournament}"


class SeriesAction(models.TextChoices):
    CREATED = "series created", gettext_lazy("series created")
    CHANGED = "series changed", gettext_lazy("series settings changed")
    HANDED_OVER = "series handed over", gettext_lazy("series handed over")
    EVENT_ADDED = "event added", gettext_lazy("event added")
    EVENT_REMOVED = "event taken out", gettext_lazy("event removed")
    ORGANISER_ADDED = "organiser added", gettext_lazy("organiser added")
    ORGANISER_REMOVED = "organiser removed", gettext_lazy("organiser removed")
    EVENINGS_PLANNED = "evenings planned", gettext_lazy("recurring events scheduled")
    EVENINGS_CHANGED = "evenings changed", gettext_lazy("recurring events changed")
    EVENINGS_STOPPED = "evenings stopped", gettext_lazy("recurring events stopped")
    EVENING_SKIPPED = "evening skipped", gettext_lazy("event skipped")
    EVENING_KEPT = "evening kept", gettext_lazy("event no longer skipped")
    EVENING_OPENED = "evening opened", gettext_lazy("event opened automatically")
    PLAYERS_INVITED = "players invited", gettext_lazy("players invited")


class SeriesLogEntry(models.Model):
    """A change of a series, appended in the transaction that made it."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="log")
    # Null for Datafort itself.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=30, choices=SeriesAction.choices)
    subject = models.CharField(max_length=160, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name_plural = "series log entries"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}".strip()
