"""The time of the server: clocks on every device go by it, however wrong their own is."""

from time import time

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

NOW = "Datafort-Now"
"""The header with the moment of the answer, in milliseconds."""


def with_now(response: HttpResponse) -> HttpResponse:
    """The same answer, told when it was given; nginx.conf takes it off pages that are kept."""
    response[NOW] = str(round(time() * 1000))
    return response


@never_cache
@require_safe
def server_time(request: HttpRequest) -> HttpResponse:
    """The time and nothing else: asked when a page is shown, and after sleep."""
    return with_now(HttpResponse(status=204))
