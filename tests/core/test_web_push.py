"""Encrypted and signed push messages."""

import base64
from io import StringIO

import http_ece
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from py_vapid import Vapid
from py_vapid.jwt import decode

from core import web_push
from core.checks import UnsafeSettings, refuse_unsafe

# RFC 8291, section 5 and appendix A.
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
ENDPOINT = "https://push.example/send/abc?of=1"


@pytest.fixture
def site_key(settings) -> str:
    settings.PUSH_KEY = web_push.new_private_key()
    settings.PUSH_CONTACT = "mailto:desk@example.org"
    return web_push.public_key(settings.PUSH_KEY)


def opened(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypt a body with the keys of the browser."""
    plain: bytes = http_ece.decrypt(body, private_key=key, auth_secret=auth)
    return plain


@pytest.mark.parametrize("size", [0, 41, web_push.MAX_BYTES])
def test_browser_decrypts_the_message_and_bodies_differ(size: int):
    key = Vapid.from_raw(RECEIVER.encode()).private_key
    receiver, message = web_push.get_receiver(RECEIVER_PUBLIC, AUTH), b"a" * size

    first, second = (
        web_push.encrypt_message(message, receiver),
        web_push.encrypt_message(message, receiver),
    )

    assert opened(first, key, receiver.auth) == opened(second, key, receiver.auth) == message
    assert first[:86] != second[:86]
    assert len(first) <= 4096


def test_message_over_the_limit_is_an_error():
    with pytest.raises(ValueError, match="3993"):
        web_push.encrypt_message(
            bytes(web_push.MAX_BYTES + 1), web_push.get_receiver(RECEIVER_PUBLIC, AUTH)
        )


@pytest.mark.parametrize("contact", ["mailto:desk@example.org", "https://club.example/contact"])
@time_machine.travel("2026-03-01 12:00Z", tick=False)
def test_signature_names_the_site_and_the_push_service(settings, site_key: str, contact):
    settings.PUSH_CONTACT = contact

    headers = web_push.signed_headers(ENDPOINT)

    scheme, token, key = headers["Authorization"].replace(",", " ").split()
    assert (scheme, key) == ("vapid", f"k={site_key}")
    claims = decode(token.removeprefix("t="), site_key)
    assert claims == {"aud": "https://push.example", "exp": 1772370000, "sub": contact}
    assert (headers["TTL"], headers["Urgency"]) == ("3600", "high")
    assert headers["Content-Encoding"] == "aes128gcm"


OFF_THE_CURVE = base64.urlsafe_b64encode(b"\x04" + bytes(63) + b"\x01").decode()


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        (RECEIVER_PUBLIC, ""),
        (RECEIVER_PUBLIC, AUTH + "AA"),
        (RECEIVER_PUBLIC[:-2], AUTH),
        (RECEIVER_PUBLIC, "é" * 22),
        (RECEIVER_PUBLIC, "!" + AUTH),
        (OFF_THE_CURVE, AUTH),
    ],
)
def test_invalid_keys_are_refused(p256dh: str, auth: str):
    with pytest.raises(web_push.BadKeys, match="Reload the page"):
        web_push.get_receiver(p256dh, auth)


def test_keys_may_be_padded():
    padded = web_push.get_receiver(RECEIVER_PUBLIC + "=", AUTH + "==")

    assert padded.auth == web_push.get_receiver(RECEIVER_PUBLIC, AUTH).auth


def test_command_prints_a_matching_key_pair():
    output = StringIO()

    call_command("make_push_key", stdout=output)

    private, public = output.getvalue().splitlines()
    key = private.removeprefix("DATAFORT_PUSH_KEY=")
    assert public == f"# public: {web_push.public_key(key)}"


@pytest.mark.parametrize("key", ["short", "A" * 43, "_" * 43, "é"])
def test_invalid_push_key_fails_the_check(settings, key: str):
    settings.PUSH_KEY, settings.PUSH_CONTACT = key, "desk@example.org"

    with pytest.raises(ImproperlyConfigured, match="make_push_key"):
        web_push.public_key(key)
    with pytest.raises(
        UnsafeSettings, match=r"(?s)E001.*make_push_key.*E002.*mailto:you"
    ) as stopped:
        refuse_unsafe()
    assert "None" not in str(stopped.value)


def test_push_requires_key_and_contact(settings, site_key: str):
    assert web_push.is_on()
    assert web_push.check_push_settings() == []

    settings.PUSH_CONTACT = ""

    assert not web_push.is_on()
    assert web_push.check_push_settings() == []
