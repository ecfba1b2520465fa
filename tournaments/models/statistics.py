"""Stored counts of single events, which the statistics of many events add up."""

from django.db import models

from tournaments.models.events import Tournament


class EventTallies(models.Model):
    """Counts of one finished event, as `tournaments.statistics.rules.stored` writes them.

    They are current while the event has this `version` and the moment `until` is not reached:
    at that moment a stage shows its decks, and no version changes.
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
