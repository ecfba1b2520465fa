"""Serializers of webhooks."""

from typing import Any

from drf_spectacular.utils import (
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictChoiceField
from tournaments.integrations import webhooks
from tournaments.models import DeliveryState, Webhook, WebhookDelivery, WebhookEvent

ALL_EVENTS = WebhookEvent.choices
MESSAGE_DESCRIPTION = """\
Sent to every webhook of the event that is subscribed to `event`, in order, with these headers:

* `Datafort-Event`: the `event` of the message.
* `Datafort-Delivery`: its `id`, the same in every attempt.
* `Datafort-Signature`: `t=<seconds since 1970>,v1=<hex>`, the HMAC-SHA256 of `t`, a dot and the
  body, with the secret of the webhook as its key.

Answer 200 to 299 within five seconds. Any other answer is followed by up to five more attempts."""


class WebhookBody(RequestBody):
    """A new webhook."""

    url = StrictCharField(
        max_length=300,
        source="address",
        help_text="An https address with the public name of a site.",
    )
    events = serializers.ListField(
        child=StrictChoiceField(webhooks.EVENT_CHOICES),
        min_length=1,
        max_length=len(webhooks.EVENT_CHOICES),
    )


class WebhookChangeBody(WebhookBody):
    """Changed fields of a webhook. Switching it on again resets its failures."""

    is_on = StrictBooleanField()


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook. Only the site of its address is shown, because the rest may be a secret."""

    site = serializers.SerializerMethodField()
    events = serializers.ListField(child=serializers.ChoiceField(webhooks.EVENT_CHOICES))
    is_on = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="made_at")
    disabled_why = serializers.CharField(source="shown_reason", required=False)

    class Meta:
        model = Webhook
        fields = ["id", "site", "events", "is_on", "disabled_at", "disabled_why", "created_at"]

    def get_site(self, webhook: Webhook) -> str:
        """Host to which messages are sent."""
        return webhooks.webhook_site(webhook)

    def get_is_on(self, webhook: Webhook) -> bool:
        """True while messages are sent."""
        return webhook.disabled_at is None


class NewWebhookSerializer(WebhookSerializer):
    """A webhook with the secret that signs its messages, shown only once."""

    secret = serializers.CharField(allow_null=True)

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class WebhookSecretSerializer(serializers.Serializer[Any]):
    """The secret that signs messages, shown only once."""

    secret = serializers.CharField(allow_null=True)


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """A message and its outcome; `id` is the id of the message."""

    id = serializers.UUIDField(source="uid")
    event = serializers.ChoiceField(ALL_EVENTS)
    state = serializers.ChoiceField(DeliveryState.choices)
    created_at = serializers.DateTimeField(source="made_at")
    last_error = serializers.CharField(source="shown_error", required=False)
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
            "created_at",
            "next_try_at",
            "delivered_at",
            "payload",
        ]

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_payload(self, delivery: WebhookDelivery) -> Any:
        """The message as sent."""
        return delivery.payload


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class PointsField(serializers.Field[Any, Any, Any, Any]):
    """Points: a whole number, or text such as "10/3"."""


class WebhookSeatSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="The number of the player in the event.")
    name = serializers.CharField()
    match_points = PointsField()


class WebhookResultSerializer(serializers.Serializer[Any]):
    seats = WebhookSeatSerializer(many=True)


class WebhookTournamentSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="Increases with every public change.")


class WebhookUrlsSerializer(serializers.Serializer[Any]):
    tournament = serializers.CharField()
    standings = serializers.CharField()
    round = serializers.CharField(required=False)


class WebhookMessageSerializer(serializers.Serializer[Any]):
    # Built by `tournaments.event.webhooks.build_payload`.

    id = serializers.UUIDField()
    event = serializers.ChoiceField(ALL_EVENTS)
    sent_at = serializers.DateTimeField(help_text="Time of the event; the same in every attempt.")
    tournament = WebhookTournamentSerializer()
    round = serializers.IntegerField(required=False, help_text="The number of the round.")
    table = serializers.IntegerField(required=False, help_text="Only in `result.settled`.")
    result = WebhookResultSerializer(
        required=False,
        allow_null=True,
        help_text="Only in `result.settled`. Null if the result was withdrawn.",
    )
    urls = WebhookUrlsSerializer()


WEBHOOK = OpenApiWebhook(
    name="message",
    decorator=extend_schema(
        operation_id="webhook_message",
        summary="Message of a webhook",
        description=MESSAGE_DESCRIPTION,
        tags=["webhooks"],
        request=WebhookMessageSerializer,
        responses={"2XX": OpenApiResponse(description="The message has arrived.")},
    ),
)
