"""Standings as they were after each round."""

from django.db import models

from core.model_fields import ExactField
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Round


class StandingSnapshot(models.Model):
    """The standings after one closed round, as computed at one moment.

    A mended result adds a new snapshot; the newest of a round is in force and
    the older ones can be read back.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="snapshots")
    round = models.ForeignKey(Round, models.CASCADE, related_name="snapshots")
    computed_at = models.DateTimeField(auto_now_add=True)
    tournament_version = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"standings of {self.tournament} after {self.round}"


class Standing(models.Model):
    """One line: `tie_breakers` maps ids to exact values as "n" or "n/d"."""

    snapshot = models.ForeignKey(StandingSnapshot, models.CASCADE, related_name="rows")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField()
    match_points = ExactField()
    tie_breakers = models.JSONField(default=dict)

    class Meta:
        ordering = ["snapshot", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "rank"], name="one_player_a_rank"),
            models.UniqueConstraint(
                fields=["snapshot", "registration"], name="one_rank_for_a_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.registration}"
