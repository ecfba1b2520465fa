"""How accounts and moments stand in the private part of an event's document."""

from typing import Any


def name(user: Any) -> str:
    """The username; empty for nobody."""
    return user.username if user else ""


def moment(at: Any) -> str | None:
    """A moment as ISO 8601."""
    return at.isoformat() if at else None
