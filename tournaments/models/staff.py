"""Staff roles at an event, and invitations to them."""

from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from players.models import User


class StaffRole(models.TextChoices):
    OWNER = "owner", gettext_lazy("owner")
    ORGANISER = "organiser", gettext_lazy("organiser")
    SCOREKEEPER = "scorekeeper", gettext_lazy("scorekeeper")
    HEAD_JUDGE = "head_judge", gettext_lazy("head judge")
    JUDGE = "judge", gettext_lazy("judge")
    STREAMER = "streamer", gettext_lazy("streamer")


class StaffInvitationQuerySet(models.QuerySet["StaffInvitation"]):
    def usable(self) -> Self:
        """Invitation links that still work, newest first."""
        usable = self.filter(used_at=None, withdrawn_at=None, ends_at__gt=timezone.now())
        return usable.select_related("made_by")


class Staff(models.Model):
    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    role = models.CharField(max_length=20, choices=StaffRole.choices)

    class Meta:
        verbose_name_plural = "staff"
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_role_for_an_account"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=models.Q(role=StaffRole.OWNER),
                name="one_owner_an_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()}"


class StaffInvitation(models.Model):
    """A link that gives a role to the first account that opens it.

    It ends when it is used, withdrawn or expired. Only a hash of its secret is stored.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=20, choices=StaffRole.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=80, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = StaffInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(role=StaffRole.OWNER), name="nobody_is_invited_to_own"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation as {self.get_role_display()} to {self.tournament}"
