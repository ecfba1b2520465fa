"""The mark by which a receiver knows that a message is ours, and new."""

import hashlib
import hmac


def signature(secret: str, body: bytes, moment: int) -> str:
    """`t=<moment>,v1=<hex>`: HMAC-SHA256, keyed with the secret, over the moment, a dot, the body.

    The moment is in seconds since 1970, so that an old message sent again by somebody is seen.
    """
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={signed.hexdigest()}"
