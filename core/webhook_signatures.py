"""Signatures that prove the sender and the time of a webhook message."""

import hashlib
import hmac


def signature(secret: str, body: bytes, moment: int) -> str:
    """Return `t=<moment>,v1=<hex>`: the HMAC-SHA256 of the moment, a dot and the body.

    The moment is in seconds since 1970, so that the receiver can detect a replayed message.
    """
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={signed.hexdigest()}"
