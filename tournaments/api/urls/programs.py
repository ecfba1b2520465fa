"""Webhooks and uploads: what other programs are told."""

from django.urls import URLPattern, path

from tournaments.api import uploads, webhooks

WEBHOOKS = "events/<slug:slug>/webhooks/"
WEBHOOK = f"{WEBHOOKS}<int:pk>/"
DELIVERIES = f"{WEBHOOK}deliveries/"

urlpatterns: list[URLPattern] = [
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
    path("events/<slug:slug>/uploads/", uploads.UploadList.as_view(), name="uploads"),
]
