"""Events to read, made of files, as files, and the programs that hear of them."""

from django.urls import URLPattern, path

from tournaments.integrations.api import webhooks
from tournaments.interchange import api as files
from tournaments.rounds.api import rounds
from tournaments.settings.api import events

EVENT = "events/<slug:slug>/"
EXPORTS = f"{EVENT}exports/"
WEBHOOKS = f"{EVENT}webhooks/"
WEBHOOK = f"{WEBHOOKS}<int:pk>/"
DELIVERIES = f"{WEBHOOK}deliveries/"

urlpatterns: list[URLPattern] = [
    path("events/", events.EventList.as_view(), name="events"),
    path("imports/", files.ImportView.as_view(), name="imports"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}players/", events.PlayerList.as_view(), name="players"),
    path(f"{EVENT}standings/", events.StandingList.as_view(), name="standings"),
    path(f"{EVENT}rounds/", rounds.RoundList.as_view(), name="rounds"),
    path(f"{EVENT}rounds/<int:number>/", rounds.RoundDetail.as_view(), name="round"),
    path(f"{EVENT}rounds/<int:number>/pairings/", rounds.PairingList.as_view(), name="pairings"),
    path(EXPORTS, files.ExportList.as_view(), name="exports"),
    path(f"{EXPORTS}<slug:form>/", files.ExportFile.as_view(), name="export"),
    path(WEBHOOKS, webhooks.WebhookList.as_view(), name="webhooks"),
    path(WEBHOOK, webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{WEBHOOK}test/", webhooks.WebhookActions.by_post("test"), name="webhook_test"),
    path(
        f"{WEBHOOK}secret/", webhooks.WebhookActions.by_post("make_secret"), name="webhook_secret"
    ),
    path(DELIVERIES, webhooks.DeliveryList.as_view(), name="deliveries"),
    path(
        f"{DELIVERIES}<uuid:uid>/again/",
        webhooks.WebhookActions.by_post("deliver_again"),
        name="delivery_again",
    ),
    path(f"{EVENT}uploads/", webhooks.UploadList.as_view(), name="uploads"),
]
