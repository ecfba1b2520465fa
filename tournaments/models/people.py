"""Two records of one person made one."""

from django.db import models

from players.models import Player, User


class PlayerMerge(models.Model):
    """One record of a player went into another; kept so that it can be undone exactly.

    `moved` has by "app.Model.field" the keys of the rows that went over from `merged` to `kept`;
    `before` and `after` what changed on `kept` itself. The merged record stays, empty, and names
    the other one in `merged_into`. Who did it is an account, and the player it acts as.
    """

    kept = models.ForeignKey(Player, models.CASCADE, related_name="+")
    merged = models.ForeignKey(Player, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    moved = models.JSONField(default=dict)
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
