"""Queries for webhooks, deliveries, uploads and API tokens."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import User
from tournaments.models import ApiToken, Tournament, Upload, UploadState, Webhook, WebhookDelivery

LOGGED = 50


def webhooks(tournament: Tournament) -> QuerySet[Webhook]:
    return tournament.webhooks.select_related("made_by").order_by("pk")


def deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return the latest deliveries, newest first."""
    return webhook.deliveries.order_by("-pk")[:LOGGED]


def uploads(tournament: Tournament) -> QuerySet[Upload]:
    """Return the event's uploads, newest first."""
    return tournament.uploads.select_related("made_by").order_by("-pk")


def was_uploaded(tournament: Tournament) -> bool:
    """Return True if the results were sent, or may have been, by an earlier upload."""
    return tournament.uploads.exclude(state=UploadState.FAILED).exists()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).select_related("tournament")


def live_tokens(user: User) -> QuerySet[ApiToken]:
    """Return tokens that are neither revoked nor expired."""
    return tokens_of(user).filter(_is_live())


def ended_tokens(user: User) -> QuerySet[ApiToken]:
    """Return tokens that are revoked or expired."""
    return tokens_of(user).exclude(_is_live())


def _is_live() -> Q:
    return Q(revoked_at=None) & (Q(expiry=None) | Q(expiry__gt=timezone.now()))
