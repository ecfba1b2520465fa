"""Judge notes and judge calls."""

from django.db import models

from matches.models import Match
from players.models import Player, User
from rulings.models.rulings import RulingVersion


class NoteKind(models.TextChoices):
    NOTE = "note", "note"
    ANSWER = "answer", "answer to a call"
    RESULT = "result", "decision on a result"
    PENALTY = "penalty", "penalty"


class JudgeNote(models.Model):
    """A note by a judge with the ruling versions it is based on.

    Notes on penalties (which store their table) and on local rulings have no match. Notes in a
    practice copy of an event are `is_practice`; their citations are not counted.
    """

    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=NoteKind.choices, default=NoteKind.NOTE)
    author = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(blank=True)
    is_practice = models.BooleanField(default=False)
    cited = models.ManyToManyField(RulingVersion, through="NoteCitation", related_name="notes")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} on {self.match or 'no table'}"


class NoteCitation(models.Model):
    """A note cites a version of a ruling, independent of later versions."""

    note = models.ForeignKey(JudgeNote, models.CASCADE, related_name="citations")
    version = models.ForeignKey(RulingVersion, models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["note", "position"]
        constraints = [
            models.UniqueConstraint(fields=["note", "position"], name="cited_in_order"),
            models.UniqueConstraint(fields=["note", "version"], name="cited_once_a_note"),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.note}"


class JudgeCall(models.Model):
    """A request for a judge at a table: raised, taken, then answered or withdrawn.

    A `player` raises it on a phone, or a staff member (`user`) enters it. A table has at most one
    open call. A judge may escalate a call to the head judge. A player who disagrees with an answer
    raises a call that `appeals` it, also for the head judge. `note` stores the answer, `minutes`
    the extra time. `overturned` is set with the answer to an appeal: true if the first answer was
    wrong.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    about = models.CharField(max_length=200, blank=True)
    raised_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    taken_at = models.DateTimeField(null=True, blank=True)
    for_head_judge = models.BooleanField(default=False)
    escalated_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    escalated_at = models.DateTimeField(null=True, blank=True)
    appeals = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="appeal"
    )
    answered_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    note = models.OneToOneField(
        JudgeNote, models.SET_NULL, null=True, blank=True, related_name="call"
    )
    minutes = models.PositiveSmallIntegerField(default=0)
    overturned = models.BooleanField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(answered_at=None, withdrawn_at=None),
                name="one_open_call_a_table",
            ),
            models.CheckConstraint(
                condition=models.Q(answered_at=None) | models.Q(withdrawn_at=None),
                name="answered_or_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"judge call on {self.match}"

    @property
    def is_open(self) -> bool:
        return self.answered_at is None and self.withdrawn_at is None

    @property
    def answer(self) -> str:
        return self.note.text if self.note else ""
