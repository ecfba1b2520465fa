"""News outside the site, webhooks, and results sent to AlwaysBeRunning."""

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from core import web_push
from core.api_bodies import given, valid
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from tournaments.event import permissions, queries
from tournaments.event import services as event_services
from tournaments.integrations import news_jobs
from tournaments.integrations import queries as integration_queries
from tournaments.integrations.forms import AnnouncingForm, WebhookChangeForm, WebhookForm
from tournaments.integrations.serializers import (
    AnnouncingBody,
    AnnouncingSerializer,
    DeliverySerializer,
    NewWebhookSerializer,
    SecretSerializer,
    UploadBody,
    UploadSerializer,
    WebhookBody,
    WebhookChangeBody,
    WebhookSerializer,
)
from tournaments.integrations.services import announcing, uploads, webhooks
from tournaments.integrations.services.webhooks import WebhookIsGone, WebhookIsOff
from tournaments.models import Webhook, WebhookDelivery
from tournaments.results.pages.standings import standings_texts
from tournaments.rounds.pages.tables import pairings_texts
from tournaments.web.api.viewsets import EventViewSet

NAMES = {"address": "url"}
"""Fields of the forms that have another name in a body."""


class AnnouncingViewSet(EventViewSet):
    """What of the event is announced where."""

    @endpoint("announcing_read", "News of the event", AnnouncingSerializer, who=permissions.can_run)
    def retrieve(self, request: Request, slug: str) -> Response:
        """What is announced where, what became of it, and the same as text to copy."""
        return self._answer()

    @endpoint(
        "announcing_set",
        "Set notifications",
        AnnouncingSerializer,
        body=AnnouncingBody,
        who=permissions.can_run,
    )
    def update(self, request: Request, slug: str) -> Response:
        """Set notifications; the address of the webhook is never shown again."""
        asked = given(AnnouncingBody, request)
        forgets = asked.get("webhook") == ""
        wanted = valid(AnnouncingForm({**asked, "forgets_webhook": forgets})).changes()
        announcing.change(self.tournament, self.actor, **{name: wanted[name] for name in asked})
        return self._answer()

    @endpoint(
        "announcing_test",
        "Try the webhook",
        AnnouncingSerializer,
        status=202,
        who=permissions.can_run,
        refusals=(announcing.NoWebhook,),
    )
    def send_test(self, request: Request, slug: str) -> Response:
        """Send a word to the channel; `sendings` say what comes of it."""
        announcing.send_test(self.tournament)
        return self._answer(status=202)

    def _answer(self, status: int = 200) -> Response:
        """All of it as it is now."""
        setting = event_services.setting_of(self.tournament)
        rounds = queries.visible_rounds(self.tournament).select_related("stage__tournament")
        latest = rounds.last()
        shown = {
            **announcing.switches_of(setting),
            "site": announcing.site_of(setting),
            "can_mail": news_jobs.can_mail(),
            "can_push": web_push.is_on(),
            "sendings": queries.sendings(self.tournament),
            "pairings": pairings_texts(latest) if latest else [],
            "standings": standings_texts(self.tournament),
        }
        return Response(AnnouncingSerializer(shown).data, status=status)


