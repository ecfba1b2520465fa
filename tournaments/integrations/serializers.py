"""News, webhooks and uploads as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from core.jobs import JobState
from tournaments.integrations.services import webhooks
from tournaments.models import (
    DeliveryState,
    Job,
    JobKind,
    Upload,
    UploadState,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)

SENT = [(kind.value, kind.label) for kind in (JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH)]
ALL_EVENTS = WebhookEvent.choices
LARGEST_ABR_EVENT = 2_000_000_000


class AnnouncingBody(Body):
    """What is sent where. What is not said stays."""

    webhook = Text(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="The address of a channel, shown to nobody again. Empty: it is forgotten.",
    )
    tells_pairings = YesNo(required=False)
    tells_standings = YesNo(required=False)
    allows_mail = YesNo(required=False)
    allows_push = YesNo(required=False)


class SendingSerializer(serializers.ModelSerializer[Job]):
    """Something that was sent out of the site."""

    kind = serializers.ChoiceField(SENT)
    state = serializers.ChoiceField(JobState.choices)

    class Meta:
        model = Job
        fields = ["kind", "state", "error", "created_at"]


class AnnouncingSerializer(serializers.Serializer[Any]):
    """What is announced where, what became of it, and the same as text to copy."""

    site = serializers.CharField(allow_blank=True, help_text="Of the webhook; its address is kept.")
    tells_pairings = serializers.BooleanField()
    tells_standings = serializers.BooleanField()
    allows_mail = serializers.BooleanField()
    allows_push = serializers.BooleanField()
    can_mail = serializers.BooleanField()
    can_push = serializers.BooleanField()
    sendings = SendingSerializer(many=True)
    pairings = serializers.ListField(child=serializers.CharField())
    standings = serializers.ListField(child=serializers.CharField())


class WebhookBody(Body):
    """A new webhook."""

    old_names = {"address": "url"}
    url = Text(
        max_length=300, source="address", help_text="Of https, with the public name of a site."
    )
    events = serializers.ListField(
        child=Choice(webhooks.CHOICES), min_length=1, max_length=len(webhooks.CHOICES)
    )


class WebhookChangeBody(WebhookBody):
    """What is to be another; switched on again, it starts anew."""

    is_on = YesNo()


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook; of its address the site alone, because the rest may be a key."""

    site = serializers.SerializerMethodField()
    events = serializers.ListField(child=serializers.ChoiceField(webhooks.CHOICES))
    is_on = serializers.SerializerMethodField()

    class Meta:
        model = Webhook
        fields = ["id", "site", "events", "is_on", "disabled_at", "disabled_why", "made_at"]

    def get_site(self, webhook: Webhook) -> str:
        """Where it is sent."""
        return webhooks.site_of(webhook)

    def get_is_on(self, webhook: Webhook) -> bool:
        """Whether anything is sent to it."""
        return webhook.disabled_at is None


class NewWebhookSerializer(WebhookSerializer):
    """The same with the secret that signs its messages, shown this once."""

    secret = serializers.CharField(allow_null=True)

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class SecretSerializer(serializers.Serializer[Any]):
    """The secret that signs messages, shown this once."""

    secret = serializers.CharField(allow_null=True)


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One message and what came of it; `id` is that of the message."""

    id = serializers.UUIDField(source="uid")
    event = serializers.ChoiceField(ALL_EVENTS)
    state = serializers.ChoiceField(DeliveryState.choices)
    payload = serializers.SerializerMethodField()

    class Meta:
        model = WebhookDelivery
        fields = [
            "id",
            "event",
            "state",
            "tries",
            "last_status",
            "last_error",
            "made_at",
            "next_try_at",
            "delivered_at",
            "payload",
        ]

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_payload(self, delivery: WebhookDelivery) -> Any:
        """The message as it is sent."""
        return delivery.payload


class UploadBody(Body):
    """What to upload: nothing has to be said."""

    abr_event = Whole(
        min_value=1,
        max_value=LARGEST_ABR_EVENT,
        allow_null=True,
        default=None,
        help_text="The event at AlwaysBeRunning, which is concluded at once.",
    )
    again = YesNo(default=False, help_text="Although it was sent before, and may be there.")


class UploadSerializer(serializers.ModelSerializer[Upload]):
    """One upload; `code` is what is typed at AlwaysBeRunning to conclude the event there."""

    state = serializers.ChoiceField(UploadState.choices)

    class Meta:
        model = Upload
        fields = ["id", "abr_event", "state", "code", "page", "error", "made_at", "sent_at"]


class WantedBody(Body):
    """Yes or no."""

    wanted = YesNo()


class PhoneBody(WantedBody):
    """The subscription of a browser. To stop, its endpoint is enough; without one all phones."""

    endpoint = Text(max_length=500, required=False, allow_blank=True)
    p256dh = Text(max_length=200, required=False, allow_blank=True)
    auth = Text(max_length=100, required=False, allow_blank=True)


class NewsWishesSerializer(serializers.Serializer[Any]):
    """How this player hears of the next round. What is empty stands in the way of nothing."""

    wishes_mail = serializers.BooleanField()
    why_no_mail = serializers.CharField(allow_blank=True)
    phones = serializers.ListField(
        child=serializers.CharField(), help_text="SHA-256 of the endpoint of each phone."
    )
    why_no_push = serializers.CharField(allow_blank=True)
    push_key = serializers.CharField(allow_blank=True)
