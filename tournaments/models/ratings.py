"""Ratings of players, and the runs that computed them."""

from django.db import models

from decks import games
from players.models import Player


class Rating(models.Model):
    """A player of a game after a day of play; the newest day of each `is_current`.

    `value` and `deviation` are points, as `tournaments.ratings.rules` has them; `volatility` is
    null in pods. `games` and `events` are all that counted up to this day.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    game = models.CharField(max_length=20, choices=games.choices())
    day = models.DateField()
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField(null=True, blank=True)
    games = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
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
    """The computing of a game's ratings. Runs have numbers: one that began later knows more.

    `begun` is the number of the newest that began, `written` of the one whose ratings stand.
    """

    game = models.CharField(max_length=20, choices=games.choices(), primary_key=True)
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
    """An event as it counts in the stored ratings.

    Ratings are stale from `day` on when the event has another version, moved to another day or
    counts no more. `event` is no foreign key, so that the row of a deleted event stays.
    """

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
