"""A secret key that is made once and kept."""

import os
import secrets
from pathlib import Path


def kept_secret_key(path: Path) -> str:
    """The key in the file; a new one is written there first where none is.

    The file is readable by its owner only. Of two processes that start at once the first to create
    the file makes the key. Raises OSError where it cannot be written, and then leaves none, and
    RuntimeError for a file without a key.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    key = secrets.token_urlsafe(50)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(key)
    except OSError:
        path.unlink()
        raise
    return key


def _read(path: Path) -> str:
    key = path.read_text().strip()
    if not key:
        raise RuntimeError(
            f"{path} is empty, so there is no secret key. Delete it and start again."
        )
    return key
