"""Wrong codes and links slow down whoever tries them; what is right always opens.

The phones of a hall share one address, so a guesser among them must not close it for the others.
Nobody finds a private event all the same. A join code has 30 bits. At 100 tries a second, day and
night, one that is open among 2**30 codes takes 2**29 / 100 seconds, 62 days, on average, and gives
no more than a place on a list that the organiser sees. A personal link has 144 bits.
"""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from core.addresses import counted_address
from core.counting import one_more

WRONG_TRIES, SECONDS = 20, 60
"""So many wrong tries of an address in so many seconds are slips of the finger."""
MANY_TRIES = 200
TOO_MANY = 429


def wait_after_wrong(request: HttpRequest, what: str = "join") -> int:
    """Count a wrong try; the seconds to wait before the next one, 0 for none.

    The minute of an address begins with its first wrong try.
    """
    count = one_more(cache, f"{what}-wrong:{counted_address(request)}", SECONDS)
    return (count > WRONG_TRIES) + (count > MANY_TRIES)


def slowed(response: HttpResponse, wait: int) -> HttpResponse:
    """The answer to a wrong try, with the seconds to wait where there are any."""
    if wait:
        response.status_code, response["Retry-After"] = TOO_MANY, str(wait)
    return response
