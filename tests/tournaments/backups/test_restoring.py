"""A backup made while others write, put back into an empty site."""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

import pytest
from django.conf import settings
from django.db import connection, connections, transaction

from core import starting
from core.backups import BackupRefused, databases, files
from tests.factories.tournaments import make_event, play_round
from tests.tournaments.backups.places import Place, empty_place
from tournaments import backing_up, queries
from tournaments.models import Backup, LogEntry, Tournament
from tournaments.services import backups

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(38)]

HANDS = 4


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    (tmp_path / "restored").mkdir()
    with empty_place(tmp_path / "restored") as place:
        yield place


@contextmanager
def writers(event: Tournament) -> Iterator[list[int]]:
    """Threads that write two rows in each transaction, as fast as they can; how many they wrote."""
    written, stop = [0] * HANDS, Event()
    begun = [Event() for _ in range(HANDS)]

    def write(hand: int) -> None:
        try:
            while not stop.is_set():
                with transaction.atomic():
                    for half in ("first", "second"):
                        LogEntry.objects.create(
                            tournament=event, action=f"{half} half", subject=f"hand {hand}"
                        )
                written[hand] += 1
                if written[hand] == 5:
                    begun[hand].set()
        finally:
            connection.close()

    threads = [Thread(target=write, args=(hand,)) for hand in range(HANDS)]
    for thread in threads:
        thread.start()
    try:
        assert all(each.wait(60) for each in begun)
        yield written
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def restored_is_equal(place: Place, backup: Backup, path: Path) -> float:
    """Restore it there, with its seconds; the standings told by both are compared."""
    began = perf_counter()
    done = place.manage("restore", str(path))
    seconds = perf_counter() - began
    assert done.returncode == 0, done.stderr
    assert "The standings are those of the backup." in done.stdout
    with place.opened() as alias:
        assert queries.standings_digest(alias) == backup.standings == queries.standings_digest()
    return seconds


@pytest.mark.goal("G13")
def test_a_backup_made_under_writes_restores_one_moment_whole(tmp_path: Path, place: Place):
    event = make_event(players=6)
    play_round(event)
    play_round(event)

    with writers(event) as written:
        before = sum(written)
        made = backing_up.back_up(tmp_path)
        after = sum(written)

    restored_is_equal(place, made, tmp_path / made.name)
    with place.opened() as alias:
        halves = LogEntry.objects.using(alias).filter(action__endswith=" half")
        first = halves.filter(action="first half").count()
        assert first == halves.filter(action="second half").count()
        assert before <= first <= after + HANDS
        assert Tournament.objects.using(alias).get().name == event.name
    refused = place.manage("restore", str(tmp_path / made.name))
    assert refused.returncode == 2
    assert "There is data already" in refused.stderr


@pytest.mark.goal("G13")
@pytest.mark.slow
def test_500_players_after_9_rounds_are_restored(tmp_path: Path, place: Place, figure):
    event = make_event(players=500)
    for _ in range(9):
        play_round(event)

    with writers(event) as written:
        before, began = sum(written), perf_counter()
        made = backing_up.back_up(tmp_path)
        took, meanwhile = perf_counter() - began, sum(written) - before

    seconds = restored_is_equal(place, made, tmp_path / made.name)
    figure(
        f"{connection.vendor}, 500 players x 9 rounds: backup {made.size / 1e6:.1f} MB in "
        f"{took:.1f} s beside {meanwhile} transactions, restored in {seconds:.1f} s"
    )


def test_a_backup_of_an_older_release_is_brought_to_this_one(tmp_path: Path, place: Place):
    if connection.vendor != "sqlite":
        pytest.skip("the table is taken out of an SQLite file by hand")
    play_round(make_event(players=4))
    made = backing_up.back_up(tmp_path)
    older = _without_the_last_table(tmp_path / made.name)

    done = place.manage("restore", str(older))

    assert done.returncode == 0, done.stderr
    assert "The backup is older: migrations to apply:" in done.stdout
    with place.opened() as alias:
        assert not Backup.objects.using(alias).exists()
        assert queries.standings_digest(alias) == made.standings


NEWER = ("0017_backups", "0018_hall_version")


def _without_the_last_table(path: Path) -> Path:
    """The same backup, as the release before backups would have made it."""
    packed, raw, older = (path.with_suffix(ending) for ending in (".gz", ".raw", ".older"))
    manifest = files.unpack(path, packed)
    raw.write_bytes(gzip.decompress(packed.read_bytes()))
    with closing(sqlite3.connect(raw)) as database:
        database.execute("drop table tournaments_backup")
        database.execute("alter table tournaments_tournament drop column hall_version")
        newer = ", ".join(f"'{name}'" for name in NEWER)
        database.execute(f"delete from django_migrations where name in ({newer})")
        database.commit()
    packed.write_bytes(gzip.compress(raw.read_bytes()))
    had = [name for name in manifest.migrations if name.partition(".")[2] not in NEWER]
    files.write(older, replace(manifest, migrations=had), packed)
    return older


def test_a_backup_of_a_newer_release_or_another_database_is_refused(tmp_path: Path):
    (tmp_path / "copy").write_bytes(b"")
    manifest = files.Manifest("9.0.0", "", connection.vendor, ["tournaments.0999_of_next_year"])
    files.write(tmp_path / "newer", manifest, tmp_path / "copy")
    files.write(tmp_path / "other", replace(manifest, database="oracle"), tmp_path / "copy")

    with pytest.raises(backups.NewerBackup, match=r"newer release \(9\.0\.0.*0999_of_next_year"):
        backups.plan(tmp_path / "newer")
    with pytest.raises(BackupRefused, match="This backup is of oracle"):
        backups.plan(tmp_path / "other")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file has one web process")
def test_nothing_is_restored_under_a_running_site(tmp_path: Path, place: Place):
    backup = backing_up.back_up(tmp_path / "kept")
    database = tmp_path / "restored" / "datafort.sqlite3"

    with starting.hold(database, patience=0):
        refused = place.manage("restore", str(tmp_path / "kept" / backup.name))

    assert refused.returncode == 2
    assert "Stop the site, then restore" in refused.stderr
    with place.opened() as alias:
        assert connections[alias].introspection.table_names() == []


def test_nothing_is_restored_beside_data(tmp_path: Path):
    event = make_event(players=4)
    made = backing_up.back_up(tmp_path)

    with pytest.raises(BackupRefused, match="There is data already"):
        backups.restore(tmp_path / made.name, print)

    assert Tournament.objects.get() == event


def test_a_client_that_is_missing_or_too_old_is_told(tmp_path: Path, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite needs no client")
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    old.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(BackupRefused, match="pg_dump here is of PostgreSQL 9, the server of"):
        databases.copy(tmp_path / "copy", list)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(BackupRefused, match="pg_dump is not installed"):
        databases.copy(tmp_path / "copy", list)


def test_the_tests_make_no_backups_of_their_own():
    assert settings.BACKUP_FOLDER == ""
