"""The form of a backup: two lines that tell what it is, then the copy of the database.

    datafort-backup 1 <SHA-256 of the second line>
    {"version": ..., "database": "sqlite", "bytes": ..., "sha256": ..., "facts": {...}, ...}
    <the copy: gzip of an SQLite file, or what pg_dump writes with --format=custom>

Without Datafort `tail -n +3 FILE | gunzip` gives the SQLite file, and `tail -n +3 FILE` what
pg_restore takes.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from core.backups import BackupRefused, DamagedBackup

FIRST_WORDS = b"datafort-backup 1 "
LONGEST_LINE = 1024 * 1024
PART = 1024 * 1024


@dataclass(frozen=True)
class Manifest:
    """What a backup is: `migrations` are those applied ("app.name"), `bytes` are of the copy."""

    version: str
    began_at: str
    """ISO 8601, in UTC."""
    database: str
    """The vendor: "sqlite" or "postgresql"."""
    migrations: list[str]
    facts: dict[str, Any] = field(default_factory=dict)
    bytes: int = 0
    sha256: str = ""


def write(target: Path, manifest: Manifest, copy: Path) -> None:
    """Make the backup of a copy, readable by its owner alone; it is there whole or not at all."""
    said = {**asdict(manifest), "bytes": copy.stat().st_size, "sha256": _digest_of(copy)}
    line = json.dumps(said, sort_keys=True, ensure_ascii=False).encode()
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        with open(unfinished, "wb", opener=_private) as backup:
            backup.write(FIRST_WORDS + hashlib.sha256(line).hexdigest().encode() + b"\n")
            backup.write(line + b"\n")
            with copy.open("rb") as source:
                backup.writelines(_parts(source))
            backup.flush()
            os.fsync(backup.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def manifest_of(path: Path) -> Manifest:
    """What the file says it is. Raises DamagedBackup where that was changed."""
    with path.open("rb") as backup:
        return _manifest(backup)


def unpack(path: Path, copy: Path) -> Manifest:
    """Write the copy out of the backup. Raises DamagedBackup when one byte is not as written.

    The copy is only to be used when this returns.
    """
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as backup, open(copy, "wb", opener=_private) as target:
        manifest = _manifest(backup)
        for part in _parts(backup):
            digest.update(part)
            size += len(part)
            target.write(part)
    if size != manifest.bytes:
        raise DamagedBackup(
            f"{path.name} is damaged: its copy has {size:,} bytes instead of {manifest.bytes:,}."
        )
    if digest.hexdigest() != manifest.sha256:
        raise DamagedBackup(f"{path.name} is damaged: its copy is not what was written.")
    return manifest


def _manifest(backup: IO[bytes]) -> Manifest:
    first, line = backup.readline(LONGEST_LINE), backup.readline(LONGEST_LINE)
    if not first.startswith(FIRST_WORDS):
        raise BackupRefused(
            "This is no backup of Datafort, it was made by a later release, or its head is damaged."
        )
    told = first.removeprefix(FIRST_WORDS).rstrip(b"\n").decode("ascii", "replace")
    if hashlib.sha256(line.removesuffix(b"\n")).hexdigest() != told or line[-1:] != b"\n":
        raise DamagedBackup("The head of this backup is damaged: it is not what was written.")
    return Manifest(**json.loads(line))


def _digest_of(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _parts(source: IO[bytes]) -> Iterator[bytes]:
    while part := source.read(PART):
        yield part


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
