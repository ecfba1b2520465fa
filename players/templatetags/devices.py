"""{{ session.user_agent|device }}: a browser in words. {{ sessions|current_first }}."""

from collections.abc import Iterable

from allauth.usersessions.models import UserSession
from django import template

from players.devices import device_name

register = template.Library()
register.filter("device", device_name)


@register.filter
def current_first(sessions: Iterable[UserSession]) -> list[UserSession]:
    """The session that looks, then the others in their order."""
    return sorted(sessions, key=lambda session: not session.is_current())
