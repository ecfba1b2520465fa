"""The key of a site is made once, for its owner alone, and never half."""

from pathlib import Path

import pytest

from core.secret_key import kept_secret_key


def test_a_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path):
    path = tmp_path / "var" / "secret_key"

    key = kept_secret_key(path)

    assert len(key) >= 50
    assert kept_secret_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_no_file_without_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "secret_key"

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("core.secret_key.os.fdopen", full)
        with pytest.raises(OSError, match="No space left"):
            kept_secret_key(path)

    assert not path.exists()
    assert kept_secret_key(path)


def test_an_empty_file_is_told_with_what_to_do(tmp_path: Path):
    (tmp_path / "secret_key").touch()

    with pytest.raises(RuntimeError, match="Delete it and start again"):
        kept_secret_key(tmp_path / "secret_key")
