"""Webhooks as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictChoiceField
from tournaments.integrations import webhooks
from tournaments.models import DeliveryState, Webhook, WebhookDelivery, WebhookEvent

ALL_EVENTS = WebhookEvent.choices


class WebhookBody(RequestBody):
    """A new webhook."""

    url = StrictCharField(
        max_length=300, source="address", help_text="Of https, with the public name of a site."
    )
    events = serializers.ListField(
        child=StrictChoiceField(webhooks.EVENT_CHOICES),
        min_length=1,
        max_length=len(webhooks.EVENT_CHOICES),
    )


class WebhookChangeBody(WebhookBody):
    """What is to be another; switched on again, it starts anew."""

    is_on = StrictBooleanField()


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook; of its address the site alone, because the rest may be a key."""

    site = serializers.SerializerMethodField()
    events = serializers.ListField(child=serializers.ChoiceField(webhooks.EVENT_CHOICES))
    is_on = serializers.SerializerMethodField()

    class Meta:
        model = Webhook
        fields = ["id", "site", "events", "is_on", "disabled_at", "disabled_why", "made_at"]

    def get_site(self, webhook: Webhook) -> str:
        """Where it is sent."""
        return webhooks.webhook_site(webhook)

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
