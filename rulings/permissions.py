"""Who may write rulings. Local rulings are written at their event, and asked there."""

from django.contrib.auth.models import AnonymousUser

from players.models import User


def can_write(user: User | AnonymousUser) -> bool:
    """Site administrators write new versions; nobody changes an old one."""
    return user.is_authenticated and user.is_staff
