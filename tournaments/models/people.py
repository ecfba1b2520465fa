"""Merged player records."""

from django.db import models

from players.models import Player, User


class PlayerMerge(models.Model):
    """A merge of two records of one player, with the data needed to undo it exactly.

    The merged record stays, empty, and refers to the other record in `merged_into`.
    """

    kept = models.ForeignKey(Player, models.CASCADE, related_name="+")
    merged = models.ForeignKey(Player, models.CASCADE, related_name="+")
    # The account that merged them, and the player it acts as.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    # Keys of the rows moved from `merged` to `kept`, by "app.Model.field".
    moved = models.JSONField(default=dict)
    # Changed values of `kept`.
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["merged"],
                condition=models.Q(undone_at=None),
                name="a_record_is_merged_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(kept=models.F("merged")), name="two_records_are_merged"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} into {self.kept}"
