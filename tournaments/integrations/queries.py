"""Programs elsewhere: their webhooks, uploads and tokens, and what they were sent."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import User
from tournaments.models import ApiToken, Tournament, Upload, UploadState, Webhook, WebhookDelivery

LOGGED = 50


def webhooks(tournament: Tournament) -> QuerySet[Webhook]:
    """The webhooks of the event, oldest first."""
    return tournament.webhooks.select_related("made_by").order_by("pk")


def deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """What a webhook was sent last, newest first."""
    return webhook.deliveries.order_by("-pk")[:LOGGED]


def uploads(tournament: Tournament) -> QuerySet[Upload]:
    """The uploads of the event, newest first."""
    return tournament.uploads.select_related("made_by").order_by("-pk")


def was_uploaded(tournament: Tournament) -> bool:
    """Whether the results went out before, or may have; what failed since changes nothing."""
    return tournament.uploads.exclude(state=UploadState.FAILED).exists()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """All of an account that are kept, the newest first."""
    return ApiToken.objects.filter(user=user).select_related("tournament")


def live_tokens(user: User) -> QuerySet[ApiToken]:
    """Those that still open something."""
    return tokens_of(user).filter(_is_live())


def ended_tokens(user: User) -> QuerySet[ApiToken]:
    """Those that are revoked or have expired."""
    return tokens_of(user).exclude(_is_live())


def _is_live() -> Q:
    return Q(revoked_at=None) & (Q(expiry=None) | Q(expiry__gt=timezone.now()))
