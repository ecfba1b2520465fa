"""Links with a secret that is shown once and stored only as a hash."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from core import rate_limits
from core.errors import Refusal

# 144 bits, 24 characters in an address.
SECRET_BYTES = 18


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """Return the stored form of a secret: its SHA-256, 64 hexadecimal digits (ASVS 6.5.2)."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def mark_private(response: HttpResponse) -> HttpResponse:
    # The address must reach no other site and no search engine.
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def redirect_without_secret(
    request: HttpRequest,
    secret: str,
    *,
    what: str,
    look_up: Callable[[str], Any],
    wrong: type[Refusal],
    next_page: str,
) -> HttpResponse:
    """Store the digest of the secret in the session, and redirect to an address without it.

    The digest is stored under `session_key(what)`, and the link is not used up. `look_up` raises
    `wrong` for an invalid digest. Wrong tries are counted, to limit the sessions that strangers can
    create.
    """
    secret_digest = digest(secret)
    try:
        look_up(secret_digest)
    except wrong:
        if wait := rate_limits.wait_after_wrong(request, what):
            return mark_private(rate_limits.slow_down(render(request, "429_link.html"), wait))
    request.session[session_key(what)] = secret_digest
    return mark_private(redirect(next_page))


def session_key(what: str) -> str:
    return f"{what}_digest"
