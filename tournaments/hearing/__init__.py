"""Programs elsewhere that hear of an event. Call as `hearing.name()`."""

from tournaments.hearing.payloads import Happening, Payload, payload_of
from tournaments.hearing.telling import enqueue, key_of, of_change, of_result, tell, write

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
