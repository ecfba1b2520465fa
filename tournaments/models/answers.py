"""What was answered to writes from phones."""

from core.idempotency import AbstractKeptAnswer


class KeptAnswer(AbstractKeptAnswer):
    """The answer to a write at an event, kept for a day."""
