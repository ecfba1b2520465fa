"""Where an event reaches beyond its pages: news, webhooks, tokens of programs, uploaded results."""

import uuid

from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken

from core.model_fields import EncryptedField
from players.models import User
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration


class Announcing(models.Model):
    """What an event tells others when a round is published and when it ends.

    `webhook` is the address of a channel that takes Discord's form of message: whoever has it can
    write there, so it is shown to nobody again. With `allows_mail` players may ask for a mail
    with their table, with `allows_push` for a message to their phone.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="announcing")
    webhook = EncryptedField(max_length=500, blank=True)
    tells_pairings = models.BooleanField(default=True)
    tells_standings = models.BooleanField(default=True)
    allows_mail = models.BooleanField(default=False)
    allows_push = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"news of {self.tournament}"


class MailWish(models.Model):
    """A player asks for a mail with the table when a round is published."""

    registration = models.OneToOneField(Registration, models.CASCADE, related_name="mail_wish")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"mail to {self.registration}"


class PushSubscription(models.Model):
    """A phone that gets its player's table when a round is published.

    The browser gave all three: the address of its maker's push service, which nobody else knows,
    and the keys, in base64url, that only this phone can read messages with. `auth` is its secret.
    """

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="phones")
    endpoint = models.CharField(max_length=500)
    p256dh = models.CharField(max_length=90)
    auth = EncryptedField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "endpoint"], name="one_subscription_a_phone"
            )
        ]

    def __str__(self) -> str:
        return f"phone of {self.registration}"


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
    """An https address that hears of an event; `secret` signs what it is sent.

    `events` are values of WebhookEvent. The secret has to be kept, because it signs, but is shown
    once only. After too many failures in a row it is disabled: `disabled_why` says so.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="webhooks")
    # Up to 300 characters; encrypted, as the rest of an address is often a key.
    address = EncryptedField(max_length=2000)
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


class TokenScope(models.TextChoices):
    """What a token is good for; each may do what the ones before it may."""

    READ = "read", "read what you may read"
    RESULTS = "results", "also report, confirm and enter results"
    MANAGE = "manage", "also everything else you may do"


class ApiToken(AbstractAuthToken):
    """A token acts as its account, within its scope, at one event or at all of the account's.

    Its secret is shown once; only a hash of it is kept. It ends when it is revoked or expires.
    `public_id` names it on pages.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=10, choices=TokenScope.choices)
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, null=True, blank=True, related_name="+"
    )
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = models.Manager["ApiToken"]()

    class Meta:
        ordering = ["-created", "digest"]

    def __str__(self) -> str:
        return f"token {self.name} of {self.user}"

    @property
    def is_live(self) -> bool:
        """Whether it still opens anything."""
        return self.revoked_at is None and (self.expiry is None or self.expiry > timezone.now())

    @property
    def is_bound(self) -> bool:
        """Whether it is for one event only."""
        return self.tournament_id is not None

    def covers(self, scope: str) -> bool:
        """Whether it is good for what needs this scope."""
        order = TokenScope.values
        return order.index(self.scope) >= order.index(scope)


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
