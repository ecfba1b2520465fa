"""Messages to browsers: the published example, the other end, and the signature."""

import base64
import json
from io import StringIO

import pytest
import time_machine
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from core import web_push

# RFC 8291, section 5 and appendix A.
MESSAGE = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
ENDPOINT = "https://push.example/send/abc?of=1"


@pytest.fixture
def site_key(settings) -> str:
    settings.PUSH_KEY = web_push.fresh_key()
    settings.PUSH_CONTACT = "mailto:desk@example.org"
    return web_push.public_key(settings.PUSH_KEY)


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hmac_of(key: bytes, text: bytes) -> bytes:
    mac = hmac.HMAC(key, hashes.SHA256())
    mac.update(text)
    return mac.finalize()


def opened(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """The other end, step by step from the words of the standard."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, text = body[21 : 21 + length], body[21 + length :]
    assert len(text) <= size
    mine = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    shared = hmac_of(auth, key.exchange(ec.ECDH(), theirs))
    secret = hmac_of(shared, b"WebPush: info\x00" + mine + sender + b"\x01")
    both = hmac_of(salt, secret)
    cipher = hmac_of(both, b"Content-Encoding: aes128gcm\x00\x01")[:16]
    nonce = hmac_of(both, b"Content-Encoding: nonce\x00\x01")[:12]
    plain = AESGCM(cipher).decrypt(nonce, text, None)
    assert plain[-1] == 2
    return plain[:-1]


def test_the_published_example_comes_out_byte_for_byte():
    body = web_push.encrypted(
        MESSAGE,
        web_push.receiver(RECEIVER_PUBLIC, AUTH),
        web_push.private_key(SENDER),
        raw(SALT),
    )

    assert body == raw(BODY)
    assert opened(body, web_push.private_key(RECEIVER), raw(AUTH)) == MESSAGE


@given(message=st.binary(max_size=web_push.MOST_BYTES), auth=st.binary(min_size=16, max_size=16))
def test_the_browser_reads_what_was_sent_and_no_two_bodies_are_the_same(
    message: bytes, auth: bytes
):
    key = ec.generate_private_key(ec.SECP256R1())
    to = web_push.Receiver(key.public_key(), auth)

    first, second = web_push.encrypted(message, to), web_push.encrypted(message, to)

    assert opened(first, key, auth) == opened(second, key, auth) == message
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]
    assert len(first) <= 4096


def test_a_message_that_fits_no_record_is_an_error():
    to = web_push.receiver(RECEIVER_PUBLIC, AUTH)

    assert len(web_push.encrypted(bytes(web_push.MOST_BYTES), to)) == 4096
    with pytest.raises(ValueError, match="3993"):
        web_push.encrypted(bytes(web_push.MOST_BYTES + 1), to)


@time_machine.travel("2026-03-01 12:00Z", tick=False)
def test_the_site_signs_who_it_is_for_this_push_service_alone(site_key: str):
    headers = web_push.headers(ENDPOINT)

    scheme, token, key = headers["Authorization"].replace(",", "").split()
    assert (scheme, key) == ("vapid", f"k={site_key}")
    head, claims, signature = token.removeprefix("t=").split(".")
    assert json.loads(raw(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(raw(claims)) == {
        "aud": "https://push.example",
        "exp": 1772370000,
        "sub": "mailto:desk@example.org",
    }
    numbers = raw(signature)
    assert len(numbers) == 64
    pair = (int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(site_key))
    # Raises for any other signature.
    point.verify(
        encode_dss_signature(*pair), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256())
    )
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
        (RECEIVER_PUBLIC, AUTH + "===="),
        (RECEIVER_PUBLIC, "!" + AUTH),
        (OFF_THE_CURVE, AUTH),
        (AUTH, RECEIVER_PUBLIC),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str):
    with pytest.raises(web_push.BadKeys, match="Reload the page"):
        web_push.receiver(p256dh, auth)


def test_keys_may_be_padded():
    assert web_push.receiver(RECEIVER_PUBLIC + "=", AUTH + "==").auth == raw(AUTH)


def test_the_command_prints_a_pair_that_belongs_together():
    out = StringIO()

    call_command("make_push_key", stdout=out)

    private, public = out.getvalue().splitlines()
    key = private.removeprefix("DATAFORT_PUSH_KEY=")
    assert public == f"# public: {web_push.public_key(key)}"
    assert len(raw(key)) == 32


@pytest.mark.parametrize("key", ["short", "A" * 43, "_" * 43, "é"])
def test_a_key_that_is_none_is_named_as_the_site_starts(settings, key: str):
    settings.PUSH_KEY, settings.PUSH_CONTACT = key, "desk@example.org"

    with pytest.raises(ImproperlyConfigured, match="make_push_key"):
        web_push.private_key(key)
    assert [error.id for error in web_push.problems()] == ["core.E001", "core.E002"]


def test_it_is_off_without_both_settings_and_sound_with_them(settings, site_key: str):
    assert web_push.is_on()
    assert web_push.problems() == []

    settings.PUSH_CONTACT = ""

    assert not web_push.is_on()
    assert web_push.problems() == []
