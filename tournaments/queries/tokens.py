"""Tokens of programs."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import User
from tournaments.models import ApiToken


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
