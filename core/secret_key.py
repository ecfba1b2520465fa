"""A secret key that is made once and kept."""

import os
import secrets
from pathlib import Path


def kept_secret_key(path: Path) -> str:
    """The key in the file; a new one is written there first where none is.

    The file is readable by its owner only. Two processes that start at once
    get the same key: the first to create the file wins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key
