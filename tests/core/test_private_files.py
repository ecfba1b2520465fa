"""Private files: only their own account reads them, and keys are created once."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from core.private_files import database_files, new_secret_key, protect_folder, read_or_create


@pytest.mark.goal("G19")
def test_key_is_created_once_and_private(tmp_path: Path):
    path = tmp_path / "var" / "secret_key"

    key = read_or_create(path, new_secret_key)

    assert len(key) >= 50
    assert read_or_create(path, new_secret_key) == key
    assert path.stat().st_mode & 0o777 == 0o600


def test_simultaneous_starts_share_the_key(tmp_path: Path):
    path = tmp_path / "secret_key"
    keys: list[str] = []

    def overtaken() -> str:
        keys.append(read_or_create(path, new_secret_key))
        return new_secret_key()

    keys.append(read_or_create(path, overtaken))

    assert keys[0] == keys[1] == read_or_create(path, new_secret_key)
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_leaves_no_key_file_without_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "secret_key"

    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("core.private_files.os.fdopen", full)
        with pytest.raises(OSError, match="No space left"):
            read_or_create(path, new_secret_key)

    assert not path.exists()
    assert read_or_create(path, new_secret_key)


def test_empty_key_file_is_refused_with_advice(tmp_path: Path):
    (tmp_path / "secret_key").touch()

    with pytest.raises(RuntimeError, match="Delete it and start again"):
        read_or_create(tmp_path / "secret_key", new_secret_key)


@pytest.mark.goal("G19")
def test_folder_of_a_site_is_closed_to_other_accounts(tmp_path: Path, settings: Any):
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o755)

    protect_folder()

    assert tmp_path.stat().st_mode & 0o777 == 0o700


@pytest.mark.goal("G19")
@pytest.mark.django_db
def test_new_database_is_private():
    modes = {path.stat().st_mode & 0o777 for path in database_files()}

    # PostgreSQL protects its own files.
    assert modes == ({0o600} if connection.vendor == "sqlite" else set())
