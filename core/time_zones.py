"""The time zones this computer knows."""

from functools import lru_cache
from zoneinfo import available_timezones


@lru_cache(maxsize=1)
def known_zones() -> frozenset[str]:
    """Their names: 600 files are looked at for them, so once for each process."""
    return frozenset(available_timezones())
