"""Files that only the site's own account may read: database, keys, backups."""

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

OTHERS_MODE = stat.S_IRWXG | stat.S_IRWXO
# Next to the encryption keys while they are changed.
NEW_KEYS = ".encryption_key.new"


def new_secret_key() -> str:
    return secrets.token_urlsafe(50)


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """Return the file's text, creating it if missing. Raises OSError, RuntimeError if empty."""
    try:
        return _read(path)
    except FileNotFoundError:
        _create_atomically(path, make)
        return _read(path)


def _create_atomically(path: Path, make: Callable[[], str]) -> None:
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    create(aside, make)
    try:
        with suppress(FileExistsError):
            # On Windows a rename never replaces a file; elsewhere a link never does.
            (os.rename if os.name == "nt" else os.link)(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def create(path: Path, make: Callable[[], str]) -> str:
    """Create the file with the text of `make`, or no file. Raises FileExistsError, OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text := make())
    except BaseException:
        path.unlink()
        raise
    return text


def _read(path: Path) -> str:
    text = path.read_text(encoding="utf-8").strip()
    if not text:
        raise RuntimeError(f"{path} is empty, so there is no key. Delete it and start again.")
    return text


def protect_folder() -> None:
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.VAR_DIR.chmod(0o700)


def protect_database(**_: Any) -> None:
    for path in database_files():
        if path.stat().st_mode & OTHERS_MODE:
            path.chmod(0o600)


def database_files() -> list[Path]:
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    files = [Path(f"{database['NAME']}{ending}") for ending in ("", "-wal", "-shm")]
    return [path for path in files if path.is_file()]


def readable_by_others() -> Iterator[Path]:
    # Windows has no such file modes.
    names = ("", "secret_key", "encryption_key", NEW_KEYS)
    paths = [settings.VAR_DIR / name for name in names]
    files = database_files()
    for path in dict.fromkeys([*paths, *(file.parent for file in files), *files]):
        if os.name == "posix" and path.exists() and path.stat().st_mode & OTHERS_MODE:
            yield path


def readable_backups() -> Iterator[Path]:
    # On a USB stick or share, their modes may be fixed.
    folder = Path(settings.BACKUP_FOLDER) if settings.BACKUP_FOLDER else None
    if os.name == "posix" and folder is not None and folder.is_dir():
        yield from (
            path for path in (folder, *folder.iterdir()) if path.stat().st_mode & OTHERS_MODE
        )
