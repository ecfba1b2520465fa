"""Who may write rulings. Local rulings are written at their event, and asked there."""

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from players import factors
from players.models import User


def can_write(user: User | AnonymousUser, *, at: datetime | None = None) -> bool:
    """Site administrators write new versions; nobody changes an old one.

    With a second factor, where the site asks for one; `at` is when their token was made.
    """
    if not user.is_authenticated or not user.is_staff:
        return False
    return not settings.ADMIN_NEEDS_SECOND_FACTOR or factors.has_factor(user, at=at)
