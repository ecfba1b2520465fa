"""Programs elsewhere, and what they were told."""

from django.db.models import QuerySet

from tournaments.models import Tournament, Upload, UploadState, Webhook, WebhookDelivery

LOGGED = 50


def webhooks(tournament: Tournament) -> QuerySet[Webhook]:
    """The webhooks of the event, oldest first."""
    return tournament.webhooks.select_related("made_by").order_by("pk")


def deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """What a webhook was told last, newest first."""
    return webhook.deliveries.order_by("-pk")[:LOGGED]


def uploads(tournament: Tournament) -> QuerySet[Upload]:
    """The uploads of the event, newest first."""
    return tournament.uploads.select_related("made_by").order_by("-pk")


def was_uploaded(tournament: Tournament) -> bool:
    """Whether the results went out before, or may have; what failed since changes nothing."""
    return tournament.uploads.exclude(state=UploadState.FAILED).exists()
