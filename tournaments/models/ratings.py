"""Ratings of players, and the runs that computed them."""

from django.db import models

from decks import games
from players.models import Player


class Rating(models.Model):
    """The rating of a player in a game after a day of play."""

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
        help_text="Constants of the method that computed the stored ratings.",
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
    has_games = models.BooleanField(help_text="Games of it count, not only the event.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "event"], name="one_rated_event_a_game")
        ]
        indexes = [models.Index(fields=["game", "day"], name="rated_events_by_day")]

    def __str__(self) -> str:
        return f"event {self.event} on {self.day}"
