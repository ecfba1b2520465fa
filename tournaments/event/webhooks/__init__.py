"""Webhook messages, written down with the change they tell of. Call as `webhooks.name()`."""

from tournaments.event.webhooks.messages import enqueue, key_of, of_change, of_result, tell, write
from tournaments.event.webhooks.payloads import Happening, Payload, payload_of

__all__ = [
    "Happening",
    "Payload",
    "enqueue",
    "key_of",
    "of_change",
    "of_result",
    "payload_of",
    "tell",
    "write",
]
