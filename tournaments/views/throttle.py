"""Wrong codes cost tries: nobody finds a private event by guessing."""

from django.core.cache import cache
from django.http import HttpRequest

from core.addresses import client_address

WRONG_TRIES, SECONDS = 20, 60


def is_blocked(request: HttpRequest) -> bool:
    """Whether this address has had its wrong tries for this minute."""
    return int(cache.get(_key(request), 0)) >= WRONG_TRIES


def count_wrong(request: HttpRequest) -> None:
    """One more wrong try of this address; the minute begins with the first."""
    key = _key(request)
    if cache.add(key, 1, SECONDS):
        return
    try:
        cache.incr(key)
    except ValueError:
        # The minute ended between the two calls.
        cache.add(key, 1, SECONDS)


def _key(request: HttpRequest) -> str:
    return f"join-wrong:{client_address(request)}"
