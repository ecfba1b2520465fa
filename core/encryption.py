"""Secrets that the site has to read again: encrypted in the database, with a key outside of it.

The keys are those of DATAFORT_ENCRYPTION_KEYS, else those in a file beside the secret key that is
made once. The first one encrypts; what the others encrypted is still read.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signing import JSONSerializer

from core import private_files

logger = logging.getLogger(__name__)

BEGINNING = "gAAAA"
"""Of all that Fernet encrypts; no secret begins so."""


def encrypt(text: str) -> str:
    """What the database keeps of a secret."""
    return _fernet().encrypt(text.encode()).decode()


def decrypt(encrypted: str) -> str:
    """The secret. Raises InvalidToken where its key is gone."""
    return _fernet().decrypt(encrypted).decode()


def encrypt_again(kept: str) -> str:
    """A secret under the first key, whether it was under another one or in clear."""
    return encrypt(decrypt_if_needed(kept))


def decrypt_if_needed(kept: str) -> str:
    """The secret, encrypted or in clear."""
    return decrypt(kept) if kept.startswith(BEGINNING) else kept


def add_key() -> None:
    """Make a new first key in the file. The older ones stay: backups made so far need them.

    Raises FileExistsError where another change is at work, or was broken off: two at once would
    lose the key of one.
    """
    unfinished = _file().with_name(private_files.NEW_KEYS)
    private_files.create(unfinished, lambda: "\n".join([_new_key(), *_keys()]))
    unfinished.replace(_file())


def are_usable(keys: Sequence[str]) -> bool:
    """Whether each is a key; what a start check asks of the settings."""
    try:
        return all(Fernet(key) for key in keys)
    except ValueError:
        return False


class EncryptedSessions(JSONSerializer):
    """SESSION_SERIALIZER: a session holds a new second factor until it is confirmed."""

    def dumps(self, obj: Any) -> bytes:
        """What is signed and kept."""
        return _fernet().encrypt(super().dumps(obj))

    def loads(self, data: bytes) -> Any:
        """What was dumped. Raises InvalidToken, which Django takes for nobody logged in."""
        try:
            return super().loads(_fernet().decrypt(data))
        except InvalidToken:
            logger.warning(
                "A session is encrypted with a key that is not here, so somebody is logged out. "
                "Several machines need the same DATAFORT_ENCRYPTION_KEYS."
            )
            raise


def _fernet() -> MultiFernet:
    # Read each time, so that a key made by a command is known to running processes.
    return MultiFernet([Fernet(key) for key in _keys()])


def _keys() -> list[str]:
    return settings.ENCRYPTION_KEYS or private_files.kept(_file(), _new_key).split()


def _file() -> Path:
    path: Path = settings.VAR_DIR / "encryption_key"
    return path


def _new_key() -> str:
    return Fernet.generate_key().decode()
