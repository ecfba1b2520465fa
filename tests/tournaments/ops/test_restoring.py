"""Restoring a backup into an empty site."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from core import backups
from core.version import VERSION
from players.models import Session
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, play_round
from tests.players.factors import give_app
from tests.tournaments.ops.places import ROOT, EmptySite, empty_site
from tournaments.models import Standing, Tournament
from tournaments.ops import services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(38)]
of_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite: no client")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[EmptySite]:
    (tmp_path / "restored").mkdir()
    with empty_site(tmp_path / "restored") as place:
        yield place


def standings(using: str = "default") -> list[tuple[Any, ...]]:
    columns = ("snapshot", "rank", "registration__player__name", "match_points", "tie_breakers")
    return list(Standing.objects.using(using).order_by("pk").values_list(*columns))


@pytest.mark.goal("G13", "G19")
def test_restored_site_has_equal_standings_and_no_sessions(tmp_path: Path, place: EmptySite):
    event = make_event(players=6)
    for _ in range(2):
        play_round(event)
    mara = make_user("mara")
    logged_in(mara)
    give_app(mara)
    made = services.make_backup(tmp_path / "backups")

    done = place.manage("restore", str(made.path))

    assert done.returncode == 0, done.stderr
    assert "Run set_up before you start the site." in done.stdout
    # The restored site has a key of its own.
    assert "cannot read these secrets: mfa_authenticator (1)" in done.stderr
    with place.connected() as alias:
        assert standings(alias) == standings() != []
        assert not Session.objects.using(alias).exists()
    assert Session.objects.exists()
    refused = place.manage("restore", str(made.path))
    assert refused.returncode == 2
    assert "already contains data" in refused.stderr


def test_backup_of_a_newer_release_is_refused(tmp_path: Path, place: EmptySite):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_of_next_year")
    try:
        made = services.make_backup(tmp_path / "backups")
    finally:
        recorder.record_unapplied("tournaments", "9999_of_next_year")

    refused = place.manage("restore", str(made.path))

    assert refused.returncode == 2
    assert f"Datafort {VERSION} wrote this backup" in refused.stderr
    assert "release is newer" in refused.stderr
    assert "9999_of_next_year" in refused.stderr


def test_damaged_backup_and_backup_of_another_database_are_refused(tmp_path: Path):
    path = services.make_backup(tmp_path).path
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1

    for damaged in (b"", whole[:40], whole[:-1], whole + b"x", bytes(changed)):
        path.write_bytes(damaged)
        with pytest.raises(backups.DamagedBackup):
            backups.check(path)

    (ending,) = [
        backups.FILE_ENDINGS[name] for name in backups.FILE_ENDINGS if name != connection.vendor
    ]
    with pytest.raises(backups.BackupRefused, match="is not a backup of"):
        backups.check(tmp_path / f"datafort-20261122T143005.123456Z{ending}")


@pytest.mark.parametrize("name", ["friday.gz", "datafort.sqlite3", "datafort.tar.gz"])
def test_misnamed_backup_is_refused_with_the_required_ending(tmp_path: Path, name: str):
    renamed = services.make_backup(tmp_path).path.rename(tmp_path / name)

    with pytest.raises(backups.BackupRefused) as refused:
        services.restore_backup(renamed)

    ending = backups.FILE_ENDINGS[connection.vendor]
    assert f"The name of {name} does not end in {ending}" in str(refused.value)
    backups.check(renamed.rename(tmp_path / f"friday{ending}"))


def test_file_of_other_content_is_refused_despite_its_valid_name(tmp_path: Path):
    path = tmp_path / f"friday{backups.FILE_ENDINGS[connection.vendor]}"
    path.write_bytes(gzip.compress(b"a list of players"))

    with pytest.raises(backups.BackupRefused, match="although its name ends in"):
        backups.check(path)


def test_backup_names_the_release_that_wrote_it(tmp_path: Path):
    nameless = tmp_path / "nameless.gz"
    nameless.write_bytes(gzip.compress(b"x"))

    assert backups.release_of(services.make_backup(tmp_path).path) == VERSION
    assert not backups.release_of(nameless)


def test_upgrade_notes_have_a_section_for_the_current_release():
    page = (ROOT / "docs/admin/upgrades.md").read_text(encoding="utf-8")

    assert f"**{VERSION}**" in page.partition("## Upgrade notes")[2]


def test_failed_migration_of_a_restored_backup_names_both_releases(tmp_path: Path, monkeypatch):
    made = services.make_backup(tmp_path)
    monkeypatch.setattr(backups, "restore", lambda path: None)
    monkeypatch.setattr(backups, "release_of", lambda path: "0.0.9")

    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError("no such column: seed.")

    monkeypatch.setattr(services, "call_command", fail)

    with pytest.raises(backups.BackupRefused) as refused:
        services.restore_backup(made.path)

    assert "Datafort 0.0.9 wrote this backup" in str(refused.value)
    assert f"could not be upgraded to Datafort {VERSION}: no such column" in str(refused.value)


def test_database_with_data_is_refused(tmp_path: Path):
    event = make_event(players=4)
    made = services.make_backup(tmp_path)

    with pytest.raises(backups.BackupRefused, match="already contains data"):
        services.restore_backup(made.path)

    assert Tournament.objects.get() == event


def replace_pg_dump(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    dump = folder / "pg_dump"
    dump.write_text(f"#!/bin/sh\n{script}\n")
    dump.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")


@of_postgresql
def test_missing_or_failing_client_is_reported(tmp_path: Path, monkeypatch):
    replace_pg_dump(tmp_path, monkeypatch, "echo 'server version mismatch' >&2; exit 1")
    with pytest.raises(backups.BackupRefused, match="pg_dump failed: server version mismatch"):
        services.make_backup(tmp_path / "backups")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(backups.BackupRefused, match="pg_dump is not installed"):
        services.make_backup(tmp_path / "backups")
    assert backups.backups_in(tmp_path / "backups") == []


@of_postgresql
def test_long_dump_calls_keep_alive(tmp_path: Path, monkeypatch):
    called = tmp_path / "called"
    replace_pg_dump(
        tmp_path, monkeypatch, f'until [ -e {called} ]; do :; done; : > "${{6#--file=}}"'
    )
    monkeypatch.setattr(backups, "CALLBACK_SECONDS", 0.01)

    assert services.make_backup(tmp_path / "backups", called.touch).path.exists()


@of_postgresql
def test_endless_dump_is_stopped(tmp_path: Path, monkeypatch):
    replace_pg_dump(tmp_path, monkeypatch, "exec sleep 600")
    monkeypatch.setattr(backups, "CALLBACK_SECONDS", 0.01)
    monkeypatch.setattr(backups, "LONGEST_RUN", 0.02)

    with pytest.raises(backups.BackupRefused, match="pg_dump was stopped after an hour"):
        services.make_backup(tmp_path / "backups")


@of_postgresql
def test_pg_dump_gets_the_certificate_of_the_database_address(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "sslrootcert", "/etc/club.pem")
    replace_pg_dump(tmp_path, monkeypatch, 'printf "$PGSSLROOTCERT" > "${6#--file=}"')

    made = services.make_backup(tmp_path / "backups")

    assert gzip.decompress(made.path.read_bytes()) == b"/etc/club.pem"
