"""Site-wide jobs and the latest backup."""

from django.db import models
from django.db.models import F

from core.idempotency import AbstractKeptAnswer
from core.jobs import AbstractJob
from tournaments.models.events import Tournament


class SiteJobKind(models.TextChoices):
    COPY_BACKUP = "copy_backup", "copy a backup off-site"


class SiteJob(AbstractJob):
    """A background job that belongs to no event."""

    class Meta:
        ordering = ["-pk"]

    @property
    def task_path(self) -> str:
        return f"tournaments.tasks.{self.kind}"


class LatestBackup(models.Model):
    """The newest backup in the site's folder, made by any machine. A single row."""

    began_at = models.DateTimeField()
    machine = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(help_text="in bytes")

    def __str__(self) -> str:
        return f"{self.name} on {self.machine}"


class JobKind(models.TextChoices):
    PAIR_ROUND = "pair_round", "pair the round"
    RECOMPUTE_STANDINGS = "recompute_standings", "compute the standings"
    RECOMPUTE_RATINGS = "recompute_ratings", "compute the ratings"
    JUDGE_DECKS = "judge_decks", "judge the deck lists again"
    NOTIFY = "notify", "tell the channel"
    MAIL = "mail", "mail the tables"
    PUSH = "push", "tell the phones"
    WEBHOOK = "webhook", "tell a program"
    UPLOAD = "upload", "upload the results"
    BACK_UP = "back_up", "make a backup"
    OUTLOOK = "outlook", "work out what players need"
    FORECAST = "forecast", "play out the rounds left"


# Tasks whose name differs from their kind of job.
TASK_NAMES: dict[str, str] = {JobKind.WEBHOOK: "send_webhook"}
# Failed jobs of these kinds can be deleted: no page of the event depends on their result.
DISPOSABLE_JOBS = frozenset(
    {
        JobKind.NOTIFY,
        JobKind.MAIL,
        JobKind.PUSH,
        JobKind.WEBHOOK,
        JobKind.BACK_UP,
        JobKind.OUTLOOK,
        JobKind.FORECAST,
    }
)


class Job(AbstractJob):
    """A background job of one event, such as pairing, standings or notifications."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="jobs")

    class Meta:
        ordering = ["-pk"]

    @property
    def task_path(self) -> str:
        return f"tournaments.tasks.{TASK_NAMES.get(self.kind, self.kind)}"

    def before_failure(self) -> None:
        # Public pages show the failure instead of the update.
        if self.kind == JobKind.RECOMPUTE_STANDINGS:
            Tournament.objects.filter(pk=self.tournament_id).update(
                version=F("version") + 1, hall_version=F("hall_version") + 1
            )

    @property
    def is_disposable(self) -> bool:
        """True if this failed job can be deleted; a finished event needs no more pairings."""
        is_too_late = self.kind == JobKind.PAIR_ROUND and self.tournament.is_finished
        return self.has_failed and (self.kind in DISPOSABLE_JOBS or is_too_late)

    @property
    def stops_event(self) -> bool:
        """True if an event in progress cannot continue until this job succeeds."""
        return (
            self.has_failed
            and self.kind in (JobKind.PAIR_ROUND, JobKind.RECOMPUTE_STANDINGS)
            and not self.tournament.is_finished
        )

    def get_kind_label(self) -> str:
        """The kind of job in words, with its round or progress."""
        label = JobKind(self.kind).label
        if runs := self.payload.get("runs"):
            return f"{label} ({self.payload['done']} of {runs} runs)"
        if self.payload.get("news") in ("test", "standings"):
            return f"{label} ({self.payload['news']})"
        number = self.payload.get("number") or self.payload.get("from_round")
        return f"{label} (round {number})" if number else label


# All tables of jobs.
JOB_MODELS: tuple[type[Job] | type[SiteJob], ...] = (Job, SiteJob)


class KeptAnswer(AbstractKeptAnswer):
    """The answer to a write at an event, stored for a day."""
