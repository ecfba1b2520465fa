"""Ratings of players, and stored counts for the statistics."""

from django.db import models
from django.utils.translation import gettext_lazy

from decks import games
from players.models import Player
from tournaments.models.events import Tournament


class Rating(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.CharField(max_length=20, choices=games.choices())
    day = models.DateField()
    # Rating points, as in tournaments.ratings.rules. Volatility is null for pods.
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField(null=True, blank=True)
    # Total number of games and events up to this day.
    games = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
    # True for the player's newest day.
    is_current = models.BooleanField(default=False)

    class Meta:
        ordering = ["game", "player", "day"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "day"], name="one_rating_a_player_and_day"
            ),
            models.UniqueConstraint(
                fields=["player", "game"],
                condition=models.Q(is_current=True),
                name="one_current_rating",
            ),
        ]
        indexes = [
            models.Index(
                fields=["game", "-value"],
                condition=models.Q(is_current=True),
                name="current_ratings",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} on {self.day}: {self.value:.0f}"


class RatingRun(models.Model):
    """The state of rating computation for a game. Runs are numbered; a later run has newer data."""

    game = models.CharField(max_length=20, choices=games.choices(), primary_key=True)
    # Number of the newest run that began, and of the run whose ratings are stored.
    begun = models.PositiveIntegerField(default=0)
    written = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    constants = models.CharField(
        max_length=200,
        default="",
        db_default="",
        help_text=gettext_lazy("Constants of the method that computed the stored ratings."),
    )

    def __str__(self) -> str:
        return f"ratings of {self.game}"


class RatedEvent(models.Model):
    """An event as counted in the stored ratings.

    Ratings are stale from `day` on if the event's version or day changed, or if it no longer
    counts.
    """

    # Not a foreign key: the row must outlive a deleted event.
    event = models.PositiveBigIntegerField()
    game = models.CharField(max_length=20, choices=games.choices())
    day = models.DateField()
    version = models.PositiveIntegerField()
    has_games = models.BooleanField(
        help_text=gettext_lazy("True if the games of the event are rated.")
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "event"], name="one_rated_event_a_game")
        ]
        indexes = [models.Index(fields=["game", "day"], name="rated_events_by_day")]

    def __str__(self) -> str:
        return f"event {self.event} on {self.day}"


# Stored counts per event, month and site for the statistics.


class EventTallies(models.Model):
    """Counts of one finished event, written by `tournaments.statistics.tallies`.

    They are current while `version` matches the event and `until` has not passed. At `until` a
    stage shows its decks, which changes no version.
    """

    tournament = models.OneToOneField(
        Tournament, models.CASCADE, primary_key=True, related_name="tallies"
    )
    version = models.PositiveIntegerField()
    until = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField()
    figures = models.JSONField()

    def __str__(self) -> str:
        return f"tallies of {self.tournament_id} at version {self.version}"


class MonthTallies(models.Model):
    """Sum of the stored counts of public events of one game and format in a month."""

    game = models.CharField(max_length=20, choices=games.choices())
    format_id = models.TextField(
        blank=True, help_text=gettext_lazy("Empty for events without a format.")
    )
    month = models.DateField(help_text=gettext_lazy("The first day of the month."))
    events = models.PositiveIntegerField()
    newest_at = models.DateTimeField(
        help_text=gettext_lazy("When the last of these events was counted.")
    )
    versions = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text=gettext_lazy("Sum of the versions at which the events were counted."),
    )
    figures = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "format_id", "month"], name="one_sum_for_each_month"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.format_id} in {self.month:%Y-%m}"


class SiteTallies(models.Model):
    """Sum of all months of a game, for one format or all formats."""

    game = models.CharField(max_length=20, choices=games.choices())
    format_id = models.TextField(
        blank=True, help_text=gettext_lazy("Empty for the sum of all formats.")
    )
    events = models.PositiveIntegerField()
    newest_at = models.DateTimeField(
        help_text=gettext_lazy("When the last of these events was counted.")
    )
    versions = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text=gettext_lazy("Sum of the versions at which the events were counted."),
    )
    figures = models.JSONField(help_text=gettext_lazy("Players are counted, without their keys."))
    late = models.PositiveIntegerField(
        default=0,
        help_text=gettext_lazy("Events of the game that were not counted since they changed."),
    )
    checked_at = models.DateTimeField(
        help_text=gettext_lazy("When this was last compared with the events.")
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "format_id"], name="one_sum_for_each_format")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.format_id}"
