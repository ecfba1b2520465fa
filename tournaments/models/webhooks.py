"""Programs elsewhere that want to hear of an event, and what they were sent."""

import uuid

from django.db import models

from core.model_fields import EncryptedField
from players.models import User
from tournaments.models.events import Tournament


class WebhookEvent(models.TextChoices):
    """What happened; nothing of it is private."""

    ROUND_PUBLISHED = "round.published", "a round is published"
    ROUND_STARTED = "round.started", "a round has begun"
    RESULT_SETTLED = "result.settled", "a result is settled or changed"
    ROUND_CLOSED = "round.closed", "a round is closed"
    STANDINGS_UPDATED = "standings.updated", "there are new standings"
    CUT_MADE = "cut.made", "the cut is made"
    EVENT_FINISHED = "event.finished", "the event is over"
    TEST = "test", "somebody wants to see whether it arrives"


class Webhook(models.Model):
    """An https address that is told of an event; `secret` signs what it is sent.

    `events` are values of WebhookEvent. The secret has to be kept, because it signs, but is shown
    once only. After too many failures in a row it is disabled: `disabled_why` says so.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=300)
    secret = EncryptedField(max_length=400)
    events = models.JSONField(default=list)
    failures = models.PositiveSmallIntegerField(default=0)
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_why = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.tournament}"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "waits"
    DELIVERED = "delivered", "delivered"
    GIVEN_UP = "given_up", "given up"


class WebhookDelivery(models.Model):
    """One message to a webhook; `uid` is the same in every try, so a receiver knows it again."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=30, choices=WebhookEvent.choices)
    payload = models.JSONField()
    state = models.CharField(
        max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    tries = models.PositiveSmallIntegerField(default=0)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    next_try_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ["webhook", "-pk"]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
