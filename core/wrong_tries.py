"""Wrong codes and links cost tries: nobody finds a private event by guessing."""

from django.core.cache import cache
from django.http import HttpRequest

from core.addresses import counted_address
from core.counting import one_more

WRONG_TRIES, SECONDS = 20, 60


def is_blocked(request: HttpRequest, what: str = "join") -> bool:
    """Whether this address has had its wrong tries for this minute."""
    return int(cache.get(_key(request, what), 0)) >= WRONG_TRIES


def is_one_too_many(request: HttpRequest, what: str) -> bool:
    """Count a wrong try of a link; whether this address had used up its tries before.

    Only wrong links are counted and held up. One that is right always opens: with 144 bits nobody
    finds it, and the phones of a hall share one address.
    """
    if is_blocked(request, what):
        return True
    count_wrong(request, what)
    return False


def count_wrong(request: HttpRequest, what: str = "join") -> None:
    """One more wrong try of this address; the minute begins with the first."""
    one_more(cache, _key(request, what), SECONDS)


def _key(request: HttpRequest, what: str) -> str:
    return f"{what}-wrong:{counted_address(request)}"
