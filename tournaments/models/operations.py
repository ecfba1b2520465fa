"""Work for the whole site, and the backup that all machines know of."""

from django.db import models

from core.jobs import AbstractJob
from tournaments.models.history import Job


class SiteJobKind(models.TextChoices):
    COPY_BACKUP = "copy_backup", "copy a backup off-site"


class SiteJob(AbstractJob):
    """Work that belongs to no event."""

    class Meta:
        ordering = ["-pk"]

    @property
    def task_path(self) -> str:
        return f"tournaments.tasks.{self.kind}"


JOB_MODELS: tuple[type[Job] | type[SiteJob], ...] = (Job, SiteJob)
"""Tables of jobs, for what treats all of them alike."""


class LatestBackup(models.Model):
    """The newest backup in the site's folder, on whichever machine: a single row."""

    began_at = models.DateTimeField()
    machine = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(help_text="in bytes")

    def __str__(self) -> str:
        return f"{self.name} on {self.machine}"
