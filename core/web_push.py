"""Push messages to browsers, encrypted for the receiver and signed by this site."""

# `http_ece` encrypts as RFC 8291 requires, `py_vapid` signs the header of RFC 8292. Servers in
# between see neither title nor text. Keys are passed as base64url text without "=".

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.translation import gettext
from py_vapid import Vapid

from core.errors import Refusal

CURVE = ec.SECP256R1()
PRIVATE_BYTES, PUBLIC_BYTES, AUTH_BYTES = 32, 65, 16
# Of a message: a body of 4096 also holds 86 bytes before it and 17 that close it.
MAX_BYTES = 3993
# Validity of a signature; 12 hours at most.
SIGNATURE_LIFETIME = timedelta(hours=1)
# Seconds that a message may wait until its phone is online.
TIME_TO_LIVE = 60 * 60


class BadKeys(Refusal):
    code = "bad_push_keys"


@dataclass(frozen=True)
class PushReceiver:
    """The keys of a browser: a point on the curve, and 16 bytes shared only with this site."""

    key: ec.EllipticCurvePublicKey
    auth: bytes


def is_on() -> bool:
    return bool(settings.PUSH_KEY and settings.PUSH_CONTACT)


def check_push_settings(**_: object) -> list[Error]:
    if not is_on():
        return []
    errors = []
    try:
        _vapid(settings.PUSH_KEY)
    except ImproperlyConfigured as error:
        hint = "Make a key with manage.py make_push_key, or leave DATAFORT_PUSH_KEY empty."
        errors.append(Error(str(error), hint=hint, id="core.E001"))
    if not settings.PUSH_CONTACT.startswith(("mailto:", "https://")):
        message = "DATAFORT_PUSH_CONTACT must start with mailto: or https://."
        hint = gettext(
            "Set it to an address such as mailto:you@example.org, or to an https address."
        )
        errors.append(Error(message, hint=hint, id="core.E002"))
    return errors


def new_private_key() -> str:
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encode_base64url(number.to_bytes(PRIVATE_BYTES, "big"))


def public_key(private: str) -> str:
    """Return the public key for browsers. Raises ImproperlyConfigured for an invalid key."""
    point = _vapid(private).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return encode_base64url(point)


def get_receiver(p256dh: str, auth: str) -> PushReceiver:
    """Build a receiver from keys of a browser. Raises BadKeys."""
    try:
        point, secret = decode_base64url(p256dh), decode_base64url(auth)
        if len(point) == PUBLIC_BYTES and len(secret) == AUTH_BYTES:
            return PushReceiver(ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point), secret)
    except ValueError:
        pass
    raise BadKeys(gettext("Your browser sent invalid keys. Reload the page and try again."))


def encrypt_message(message: bytes, to: PushReceiver) -> bytes:
    """Encrypt a message for this receiver. Raises ValueError for more than MAX_BYTES."""
    if len(message) > MAX_BYTES:
        raise ValueError(f"a message has at most {MAX_BYTES} bytes")
    key = ec.generate_private_key(CURVE)
    body: bytes = http_ece.encrypt(message, private_key=key, dh=to.key, auth_secret=to.auth)
    return body


def signed_headers(endpoint: str) -> Mapping[str, str]:
    """Return the headers for an encrypted body to this address, signed with the site's key."""
    site = urlsplit(endpoint)
    claims = {
        "aud": f"{site.scheme}://{site.netloc}",
        "exp": int((timezone.now() + SIGNATURE_LIFETIME).timestamp()),
        "sub": settings.PUSH_CONTACT,
    }
    return {
        **_vapid(settings.PUSH_KEY).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TIME_TO_LIVE),
        "Urgency": "high",
    }


def _vapid(private: str) -> Vapid:
    try:
        number = int.from_bytes(decode_base64url(private), "big")
        if len(decode_base64url(private)) != PRIVATE_BYTES:
            raise ValueError("a key of the wrong length")
        # `problems` checks the contact, which may be any https page.
        return Vapid(ec.derive_private_key(number, CURVE), conf={"no-strict": True})
    except ValueError as error:
        raise ImproperlyConfigured(
            "DATAFORT_PUSH_KEY is not a valid key. `manage.py make_push_key` prints a new key."
        ) from error


def encode_base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Decode base64url, with or without "=" at the end. Raises ValueError."""
    plain = text.removesuffix("=").removesuffix("=")
    raw = urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    if encode_base64url(raw) != plain:
        raise ValueError("this is not base64url")
    return raw
