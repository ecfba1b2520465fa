"""The time zones known to this computer."""

from functools import lru_cache
from zoneinfo import available_timezones


@lru_cache(maxsize=1)
def known_zones() -> frozenset[str]:
    # Cached, because finding them reads 600 files.
    return frozenset(available_timezones())
