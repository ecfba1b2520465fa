"""Background jobs of events and of the site, the latest backup, and stored answers."""

from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy

from core.idempotency import AbstractIdempotencyRecord
from core.jobs import FAILED_STATES, LIVE_STATES, AbstractJob, JobState


class SiteJobKind(models.TextChoices):
    COPY_BACKUP = "copy_backup", gettext_lazy("copy a backup off-site")


class SiteJob(AbstractJob):
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
    size = models.PositiveBigIntegerField(help_text=gettext_lazy("in bytes"))

    def __str__(self) -> str:
        return f"{self.name} on {self.machine}"


class JobKind(models.TextChoices):
    PAIR_ROUND = "pair_round", gettext_lazy("pair the round")
    RECOMPUTE_STANDINGS = "recompute_standings", gettext_lazy("compute the standings")
    RECOMPUTE_RATINGS = "recompute_ratings", gettext_lazy("compute the ratings")
    JUDGE_DECKS = "judge_decks", gettext_lazy("check the decks again")
    NOTIFY = "notify", gettext_lazy("post to the channel")
    MAIL = "mail", gettext_lazy("email the tables")
    PUSH = "push", gettext_lazy("send push messages")
    WEBHOOK = "webhook", gettext_lazy("send webhook messages")
    UPLOAD = "upload", gettext_lazy("upload the results")
    BACK_UP = "back_up", gettext_lazy("make a backup")
    OUTLOOK = "outlook", gettext_lazy("calculate clinch scenarios")
    FORECAST = "forecast", gettext_lazy("simulate the remaining rounds")


# What the desk shows while a job is running.
JOB_PROGRESS = {
    JobKind.PAIR_ROUND: gettext_lazy("Pairing the round"),
    JobKind.RECOMPUTE_STANDINGS: gettext_lazy("Computing the standings"),
    JobKind.RECOMPUTE_RATINGS: gettext_lazy("Computing the ratings"),
    JobKind.JUDGE_DECKS: gettext_lazy("Checking the decks again"),
    JobKind.NOTIFY: gettext_lazy("Posting to the channel"),
    JobKind.MAIL: gettext_lazy("Emailing the tables"),
    JobKind.PUSH: gettext_lazy("Sending push messages"),
    JobKind.WEBHOOK: gettext_lazy("Sending webhook messages"),
    JobKind.UPLOAD: gettext_lazy("Uploading the results"),
    JobKind.BACK_UP: gettext_lazy("Making a backup"),
    JobKind.OUTLOOK: gettext_lazy("Calculating clinch scenarios"),
    JobKind.FORECAST: gettext_lazy("Simulating the remaining rounds"),
}
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


class JobQuerySet(models.QuerySet["Job"]):
    def shown_at_desk(self) -> list["Job"]:
        """Return running and failed jobs for the desk, newest first, at most 20."""
        # Running webhook and backup jobs are left out: nobody at the event needs their result.
        aside = (JobKind.WEBHOOK, JobKind.BACK_UP)
        shown = self.exclude(kind__in=aside, state__in=LIVE_STATES)
        return list(shown.exclude(state=JobState.DONE)[:20])

    def newest_notifications(self) -> list["Job"]:
        return list(self.filter(kind__in=[JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH])[:10])

    def unfinished_standings(self) -> Self:
        """Return the newest standings job of each event, if unfinished or failed."""
        # A newer job replaces older ones.
        kind = JobKind.RECOMPUTE_STANDINGS
        newer = Job.objects.filter(
            tournament=OuterRef("tournament"), kind=kind, pk__gt=OuterRef("pk")
        )
        states = (*LIVE_STATES, *FAILED_STATES)
        return self.filter(~Exists(newer), kind=kind, state__in=states).order_by()


class Job(AbstractJob):
    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="jobs")

    objects = JobQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        ordering = ["-pk"]

    @property
    def task_path(self) -> str:
        return f"tournaments.tasks.{TASK_NAMES.get(self.kind, self.kind)}"

    def before_failure(self) -> None:
        # Public pages show the failure instead of the update.
        if self.kind == JobKind.RECOMPUTE_STANDINGS:
            self.tournament.bump_version()

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
        """Return the kind of job in words, with its round or progress."""
        return self._with_details(str(JobKind(self.kind).label))

    def get_progress_label(self) -> str:
        """Return what a running job does, with its round or progress."""
        return self._with_details(str(JOB_PROGRESS[JobKind(self.kind)]))

    def _with_details(self, label: str) -> str:
        if runs := self.payload.get("runs"):
            return f"{label} ({self.payload['done']} of {runs} runs)"
        if self.payload.get("news") in ("test", "standings"):
            return f"{label} ({self.payload['news']})"
        number = self.payload.get("number") or self.payload.get("from_round")
        return f"{label} (round {number})" if number else label


# All tables of jobs.
JOB_MODELS: tuple[type[Job] | type[SiteJob], ...] = (Job, SiteJob)


class IdempotencyRecord(AbstractIdempotencyRecord):
    """The answer to a write at an event, stored for a day."""

    class Meta(AbstractIdempotencyRecord.Meta):
        # Processes of the previous release still read this table.
        db_table = "tournaments_keptanswer"
