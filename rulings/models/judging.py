"""What judges do at the tables: notes, and calls."""

from django.db import models

from matches.models import Match
from players.models import Player, User
from rulings.models.rulings import RulingVersion


class NoteKind(models.TextChoices):
    """What a judge wrote it for."""

    NOTE = "note", "note"
    ANSWER = "answer", "answer to a call"
    RESULT = "result", "decision on a result"
    PENALTY = "penalty", "penalty"


class JudgeNote(models.Model):
    """What a judge wrote, and the versions of rulings it rests on.

    It is about a match; those of penalties, which know their table, and of local rulings have none.
    What is cited in a practice copy of an event counts nowhere: its notes are `is_practice`.
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
    """A note rests on this version of a ruling, whatever is written later."""

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
    """Somebody at a table wants a judge: raised, taken by one, answered.

    A `player` raises it from a phone, or a member of the staff (`user`) types it for them. It
    ends when it is answered or withdrawn; a table has one open call at a time. A judge may leave
    it to the head judge; whoever does not accept an answer raises a call that `appeals` it, which
    is the head judge's as well. `note` keeps the answer, `minutes` the time the table was given;
    `overturned` is for the answer to an appeal: whether the first answer was wrong.
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
        """What was said, as far as it was kept."""
        return self.note.text if self.note else ""
