"""Second factors: who has one, and since when."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Min

from players.models import User

STRONG = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What stands beside a password; recovery codes stand in for these, never alone."""
SECRETS = ("secret", "seed")
"""Of an app and of recovery codes, in `data`; a passkey has none that others could use."""


def factor_since(user: User | AnonymousUser) -> datetime | None:
    """Since when this account has had a second factor, None without one.

    Asked once for each object of the account; the answer is kept on it.
    """
    if not isinstance(user, User):
        return None
    if not hasattr(user, "kept_factor_since"):
        strong = Authenticator.objects.filter(user_id=user.pk, type__in=STRONG)
        user.kept_factor_since = strong.aggregate(first=Min("created_at"))["first"]  # type: ignore[attr-defined]
    return user.kept_factor_since  # type: ignore[attr-defined,no-any-return]


def has_factor(user: User | AnonymousUser, *, at: datetime | None = None) -> bool:
    """Whether the account has a second factor, and had it at this moment already if one is given.

    A log-in asks for the factor once there is one, and the first ends every other session; so a
    session of an account with a factor has shown it.
    """
    since = factor_since(user)
    return since is not None and (at is None or since <= at)


def with_factor(pks: list[int]) -> set[int]:
    """Which of these accounts have a second factor; one query."""
    strong = Authenticator.objects.filter(user_id__in=pks, type__in=STRONG)
    return set(strong.values_list("user_id", flat=True))


def is_administrator(user: User, *, at: datetime | None = None) -> bool:
    """Whether the account may do everything on this site now: that takes a second factor."""
    needs: bool = settings.ADMIN_NEEDS_SECOND_FACTOR
    return user.is_superuser and (not needs or has_factor(user, at=at))


def change_secrets(factors: Any, change: Callable[[str], str]) -> None:
    """Write each secret of these rows anew, as changed: encrypted, or under another key."""
    for row in factors.exclude(type=Authenticator.Type.WEBAUTHN).select_for_update():
        row.data |= {name: change(row.data[name]) for name in SECRETS if name in row.data}
        row.save(update_fields=["data"])
