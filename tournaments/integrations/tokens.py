"""API tokens of an account."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from core.errors import Refusal
from players import factors
from players.models import User
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.models import ApiToken, LogAction, Tournament

MAX_LIVE_TOKENS = 20
# Revoked and expired tokens that an account can still look up.
MAX_ENDED_TOKENS = 50


class TooManyTokens(Refusal):
    pass


class FactorMissing(Refusal):
    """The event of the token requires two-factor authentication of its staff."""

    code = "second_factor_needed"


@dataclass(frozen=True)
class TokenRequest:
    name: str
    scope: str
    # None covers all events of the account.
    tournament: Tournament | None = None
    # None never expires.
    lasts: timedelta | None = None


@transaction.atomic
def create_token(user: User, request: TokenRequest) -> str:
    """Create a token and return its secret; only the hash is stored.

    Raises TooManyTokens and FactorMissing.
    """
    if request.tournament is not None:
        tournament = history.lock(request.tournament)
        if tournament.staff_need_second_factor and not factors.has_factor(user):
            raise FactorMissing(
                _(
                    "%(event)s requires two-factor authentication for its staff. Set it up first: "
                    "without it, this token gives no access."
                )
                % {"event": tournament}
            )
    # Lock the account so that concurrent requests cannot both take the last free slot.
    User.objects.select_for_update().get(pk=user.pk)
    if live_tokens(user).count() >= MAX_LIVE_TOKENS:
        raise TooManyTokens(
            _("You can have up to %(number)s tokens. Revoke one first.")
            % {"number": MAX_LIVE_TOKENS}
        )
    ended = ended_tokens(user).values_list("pk", flat=True)
    ApiToken.objects.filter(pk__in=list(ended[MAX_ENDED_TOKENS - 1 :])).delete()
    digest, secret = get_digest_token()
    token = ApiToken.objects.create(
        user=user,
        digest=digest,
        token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH],
        name=request.name,
        scope=request.scope,
        tournament=request.tournament,
        expiry=timezone.now() + request.lasts if request.lasts else None,
    )
    expires_at = token.expiry.isoformat() if token.expiry else None
    after = {"scope": token.scope, "expires_at": expires_at}
    _log_token(token, LogAction.TOKEN_MADE, after)
    return str(secret)


@transaction.atomic
def revoke_token(token: ApiToken) -> None:
    """Revoke a token with immediate effect; no effect on a token that has ended."""
    if token.tournament is not None:
        history.lock(token.tournament)
    live = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if token.is_live and live.update(revoked_at=timezone.now()):
        _log_token(token, LogAction.TOKEN_REVOKED)


@transaction.atomic
def revoke_all_tokens(user: User) -> int:
    # Lock events in a fixed order, so that concurrent calls cannot deadlock.
    live = list(live_tokens(user).order_by("tournament_id", "digest"))
    for token in live:
        revoke_token(token)
    return len(live)


def _log_token(token: ApiToken, action: LogAction, after: dict[str, Any] | None = None) -> None:
    if token.tournament is not None:
        actor = Actor(user=token.user)
        history.record(token.tournament, actor, action, token.name, after=after or {})


def tokens_of_user(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).select_related("tournament")


def live_tokens(user: User) -> QuerySet[ApiToken]:
    return tokens_of_user(user).filter(_is_live_condition())


def ended_tokens(user: User) -> QuerySet[ApiToken]:
    return tokens_of_user(user).exclude(_is_live_condition())


def _is_live_condition() -> Q:
    return Q(revoked_at=None) & (Q(expiry=None) | Q(expiry__gt=timezone.now()))