class WebhookViewSet(EventViewSet):
    """Programs that hear of the event, and what each was sent."""

    @endpoint("webhooks_list", "Webhooks", WebhookSerializer(many=True), who=permissions.can_run)
    def list(self, request: Request, slug: str) -> Response:
        """The webhooks of the event, oldest first."""
        return self.listed(integration_queries.webhooks(self.tournament), WebhookSerializer)

    @endpoint(
        "webhooks_add",
        "Add a webhook",
        NewWebhookSerializer,
        body=WebhookBody,
        status=201,
        who=permissions.can_run,
        shown_once=("secret",),
        refusals=(webhooks.TooManyWebhooks,),
    )
    def create(self, request: Request, slug: str) -> Response:
        """Another webhook. The secret that signs its messages is shown now and never again."""
        form = valid(WebhookForm(given(WebhookBody, request)), NAMES)
        webhook = webhooks.add(self.tournament, self.actor, **form.cleaned_data)
        return Response(NewWebhookSerializer(webhook).data, status=201)

    @endpoint("webhooks_read", "One webhook", WebhookSerializer, who=permissions.can_run)
    def retrieve(self, request: Request, slug: str, pk: int) -> Response:
        """What is sent to it, and whether it is on."""
        return Response(WebhookSerializer(self._webhook()).data)

    @endpoint(
        "webhooks_change",
        "Change a webhook",
        WebhookSerializer,
        body=WebhookChangeBody,
        who=permissions.can_run,
        refusals=(WebhookIsGone,),
    )
    def partial_update(self, request: Request, slug: str, pk: int) -> Response:
        """Another address, other events; switch it off, or on again."""
        webhook = self._webhook()
        said = given(WebhookChangeBody, request, partial=True)
        is_on = said.pop("is_on", None)
        form = valid(WebhookChangeForm({"address": "", "events": webhook.events, **said}), NAMES)
        named = {name: form.cleaned_data[name] or None for name in said}
        with transaction.atomic():
            webhook = webhooks.change(webhook, self.actor, **named)
            if is_on is not None:
                webhook = webhooks.switch(webhook, self.actor, on=is_on)
        return Response(WebhookSerializer(webhook).data)

    @endpoint(
        "webhooks_remove",
        "Remove a webhook",
        status=204,
        who=permissions.can_run,
        refusals=(WebhookIsGone,),
    )
    def destroy(self, request: Request, slug: str, pk: int) -> Response:
        """Nothing more is sent to it, and its log is gone."""
        webhooks.remove(self._webhook(), self.actor)
        return Response(status=204)

    @endpoint(
        "webhooks_test",
        "Send a test",
        DeliverySerializer,
        status=202,
        who=permissions.can_run,
        refusals=(WebhookIsGone, WebhookIsOff),
    )
    def send_test(self, request: Request, slug: str, pk: int) -> Response:
        """Send a test; what came of it stands in the deliveries."""
        return Response(DeliverySerializer(webhooks.send_test(self._webhook())).data, status=202)

    @endpoint(
        "webhooks_secret",
        "Make a new secret",
        SecretSerializer,
        who=permissions.can_run,
        shown_once=("secret",),
        refusals=(WebhookIsGone,),
    )
    def make_secret(self, request: Request, slug: str, pk: int) -> Response:
        """Another secret from now on. It is shown now and never again."""
        secret = webhooks.new_secret(self._webhook(), self.actor)
        return Response(SecretSerializer({"secret": secret}).data)

    @endpoint(
        "webhooks_deliveries",
        "Messages of a webhook",
        DeliverySerializer(many=True),
        who=permissions.can_run,
    )
    def deliveries(self, request: Request, slug: str, pk: int) -> Response:
        """The last messages, newest first, and what came of them."""
        return self.listed(integration_queries.deliveries(self._webhook()), DeliverySerializer)

    @endpoint(
        "webhooks_deliver_again",
        "Send a message again",
        DeliverySerializer,
        status=202,
        who=permissions.can_run,
        refusals=(WebhookIsGone, WebhookIsOff, webhooks.StillWaiting),
    )
    def deliver_again(self, request: Request, slug: str, pk: int, uid: str) -> Response:
        """Send it once more, under the same id."""
        again = webhooks.send_again(self._delivery())
        return Response(DeliverySerializer(again).data, status=202)

    def _webhook(self) -> Webhook:
        """The webhook of the address."""
        found = found_or_404(
            integration_queries.webhooks(self.tournament), "Webhook", pk=self.kwargs["pk"]
        )
        found.tournament = self.tournament
        return found

    def _delivery(self) -> WebhookDelivery:
        """The message of the address."""
        webhook = self._webhook()
        delivery = found_or_404(webhook.deliveries.all(), "Delivery", uid=self.kwargs["uid"])
        delivery.webhook = webhook
        return delivery


class UploadViewSet(EventViewSet):
    """Results sent to AlwaysBeRunning."""

    @endpoint("uploads_list", "Uploads", UploadSerializer(many=True), who=permissions.can_run)
    def list(self, request: Request, slug: str) -> Response:
        """What was uploaded and what came of it, newest first."""
        return self.listed(integration_queries.uploads(self.tournament), UploadSerializer)

    @endpoint(
        "uploads_ask",
        "Upload the results",
        UploadSerializer,
        body=UploadBody,
        status=202,
        who=permissions.can_run,
        refusals=(uploads.NothingToUpload, uploads.SentBefore, uploads.UploadUnderWay),
    )
    def create(self, request: Request, slug: str) -> Response:
        """Upload the results to AlwaysBeRunning, once; the list says what came of it."""
        said = given(UploadBody, request)
        upload = uploads.ask(self.tournament, self.actor, **said)
        return Response(UploadSerializer(upload).data, status=202)
