"""What judges do at the tables: notes on matches, and calls."""

from django.db import models

from matches.models import Match
from players.models import Player, User
from rulings.models.rulings import RulingVersion


class MatchNote(models.Model):
    """A staff note on a match; may cite the version of a ruling in force then."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    author = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(blank=True)
    cited = models.ForeignKey(
        RulingVersion, models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["match", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(text="") | ~models.Q(cited=None),
                name="a_note_says_or_cites_something",
            )
        ]

    def __str__(self) -> str:
        return f"note on {self.match}"


class JudgeCall(models.Model):
    """Somebody at a table wants a judge: raised, taken by one, answered.

    A `player` raises it from a phone, or a member of the staff (`user`) types it for them. It
    ends when it is answered or withdrawn; a table has one open call at a time.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    about = models.CharField(max_length=200, blank=True)
    raised_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    taken_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)
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
