"""Files that only the site's own account may read: database, keys, backups."""

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

OTHERS = stat.S_IRWXG | stat.S_IRWXO
NEW_KEYS = ".encryption_key.new"
"""Beside the encryption keys while they are changed."""


def new_secret_key() -> str:
    """A value for SECRET_KEY."""
    return secrets.token_urlsafe(50)


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text of the file; one is made and written there first where there is no file.

    Of two processes that start at once both get the text of the first. Raises OSError where the
    file cannot be written, and RuntimeError for one without text.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        _put(path, make)
        return _read(path)


def _put(path: Path, make: Callable[[], str]) -> None:
    """Create the file with its whole text at once; one that is there stays."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    create(aside, make)
    try:
        with suppress(FileExistsError):
            # Windows renames over nothing; elsewhere that is what a link does.
            (os.rename if os.name == "nt" else os.link)(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def create(path: Path, make: Callable[[], str]) -> str:
    """Make a text once the file is created, write it there and return it.

    Raises FileExistsError where there is one, and OSError where it cannot be written, and then
    leaves none.
    """
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


def close_folder() -> None:
    """Make DATAFORT_VAR, and close it to other accounts."""
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.VAR_DIR.chmod(0o700)


def close_database(**_: Any) -> None:
    """Receiver of connection_created, for whatever command made the file."""
    for path in database_files():
        if path.stat().st_mode & OTHERS:
            path.chmod(0o600)


def database_files() -> list[Path]:
    """The files of the SQLite database that exist; none on PostgreSQL."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    files = [Path(f"{database['NAME']}{ending}") for ending in ("", "-wal", "-shm")]
    return [path for path in files if path.is_file()]


def open_to_others() -> Iterator[Path]:
    """What other accounts of this machine can read; nothing on Windows, which has no such modes."""
    names = ("", "secret_key", "encryption_key", NEW_KEYS)
    paths = [settings.VAR_DIR / name for name in names]
    files = database_files()
    for path in dict.fromkeys([*paths, *(file.parent for file in files), *files]):
        if os.name == "posix" and path.exists() and path.stat().st_mode & OTHERS:
            yield path


def open_backups() -> Iterator[Path]:
    """As `open_to_others`, of the backups: on a stick or a share that may not be to change."""
    folder = Path(settings.BACKUP_FOLDER) if settings.BACKUP_FOLDER else None
    if os.name == "posix" and folder is not None and folder.is_dir():
        yield from (path for path in (folder, *folder.iterdir()) if path.stat().st_mode & OTHERS)
