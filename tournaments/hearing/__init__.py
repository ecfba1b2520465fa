"""Programs elsewhere that hear of an event. Call as `hearing.name()`."""

from tournaments.hearing.payloads import Happening, Payload, payload_of
from tournaments.hearing.telling import key_of, of_change, of_result, ring, tell, write

__all__ = [
    "Happening",
    "Payload",
    "key_of",
    "of_change",
    "of_result",
    "payload_of",
    "ring",
    "tell",
    "write",
]
