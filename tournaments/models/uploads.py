"""Results sent to AlwaysBeRunning."""

from django.db import models

from players.models import User
from tournaments.models.events import Tournament


class UploadState(models.TextChoices):
    WAITING = "waiting", "waits to be sent"
    SENDING = "sending", "is being sent"
    CODE = "code", "waits there for its code"
    CONCLUDED = "concluded", "concluded there"
    FAILED = "failed", "refused; it can be sent again"
    UNKNOWN = "unknown", "sent, without an answer: look there before sending it again"


class Upload(models.Model):
    """One try to upload the results of an event. Never repeated by itself once it was sent.

    `code` is what the organiser types there, `page` where the event is when it was concluded at
    once, which happens where `abr_event` names it. `error` is why it failed, in words.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="uploads")
    abr_event = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(
        max_length=10, choices=UploadState.choices, default=UploadState.WAITING
    )
    code = models.CharField(max_length=20, blank=True)
    page = models.CharField(max_length=300, blank=True)
    error = models.CharField(max_length=500, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=models.Q(state__in=(UploadState.WAITING, UploadState.SENDING)),
                name="one_open_upload_an_event",
            )
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} of {self.tournament}: {self.state}"
