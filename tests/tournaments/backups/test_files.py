"""The form of a backup: whole, or refused."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.backups import BackupRefused, DamagedBackup, files, folders

MANIFEST = files.Manifest(
    version="0.1.0",
    began_at="2026-11-22T14:30:05.123+00:00",
    database="sqlite",
    migrations=["tournaments.0001_initial"],
    facts={"counts": {"events": 2}},
)
COPY = bytes(range(256)) * 2
TWO_OLD = [timedelta(days=40), timedelta(days=41)]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A small one: 512 bytes of copy."""
    copy, target = tmp_path / "copy", tmp_path / "site.backup"
    copy.write_bytes(COPY)
    files.write(target, MANIFEST, copy)
    return target


def test_what_was_written_comes_back(backup: Path, tmp_path: Path):
    manifest = files.unpack(backup, tmp_path / "again")

    assert (tmp_path / "again").read_bytes() == COPY
    assert manifest.facts == MANIFEST.facts
    assert manifest.bytes == len(COPY)
    assert backup.stat().st_mode & 0o077 == 0


@pytest.mark.check(38)
def test_a_backup_with_any_one_byte_changed_is_refused(backup: Path, tmp_path: Path, figure):
    whole = backup.read_bytes()

    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        backup.write_bytes(changed)
        with pytest.raises(BackupRefused):
            files.unpack(backup, tmp_path / "again")

    figure(f"{len(whole)} of {len(whole)} flipped bytes noticed")


@pytest.mark.check(38)
def test_a_backup_cut_short_or_made_longer_is_refused(backup: Path, tmp_path: Path):
    whole = backup.read_bytes()

    for other in (b"", whole[:40], whole[:-1], whole + b"\0", whole[: whole.index(b"\n") + 1]):
        backup.write_bytes(other)
        with pytest.raises(BackupRefused):
            files.unpack(backup, tmp_path / "again")


def test_a_copy_that_is_not_as_written_is_told_as_damage(backup: Path, tmp_path: Path):
    backup.write_bytes(backup.read_bytes()[:-1])

    with pytest.raises(DamagedBackup, match="511 bytes instead of 512"):
        files.unpack(backup, tmp_path / "again")


def test_another_file_is_told_to_be_none(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("Buy sleeves.")

    with pytest.raises(BackupRefused, match="no backup of Datafort"):
        files.manifest_of(tmp_path / "notes.txt")


def test_nothing_is_left_of_a_backup_that_could_not_be_written(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        files.write(tmp_path / "site.backup", MANIFEST, tmp_path / "no copy")

    assert not list(tmp_path.iterdir())


def test_old_backups_go_by_number_and_age_and_the_newest_stays():
    now = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)
    kept = files_of(now, [timedelta(0), timedelta(minutes=10), timedelta(hours=1), *TWO_OLD])

    assert folders.too_old(kept, now, 100, timedelta(days=30)) == kept[3:]
    assert folders.too_old(kept, now, 1, timedelta(days=60)) == kept[1:]


def test_the_newest_three_stay_however_old_they_are():
    now = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)
    kept = files_of(now, [timedelta(days=days) for days in range(40, 45)])

    assert folders.too_old(kept, now, 100, timedelta(days=30)) == kept[3:]
    assert folders.too_old(kept, now, 2, timedelta(days=30)) == kept[2:]


def test_those_of_a_moment_to_come_push_nothing_out():
    now = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)
    ahead = files_of(now, [timedelta(days=-2), timedelta(days=-1)])
    kept = files_of(now, [timedelta(0), timedelta(days=1), timedelta(days=2), *TWO_OLD])

    assert folders.too_old(ahead + kept, now, 100, timedelta(days=30)) == kept[3:]
    assert folders.too_old(ahead + kept[:3], now, 3, timedelta(days=30)) == ahead


def files_of(now: datetime, ages: list[timedelta]) -> list[Path]:
    """Backups of these ages, which are told from the youngest on."""
    return [Path(folders.fresh_name(now - age)) for age in ages]


def test_files_of_people_beside_the_backups_are_theirs(tmp_path: Path):
    for name in ("datafort.sqlite3", "notes.backup", "datafort-20261122T143005.123Z.backup"):
        (tmp_path / name).touch()

    assert [path.name for path in folders.backups_in(tmp_path)] == [
        "datafort-20261122T143005.123Z.backup"
    ]
