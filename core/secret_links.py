"""Links that are keys: a secret that is shown once, of which only the hash is kept."""

import hashlib
import secrets

from django.http import HttpResponse

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
