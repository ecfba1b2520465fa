"""Messages to browsers that are not open: encrypted for one of them, signed by this site.

The encryption is that of RFC 8291, one record of RFC 8188; the signature is the VAPID header of
RFC 8292. What stands between this site and the browser sees neither text nor title. Keys come and
go as text, in base64url without "=".
"""

import json
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured

from core.errors import Refusal

CURVE = ec.SECP256R1()
PRIVATE_BYTES, PUBLIC_BYTES, AUTH_BYTES, SALT_BYTES = 32, 65, 16, 16
RECORD = 4096
MOST_BYTES = 3993
"""Of a message: a body of 4096 also holds 86 bytes before it and 17 that close it."""
LAST_RECORD = b"\x02"
SIGNED_FOR = 60 * 60
"""Seconds that a signature holds; 12 hours at most."""
TIME_TO_LIVE = 60 * 60
"""Seconds that a message waits for its phone to have a signal."""


class BadKeys(Refusal):
    """What a browser said of itself is not what browsers say."""

    code = "bad_push_keys"


@dataclass(frozen=True)
class Receiver:
    """The keys of one browser: a point of the curve, and 16 bytes it shares with us alone."""

    key: ec.EllipticCurvePublicKey
    auth: bytes


def is_on() -> bool:
    """Whether this site has a key and somebody who answers for it."""
    return bool(settings.PUSH_KEY and settings.PUSH_CONTACT)


def problems(**_: object) -> list[Error]:
    """A system check: what is wrong with the settings, so that it is known before anybody asks."""
    if not is_on():
        return []
    found = []
    try:
        private_key(settings.PUSH_KEY)
    except ImproperlyConfigured as error:
        found.append(Error(str(error), id="core.E001"))
    if not settings.PUSH_CONTACT.startswith(("mailto:", "https://")):
        found.append(
            Error("DATAFORT_PUSH_CONTACT begins with mailto: or https://.", id="core.E002")
        )
    return found


def fresh_key() -> str:
    """A new private key."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encoded(number.to_bytes(PRIVATE_BYTES, "big"))


def public_key(private: str) -> str:
    """What a browser is told of a private key. Raises ImproperlyConfigured for none."""
    return encoded(_point(private_key(private).public_key()))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The key that was configured. Raises ImproperlyConfigured where it is none."""
    try:
        raw = decoded(text)
        if len(raw) != PRIVATE_BYTES:
            raise ValueError("a key of the wrong length")
        return ec.derive_private_key(int.from_bytes(raw, "big"), CURVE)
    except ValueError as error:
        raise ImproperlyConfigured(
            "DATAFORT_PUSH_KEY is no key. `manage.py make_push_key` prints one."
        ) from error


def receiver(p256dh: str, auth: str) -> Receiver:
    """The browser with these keys. Raises BadKeys."""
    try:
        point, secret = decoded(p256dh), decoded(auth)
        if len(point) == PUBLIC_BYTES and len(secret) == AUTH_BYTES:
            return Receiver(ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point), secret)
    except ValueError:
        pass
    raise BadKeys("Your browser sent keys that do not work. Reload the page and try again.")


def encrypted(
    message: bytes,
    to: Receiver,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a request, for `to` alone; `key` and `salt` are fresh for each message.

    Raises ValueError for more than MOST_BYTES.
    """
    if len(message) > MOST_BYTES:
        raise ValueError(f"a message has at most {MOST_BYTES} bytes")
    key = key or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    mine, theirs = _point(key.public_key()), _point(to.key)
    shared = _derived(
        to.auth, key.exchange(ec.ECDH(), to.key), b"WebPush: info\0" + theirs + mine, 32
    )
    cipher = AESGCM(_derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(salt, shared, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + cipher.encrypt(nonce, message + LAST_RECORD, None)


def headers(endpoint: str) -> Mapping[str, str]:
    """What goes with an encrypted body to this address, signed with the key of the site."""
    site = urlsplit(endpoint)
    signed = _signed(
        {
            "aud": f"{site.scheme}://{site.netloc}",
            "exp": int(time.time()) + SIGNED_FOR,
            "sub": settings.PUSH_CONTACT,
        }
    )
    return {
        "Authorization": f"vapid t={signed}, k={public_key(settings.PUSH_KEY)}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TIME_TO_LIVE),
        "Urgency": "high",
    }


def _signed(claims: Mapping[str, str | int]) -> str:
    """The claims as a JSON web token under ES256: its signature is two numbers of 32 bytes."""
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    text = ".".join(encoded(json.dumps(part).encode()) for part in parts)
    key = private_key(settings.PUSH_KEY)
    numbers = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b"".join(number.to_bytes(PRIVATE_BYTES, "big") for number in numbers)
    return f"{text}.{encoded(signature)}"


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(raw: bytes) -> str:
    """In base64url without "="."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Back from base64url, with or without "=" at its end. Raises ValueError."""
    plain = text.removesuffix("=").removesuffix("=")
    raw = urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    if encoded(raw) != plain:
        raise ValueError("this is not base64url")
    return raw
