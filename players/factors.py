"""Second factors of accounts."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Min

from players.models import User

# Factors used with a password. Recovery codes only replace these and do not count on their own.
STRONG_TYPES = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
# Keys in `data` of an app and of recovery codes; a passkey stores no secret here.
SECRET_KEYS = ("secret", "seed")


def factor_since(user: User | AnonymousUser) -> datetime | None:
    """Return when the account got its oldest second factor. Cached on the user object."""
    if not isinstance(user, User):
        return None
    if not hasattr(user, "cached_factor_since"):
        strong = Authenticator.objects.filter(user_id=user.pk, type__in=STRONG_TYPES)
        user.cached_factor_since = strong.aggregate(first=Min("created_at"))["first"]  # type: ignore[attr-defined]
    return user.cached_factor_since  # type: ignore[attr-defined,no-any-return]


def has_factor(user: User | AnonymousUser, *, at: datetime | None = None) -> bool:
    """Return True if the account has a second factor, or had it at a given moment."""
    # A login requires the factor once it exists, and adding the first factor ends every other
    # session. A session of such an account has therefore passed it.
    since = factor_since(user)
    return since is not None and (at is None or since <= at)


def accounts_with_factor(pks: list[int]) -> set[int]:
    strong = Authenticator.objects.filter(user_id__in=pks, type__in=STRONG_TYPES)
    return set(strong.values_list("user_id", flat=True))


def is_administrator(user: User, *, at: datetime | None = None) -> bool:
    needs: bool = settings.ADMIN_NEEDS_SECOND_FACTOR
    return user.is_superuser and (not needs or has_factor(user, at=at))


def change_secrets(factors: Any, change: Callable[[str], str]) -> None:
    """Replace each secret, to encrypt it or to change its key."""
    for row in factors.exclude(type=Authenticator.Type.WEBAUTHN).select_for_update():
        row.data |= {name: change(row.data[name]) for name in SECRET_KEYS if name in row.data}
        row.save(update_fields=["data"])
