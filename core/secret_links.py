"""Links that are keys: a secret that is shown once, of which only the hash is kept."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from core import rate_limits
from core.errors import Refusal

SECRET_BYTES = 18
"""144 bits, 24 characters in an address."""


def new_secret() -> str:
    """A secret nobody can guess, fit for an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """What is kept of a secret: its SHA-256, 64 hexadecimal digits (ASVS 6.5.2)."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def private(response: HttpResponse) -> HttpResponse:
    """The answer, so marked that the address of a link goes to no other site and no index."""
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def taken_from_address(
    request: HttpRequest,
    secret: str,
    *,
    what: str,
    look_up: Callable[[str], Any],
    wrong: type[Refusal],
    next_page: str,
) -> HttpResponse:
    """Keep the digest of the secret in the session, and redirect to an address without the secret.

    It is under `key_of(what)`, so that no table ever holds the secret; nothing is used up.
    `look_up` raises `wrong` for a digest that opens nothing: wrong tries are counted here, so that
    nobody has sessions made without end.
    """
    found = digest(secret)
    try:
        look_up(found)
    except wrong:
        if wait := rate_limits.wait_after_wrong(request, what):
            return private(rate_limits.slowed(render(request, "429_link.html"), wait))
    request.session[key_of(what)] = found
    return private(redirect(next_page))


def key_of(what: str) -> str:
    """Under what a session keeps the digest of such a link."""
    return f"{what}_digest"
