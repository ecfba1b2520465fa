"""Sessions in the database as Django keeps them; that of a request is found by a prepared query."""

from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

from core.prepared import Given, Prepared

_SESSION: Prepared[Any] = Prepared(
    lambda: db.SessionStore.get_model_class().objects.filter(session_key=Given("key")).order_by()
)


class SessionStore(db.SessionStore):
    """What SESSION_ENGINE names."""

    def load(self) -> dict[str, Any]:
        """What is kept under this key; without a session that still holds, nothing and no key."""
        key = self.session_key or ""
        # PostgreSQL takes no text with a NUL, and no session has such a key.
        kept = None if "\0" in key else _SESSION.one(key=key)
        if kept is None or kept.expire_date <= timezone.now():
            self._session_key = None
            return {}
        said: dict[str, Any] = self.decode(kept.session_data)
        return said
