"""Encryption of stored secrets that the site needs in clear text, and webhook signatures."""

# The keys are those of DATAFORT_ENCRYPTION_KEYS, or of a file beside the secret key, created if
# missing. The first key encrypts; the others only decrypt.

import hashlib
import hmac
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signing import JSONSerializer

from core import private_files

logger = logging.getLogger(__name__)

# Start of every text that Fernet encrypts; no secret starts like this.
FERNET_PREFIX = "gAAAA"


def encrypt(text: str) -> str:
    return _fernet().encrypt(text.encode()).decode()


def decrypt(encrypted: str) -> str:
    """Decrypt a secret. Raises InvalidToken if its key is missing."""
    return _fernet().decrypt(encrypted).decode()


def encrypt_again(stored: str) -> str:
    return encrypt(decrypt_if_needed(stored))


def decrypt_if_needed(stored: str) -> str:
    return decrypt(stored) if stored.startswith(FERNET_PREFIX) else stored


def add_key() -> None:
    """Add a new first key to the file. Raises FileExistsError if another change is unfinished."""
    path = _key_file()
    unfinished = path.with_name(private_files.NEW_KEYS)
    private_files.create(unfinished, lambda: "\n".join([_new_key(), *_keys()]))
    unfinished.replace(path)


def are_usable(keys: Sequence[str]) -> bool:
    try:
        return all(Fernet(key) for key in keys)
    except ValueError:
        return False


class EncryptedSessions(JSONSerializer):
    """SESSION_SERIALIZER that encrypts: sessions hold new second factors until confirmation."""

    def dumps(self, obj: Any) -> bytes:
        return _fernet().encrypt(super().dumps(obj))

    def loads(self, data: bytes) -> Any:
        try:
            return super().loads(_fernet().decrypt(data))
        except InvalidToken:
            logger.warning(
                "A user was logged out: the session is encrypted with an unknown key. All machines "
                "of a site need the same DATAFORT_ENCRYPTION_KEYS."
            )
            raise


def _fernet() -> MultiFernet:
    # Read each time, so that running processes use a key that a command has added.
    return MultiFernet([Fernet(key) for key in _keys()])


def _keys() -> list[str]:
    return settings.ENCRYPTION_KEYS or private_files.read_or_create(_key_file(), _new_key).split()


def _key_file() -> Path:
    path: Path = settings.VAR_DIR / "encryption_key"
    return path


def _new_key() -> str:
    return Fernet.generate_key().decode()


def webhook_signature(secret: str, body: bytes, moment: int) -> str:
    """Return `t=<seconds since 1970>,v1=<hex>`: HMAC-SHA256 of the seconds, a dot and the body."""
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={signed.hexdigest()}"
