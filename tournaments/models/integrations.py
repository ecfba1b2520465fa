"""Notifications, webhooks, API tokens, result uploads and imported files."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from knox.models import AbstractAuthToken

from core.model_fields import EncryptedField, label_or_text
from decks.models import Card, Side
from players.models import User
from tournaments.models.registrations import Registration


class Announcing(models.Model):
    tournament = models.OneToOneField(
        "tournaments.Tournament", models.CASCADE, related_name="announcing"
    )
    # Address of a channel that accepts Discord's message format. It is a secret: anyone who has it
    # can post there, so it is never shown again.
    webhook = EncryptedField(max_length=500, blank=True)
    tells_pairings = models.BooleanField(default=True)
    tells_standings = models.BooleanField(default=True)
    # Players can choose to get their table by email, or as a push message.
    allows_mail = models.BooleanField(default=False)
    allows_push = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"news of {self.tournament}"


class MailWish(models.Model):
    registration = models.OneToOneField(Registration, models.CASCADE, related_name="mail_wish")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"mail to {self.registration}"


class PushSubscription(models.Model):
    """A browser that gets push messages with the player's table.

    The browser provides all three values. Keys are base64url.
    """

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="phones")
    # Secret URL at the browser vendor's push service.
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
    ROUND_PUBLISHED = "round.published", gettext_lazy("a round is published")
    ROUND_STARTED = "round.started", gettext_lazy("a round starts")
    RESULT_SETTLED = "result.settled", gettext_lazy("a result is settled or changed")
    ROUND_CLOSED = "round.closed", gettext_lazy("a round is closed")
    STANDINGS_UPDATED = "standings.updated", gettext_lazy("the standings change")
    CUT_MADE = "cut.made", gettext_lazy("the cut is made")
    EVENT_FINISHED = "event.finished", gettext_lazy("the event is finished")
    TEST = "test", gettext_lazy("a test message")


class DisabledReason(models.TextChoices):
    BY_HAND = "by_hand", gettext_lazy("Switched off by an organiser.")
    GONE = "receiver_gone", gettext_lazy("The receiver accepts no more messages.")
    FAILURES = (
        "too_many_failures",
        gettext_lazy("Several messages in a row could not be delivered."),
    )


class Webhook(models.Model):
    """An https address that receives messages about an event.

    It is disabled after too many failures in a row.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="webhooks"
    )
    # Up to 300 characters. Encrypted because URLs often contain a key.
    address = EncryptedField(max_length=2000)
    # Signs the messages, so it is stored. It is shown only once.
    secret = EncryptedField(max_length=400)
    # Values of WebhookEvent.
    events = models.JSONField(default=list)
    failures = models.PositiveSmallIntegerField(default=0)
    disabled_at = models.DateTimeField(null=True, blank=True)
    # A DisabledReason, or a text of an earlier release.
    disabled_why = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.tournament}"

    @property
    def shown_reason(self) -> str:
        """Why the webhook is off, in words; empty if it is on."""
        return label_or_text(DisabledReason, self.disabled_why)

    @property
    def shown_failure(self) -> str:
        """The newest failure, if it is annotated, in words."""
        error = getattr(self, "last_error", "") or ""
        return shown_delivery_error(error, getattr(self, "last_status", None))


class DeliveryState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("waiting")
    DELIVERED = "delivered", gettext_lazy("delivered")
    GIVEN_UP = "given_up", gettext_lazy("not delivered")


class DeliveryError(models.TextChoices):
    SWITCHED_OFF = "switched_off", gettext_lazy("The webhook was switched off.")
    NO_SECRET = (
        "no_secret",
        gettext_lazy("The secret of this webhook can no longer be read. Replace it."),
    )
    NO_ADDRESS = (
        "no_address",
        gettext_lazy("The address of this webhook can no longer be read. Enter it again."),
    )
    BAD_STATUS = "bad_status", gettext_lazy("The receiver did not accept the message.")


class WebhookDelivery(models.Model):
    """A message to a webhook."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    # The same in every attempt, so that receivers can discard duplicates.
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=30, choices=WebhookEvent.choices)
    payload = models.JSONField()
    state = models.CharField(
        max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    tries = models.PositiveSmallIntegerField(default=0)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    # A DeliveryError, or the text of an error of the connection.
    last_error = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    next_try_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ["webhook", "-pk"]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"

    @property
    def shown_error(self) -> str:
        return shown_delivery_error(self.last_error, self.last_status)


def shown_delivery_error(last_error: str, status: int | None) -> str:
    if last_error == DeliveryError.BAD_STATUS and status:
        return gettext("The receiver answered with status %(status)s.") % {"status": status}
    return label_or_text(DeliveryError, last_error)


class TokenScope(models.TextChoices):
    """The scopes of an API token; each includes the ones before it."""

    READ = "read", gettext_lazy("read everything you can see")
    RESULTS = "results", gettext_lazy("also report, confirm and enter results")
    MANAGE = "manage", gettext_lazy("also do everything else you can do")


class ApiToken(AbstractAuthToken):
    """An API token that acts as its account, for one event or for all of the account's events.

    Only a hash of its secret is stored.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    # Identifies the token on pages.
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=10, choices=TokenScope.choices)
    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, null=True, blank=True, related_name="+"
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
        return self.revoked_at is None and (self.expiry is None or self.expiry > timezone.now())

    @property
    def is_bound(self) -> bool:
        return self.tournament_id is not None

    def covers(self, scope: str) -> bool:
        order = TokenScope.values
        return order.index(self.scope) >= order.index(scope)


class UploadState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("waiting to be sent")
    SENDING = "sending", gettext_lazy("being sent")
    CODE = "code", gettext_lazy("sent; enter the code at AlwaysBeRunning")
    CONCLUDED = "concluded", gettext_lazy("concluded at AlwaysBeRunning")
    FAILED = "failed", gettext_lazy("refused; you can send it again")
    UNKNOWN = (
        "unknown",
        gettext_lazy("sent, but no answer; check AlwaysBeRunning before you send it again"),
    )


class Upload(models.Model):
    """An attempt to upload the results of an event. Never retried automatically after sending."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="uploads")
    # Without this event the upload needs a code; with it, it is concluded directly.
    abr_event = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(
        max_length=10, choices=UploadState.choices, default=UploadState.WAITING
    )
    # The code that the organiser enters on the other site.
    code = models.CharField(max_length=20, blank=True)
    # Page of the concluded event.
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


# The source of imported events.


class ImportedFile(models.Model):
    """The file an event was imported from, with data that is not computed here."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", models.CASCADE, related_name="imported_file"
    )
    # A value of tournaments.files.records.Dialect.
    dialect = models.CharField(max_length=20)
    file_name = models.CharField(max_length=200, blank=True)
    # SHA-256 of the file, in hexadecimal digits.
    digest = models.CharField(max_length=64, db_index=True)
    # Sentences about values that were read differently from the file.
    notices = models.JSONField(default=list)
    # [{"id", "field", "file", "computed", "number"}]; `number` is the player's number here.
    differences = models.JSONField(default=list)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"file of {self.tournament}"


class StatedIdentity(models.Model):
    """The identity stated in a file for a player without a deck here."""

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="stated_identities")
    side = models.CharField(max_length=10, choices=Side.choices)
    title = models.CharField(max_length=200)
    # Null if no known identity has this title.
    card = models.ForeignKey(Card, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "stated identities"
        ordering = ["registration", "side"]
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "side"], name="one_stated_identity_a_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.registration}"
