"""Secrets of links that a program or a page of ours sends here."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.middleware.csrf import rotate_token
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from core import limits
from core.errors import Refusal
from players import sessions


@contextmanager
def tried(request: Request, what: str, wrong: type[Refusal]) -> Iterator[None]:
    """A secret that is `wrong` slows its address down, as on the page. Raises Throttled."""
    try:
        yield
    except wrong:
        if wait := limits.wait_after_wrong(request._request, what):
            raise Throttled(wait) from None
        raise


def renew_session(request: Request) -> None:
    """As at a login: an id or a CSRF token known before is worth nothing afterwards."""
    if request.auth is None:
        sessions.new_id(request._request)
        rotate_token(request._request)
