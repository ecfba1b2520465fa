"""The event log, background jobs, and stored answers to repeated requests."""

from django.db import models
from django.db.models import F

from core.idempotency import AbstractKeptAnswer
from core.jobs import AbstractJob
from players.models import Player, User
from tournaments.models.events import Tournament
from tournaments.models.log_actions import LONGEST, words_of
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Pairing, Round


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


class LogEntry(models.Model):
    """One change, appended in the transaction that made it. Never edited."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="log")
    # The actor is an account or, for a guest, a player. Both are null for Datafort itself.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=LONGEST)
    subject = models.CharField(max_length=160, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)
    # The object of the change; null once that object is deleted.
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="+")
    pairing = models.ForeignKey(Pairing, models.SET_NULL, null=True, blank=True, related_name="+")
    registration = models.ForeignKey(
        Registration, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The entry that this change undid.
    undoes = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{words_of(self.action)}: {self.subject}".rstrip(": ")


class KeptAnswer(AbstractKeptAnswer):
    """The answer to a write at an event, stored for a day."""
