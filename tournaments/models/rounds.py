"""Stages, rounds, and who sits at which table."""

from django.db import models

from matches.models import Match
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration


class StageKind(models.TextChoices):
    SWISS = "swiss", "Swiss rounds"
    CUT = "cut", "top cut"


class Stage(models.Model):
    """A part of the event with one way of pairing."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=StageKind.choices, default=StageKind.SWISS)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.get_kind_display()}"


class RoundState(models.TextChoices):
    """draft -> published -> running -> closed."""

    DRAFT = "draft", "draft"
    PUBLISHED = "published", "published"
    RUNNING = "running", "running"
    CLOSED = "closed", "closed"


class Round(models.Model):
    """One round. A draft is seen by the organisers only.

    `certificate` and `relaxations` are the pairing engine's account of itself.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.DRAFT)
    seed = models.PositiveBigIntegerField()
    certificate = models.JSONField(default=dict)
    relaxations = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_a_number")
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == RoundState.DRAFT

    @property
    def is_closed(self) -> bool:
        return self.state == RoundState.CLOSED


class Pairing(models.Model):
    """Who sits at which table; a bye has a registration and no match.

    `reasons` are the engine's sentences on why these two meet, `cost` its
    price in parts; both are empty for a pairing made by hand.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="+")
    bye = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="byes"
    )
    bye_points = models.SmallIntegerField(null=True, blank=True)
    cost = models.JSONField(default=dict)
    reasons = models.JSONField(default=list)
    made_by_hand = models.BooleanField(default=False)

    class Meta:
        ordering = ["round", models.F("table_number").asc(nulls_last=True), "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(match=None) ^ models.Q(bye=None), name="match_or_bye"
            ),
            models.CheckConstraint(
                condition=models.Q(bye=None) ^ models.Q(bye_points__isnull=False),
                name="a_bye_has_points",
            ),
            models.CheckConstraint(
                condition=models.Q(match=None) ^ models.Q(table_number__isnull=False),
                name="a_match_has_a_table",
            ),
            models.UniqueConstraint(fields=["round", "table_number"], name="one_match_a_table"),
            models.UniqueConstraint(fields=["round", "bye"], name="one_bye_a_round"),
        ]

    def __str__(self) -> str:
        return f"table {self.table_number}" if self.table_number else f"bye of {self.bye}"
