"""Stored counts per event, month and site for the statistics."""

from django.db import models

from decks import games
from tournaments.models.events import Tournament


class EventTallies(models.Model):
    """Counts of one finished event, written by `tournaments.statistics.rules.stored`.

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
    format_id = models.TextField(blank=True, help_text="Empty for events without a format.")
    month = models.DateField(help_text="Its first day.")
    events = models.PositiveIntegerField()
    newest_at = models.DateTimeField(help_text="When the last of these events was counted.")
    versions = models.BigIntegerField(
        default=0, db_default=0, help_text="Sum of the versions at which the events were counted."
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
    format_id = models.TextField(blank=True, help_text="Empty for the sum of all formats.")
    events = models.PositiveIntegerField()
    newest_at = models.DateTimeField(help_text="When the last of these events was counted.")
    versions = models.BigIntegerField(
        default=0, db_default=0, help_text="Sum of the versions at which the events were counted."
    )
    figures = models.JSONField(help_text="Players are counted, without their keys.")
    late = models.PositiveIntegerField(
        default=0, help_text="Events of the game that were not counted since they changed."
    )
    checked_at = models.DateTimeField(help_text="When this was last compared with the events.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "format_id"], name="one_sum_for_each_format")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.format_id}"
