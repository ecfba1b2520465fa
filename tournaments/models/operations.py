"""Site-wide jobs and the latest backup."""

from django.db import models

from core.jobs import AbstractJob
from tournaments.models.history import Job


class SiteJobKind(models.TextChoices):
    COPY_BACKUP = "copy_backup", "copy a backup off-site"


class SiteJob(AbstractJob):
    """A background job that belongs to no event."""

    class Meta:
        ordering = ["-pk"]

    @property
    def task_path(self) -> str:
        return f"tournaments.tasks.{self.kind}"


# All tables of jobs.
JOB_MODELS: tuple[type[Job] | type[SiteJob], ...] = (Job, SiteJob)


class LatestBackup(models.Model):
    """The newest backup in the site's folder, made by any machine. A single row."""

    began_at = models.DateTimeField()
    machine = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(help_text="in bytes")

    def __str__(self) -> str:
        return f"{self.name} on {self.machine}"
