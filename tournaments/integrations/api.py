"""Webhooks of an event in the API."""

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404
from core.api_requests import validated_body, validated_form
from core.api_viewsets import endpoint
from tournaments.event import permissions as event_permissions
from tournaments.integrations import webhooks
from tournaments.integrations.forms import WebhookChangeForm, WebhookForm
from tournaments.integrations.serializers import (
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookBody,
    WebhookChangeBody,
    WebhookSecretSerializer,
    WebhookSerializer,
)
from tournaments.integrations.webhooks import WebhookIsGone, WebhookIsOff
from tournaments.models import Webhook
from tournaments.web.viewsets import EventViewSet

# Form fields with a different name in the API.
API_NAMES = {"address": "url"}


class WebhookViewSet(EventViewSet):
    """Webhooks and their deliveries."""

    tag = "webhooks"

    @endpoint(
        "webhooks_list",
        "Webhooks",
        WebhookSerializer(many=True),
        permission=event_permissions.can_run,
    )
    def list(self, request: Request, slug: str) -> Response:
        """The webhooks of the event, oldest first."""
        return self.list_response(webhooks.webhooks_of_event(self.tournament), WebhookSerializer)

    @endpoint(
        "webhooks_add",
        "Add a webhook",
        NewWebhookSerializer,
        body=WebhookBody,
        status=201,
        permission=event_permissions.can_run,
        shown_once=("secret",),
        refusals=(webhooks.TooManyWebhooks,),
    )
    def create(self, request: Request, slug: str) -> Response:
        """Add a webhook. The secret that signs its messages is shown once."""
        form = validated_form(WebhookForm(validated_body(WebhookBody, request)), API_NAMES)
        webhook = webhooks.add_webhook(self.tournament, self.actor, **form.cleaned_data)
        return Response(NewWebhookSerializer(webhook).data, status=201)

    @endpoint(
        "webhooks_read", "One webhook", WebhookSerializer, permission=event_permissions.can_run
    )
    def retrieve(self, request: Request, slug: str, pk: int) -> Response:
        """A webhook with its events and state."""
        return Response(WebhookSerializer(self._webhook()).data)

    @endpoint(
        "webhooks_change",
        "Change a webhook",
        WebhookSerializer,
        body=WebhookChangeBody,
        permission=event_permissions.can_run,
        refusals=(WebhookIsGone,),
    )
    def partial_update(self, request: Request, slug: str, pk: int) -> Response:
        """Change the address or events, or switch the webhook on or off."""
        webhook = self._webhook()
        body = validated_body(WebhookChangeBody, request, partial=True)
        is_on = body.pop("is_on", None)
        form = validated_form(
            WebhookChangeForm({"address": "", "events": webhook.events, **body}), API_NAMES
        )
        changes = {name: form.cleaned_data[name] or None for name in body}
        with transaction.atomic():
            webhook = webhooks.change_webhook(webhook, self.actor, **changes)
            if is_on is not None:
                webhook = webhooks.switch_webhook(webhook, self.actor, on=is_on)
        return Response(WebhookSerializer(webhook).data)

    @endpoint(
        "webhooks_remove",
        "Remove a webhook",
        status=204,
        permission=event_permissions.can_run,
        refusals=(WebhookIsGone,),
    )
    def destroy(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a webhook and its deliveries."""
        webhooks.remove_webhook(self._webhook(), self.actor)
        return Response(status=204)

    @endpoint(
        "webhooks_test",
        "Send a test message",
        DeliverySerializer,
        status=202,
        permission=event_permissions.can_run,
        refusals=(WebhookIsGone, WebhookIsOff),
    )
    def send_test(self, request: Request, slug: str, pk: int) -> Response:
        """Queue a test message. Its outcome is shown in the deliveries."""
        return Response(
            DeliverySerializer(webhooks.send_webhook_test(self._webhook())).data, status=202
        )

    @endpoint(
        "webhooks_secret",
        "Replace the secret",
        WebhookSecretSerializer,
        permission=event_permissions.can_run,
        shown_once=("secret",),
        refusals=(WebhookIsGone,),
    )
    def make_secret(self, request: Request, slug: str, pk: int) -> Response:
        """Replace the secret. The new one is shown once."""
        secret = webhooks.replace_secret(self._webhook(), self.actor)
        return Response(WebhookSecretSerializer({"secret": secret}).data)

    @endpoint(
        "webhooks_deliveries",
        "Deliveries of a webhook",
        DeliverySerializer(many=True),
        permission=event_permissions.can_run,
    )
    def deliveries(self, request: Request, slug: str, pk: int) -> Response:
        """The latest deliveries, newest first, with their outcome."""
        return self.list_response(webhooks.latest_deliveries(self._webhook()), DeliverySerializer)

    @endpoint(
        "webhooks_deliver_again",
        "Send a message again",
        DeliverySerializer,
        status=202,
        permission=event_permissions.can_run,
        refusals=(WebhookIsGone, WebhookIsOff, webhooks.StillWaiting),
    )
    def deliver_again(self, request: Request, slug: str, pk: int, uid: str) -> Response:
        """Queue a message again under the same id."""
        webhook = self._webhook()
        delivery = get_or_404(webhook.deliveries.all(), "Delivery", uid=uid)
        delivery.webhook = webhook
        delivery = webhooks.send_delivery_again(delivery)
        return Response(DeliverySerializer(delivery).data, status=202)

    def _webhook(self) -> Webhook:
        webhook = get_or_404(
            webhooks.webhooks_of_event(self.tournament), "Webhook", pk=self.kwargs["pk"]
        )
        webhook.tournament = self.tournament
        return webhook
