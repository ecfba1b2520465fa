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

    def __str__(self) -> str:
        return f"ratings of {self.game}"
