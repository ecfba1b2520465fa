"""Copies of the whole site that were made, so that every process knows how old the last one is."""

from django.db import models


class Backup(models.Model):
    """One backup that is whole: a file of core.backups on the machine that made it.

    The site in it is as it was at `began_at`. The row goes when the file is thrown away.
    """

    began_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField()
    name = models.CharField(max_length=120)
    size = models.PositiveBigIntegerField(help_text="in bytes")
    standings = models.CharField(
        max_length=64, help_text="SHA-256 over the standings of all events"
    )

    class Meta:
        ordering = ["-began_at"]

    def __str__(self) -> str:
        return self.name
