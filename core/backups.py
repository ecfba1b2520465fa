"""Backups of the running site, a file each."""

# SQLite writes them with VACUUM INTO, PostgreSQL with pg_dump. The checksum of gzip reveals damage.
# Sessions are left out, so a restored site has no logged-in users.

import gzip
import math
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection

from core.errors import Refusal
from core.version import VERSION

FILE_ENDINGS = {"sqlite": ".sqlite3.gz", "postgresql": ".pgdump.gz"}
SIGNATURES = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
RELEASE = re.compile(rb"datafort-([^\0]+)\Z")
NAME_FORMAT = "datafort-%Y%m%dT%H%M%S.%fZ"
# Backups, and days with backups, to retain whatever their age: the clock may be wrong.
NEWEST_COUNT = 3
LONGEST_RUN = 3600  # seconds
# Interval of the calls of `keep_alive` while a program runs.
CALLBACK_SECONDS = 10  # seconds
LONGEST_REASON = 300  # characters of the output of the operator's command
# Options of the database's address that pg_dump and pg_restore need too.
LIBPQ_OPTIONS = ("sslmode", "sslrootcert", "sslcert", "sslkey", "passfile", "service")
CHUNK_BYTES = 16 * 1024 * 1024  # bytes
# A backup without a write for this long was left by a dead process.
SILENT_AFTER = timedelta(minutes=5)
UNFINISHED_PREFIX = ".unfinished-"


class BackupRefused(Refusal):
    pass


class OperatorCommandError(Exception):
    pass


class DamagedBackup(BackupRefused):
    pass


@dataclass(frozen=True)
class Backup:
    """A complete backup of the site as of `began_at`."""

    path: Path
    began_at: datetime

    @property
    def size(self) -> int:
        return self.path.stat().st_size


def make(folder: Path, now: datetime, keep_alive: Callable[[], None] = lambda: None) -> Backup:
    """Write a backup. Raises BackupRefused, and OSError if the folder is not writable."""
    if _session_table() not in connection.introspection.table_names():
        raise BackupRefused(
            f"The database {connection.settings_dict['NAME']} holds no Datafort site. Set "
            "DATABASE_URL or DATAFORT_VAR to the site, or run set_up to create one."
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _delete_unfinished(folder, now)
    target = (
        folder / f"{now.astimezone(UTC).strftime(NAME_FORMAT)}{FILE_ENDINGS[connection.vendor]}"
    )
    with TemporaryDirectory(prefix=UNFINISHED_PREFIX, dir=folder) as aside:
        copy, packed = Path(aside) / "copy", Path(aside) / "packed"
        _copy(copy, keep_alive)
        # The header of the file names the release that wrote it; gunzip ignores the name.
        with (
            copy.open("rb") as source,
            packed.open("wb") as target_file,
            gzip.GzipFile(f"datafort-{VERSION}", "wb", 3, target_file) as pack,
        ):
            while part := source.read(CHUNK_BYTES):
                pack.write(part)
                keep_alive()
        packed.chmod(0o600)
        packed.replace(target)
    return Backup(target, now)


def _delete_unfinished(folder: Path, now: datetime) -> None:
    # Killed backups leave copies of the database, including its sessions.
    for leftover in folder.glob(f"{UNFINISHED_PREFIX}*"):
        with suppress(FileNotFoundError):
            if leftover.stat().st_mtime < now.timestamp() - LONGEST_RUN:
                shutil.rmtree(leftover, ignore_errors=True)


def is_backup_running(folder: Path, now: datetime) -> bool:
    for path in folder.glob(f"{UNFINISHED_PREFIX}*/*"):
        with suppress(FileNotFoundError):  # just finished
            if now.timestamp() - path.stat().st_mtime < SILENT_AFTER.total_seconds():
                return True
    return False


def backups_in(folder: Path) -> list[Backup]:
    """Return the backups that `make` wrote, newest first. Other files are ignored."""
    backups = []
    for path in folder.glob("datafort-*.gz"):
        for ending in FILE_ENDINGS.values():
            with suppress(ValueError):
                began_at = datetime.strptime(path.name, NAME_FORMAT + ending).replace(tzinfo=UTC)
                backups.append(Backup(path, began_at))
    return sorted(backups, key=lambda backup: backup.began_at, reverse=True)


@dataclass(frozen=True)
class Retention:
    """Ages up to which a backup of each hour, day and week is retained."""

    hours: int
    days: int
    weeks: int

    @property
    def longest(self) -> timedelta:
        return max(
            timedelta(hours=self.hours), timedelta(days=self.days), timedelta(weeks=self.weeks)
        )


def retention() -> Retention:
    return Retention(settings.BACKUP_HOURS, settings.BACKUP_DAYS, settings.BACKUP_WEEKS)


def days_in_backups() -> int:
    """Return the days until no backup contains data erased today; 0 without backups.

    Old backups are deleted after a new backup, which can take one more day.
    """
    if not settings.BACKUP_FOLDER:
        return 0
    return math.ceil(retention().longest / timedelta(days=1)) + 1


def delete_old(folder: Path, now: datetime, retention: Retention) -> None:
    """Delete backups that belong to none of the series.

    The newest of each hour, day and week (UTC, from Monday) represents it. Weeks consist of days
    and days of hours, so a backup that a longer series needs is never deleted earlier.

    The three newest are retained, and the newest of each of the three latest days. A clock that is
    ahead for a day therefore leaves backups of earlier days. Backups with a date in the future are
    retained until that date, as the clock may also be behind.
    """
    backups = [backup for backup in backups_in(folder) if backup.began_at <= now]
    by_hour = _newest_of_each(backups, lambda moment: moment.strftime("%Y-%m-%dT%H"))
    by_day = _newest_of_each(backups, lambda moment: moment.date())
    by_week = _newest_of_each(backups, lambda moment: moment.isocalendar()[:2])
    retained = {*backups[:NEWEST_COUNT], *by_day[:NEWEST_COUNT]}
    for series, age in (
        (by_hour, timedelta(hours=retention.hours)),
        (by_day, timedelta(days=retention.days)),
        (by_week, timedelta(weeks=retention.weeks)),
    ):
        retained.update(backup for backup in series if now - backup.began_at < age)
    for backup in backups:
        if backup not in retained:
            backup.path.unlink(missing_ok=True)


def _newest_of_each(
    backups: Iterable[Backup], period: Callable[[datetime], Hashable]
) -> list[Backup]:
    newest: dict[Hashable, Backup] = {}
    for backup in backups:
        newest.setdefault(period(backup.began_at), backup)
    return list(newest.values())


def release_of(path: Path) -> str:
    """Return the version of Datafort that wrote this backup, or "" if unknown."""
    with path.open("rb") as file:
        header = file.read(10)
        # RFC 1952: FNAME is the only optional field that `make` sets.
        if header[:2] != b"\x1f\x8b" or header[3:4] != b"\x08":
            return ""
        match = RELEASE.match(file.read(100).partition(b"\0")[0])
    return match[1].decode("latin-1") if match else ""


def check(path: Path) -> None:
    """Read the whole file. Raises DamagedBackup, or BackupRefused for another database."""
    ending = FILE_ENDINGS[connection.vendor]
    if not path.name.endswith(tuple(FILE_ENDINGS.values())):
        raise BackupRefused(
            f"The name of {path.name} does not end in {ending}, as backups of this site do. If the "
            "file is a renamed backup, give it this ending and try again."
        )
    if not path.name.endswith(ending):
        raise BackupRefused(
            f"{path.name} is not a backup of {connection.display_name}, the database of this site. "
            "Set DATABASE_URL for the other database. To move a site from SQLite to PostgreSQL, "
            "use move_site."
        )
    parts = _read_chunks(path)
    first = next(parts, b"")
    for _ in parts:  # Reading to the end compares the checksum.
        pass
    if not first:
        raise DamagedBackup(f"{path.name} is empty.")
    if not first.startswith(SIGNATURES[connection.vendor]):
        raise BackupRefused(
            f"{path.name} is not a backup of {connection.display_name}, although its name ends in "
            f"{ending}. Look for the file under another name."
        )


def restore(path: Path) -> None:
    """Restore into an empty database. Raises DamagedBackup, or BackupRefused if it has tables."""
    check(path)
    name = connection.settings_dict["NAME"]
    if tables := connection.introspection.table_names():
        raise BackupRefused(
            f"{name} already contains data ({len(tables)} tables). A backup is restored into an "
            "empty database only. Move the old database away, or name a new one."
        )
    with TemporaryDirectory(prefix="datafort-restore-") as aside:
        copy = Path(aside) / "copy"
        with copy.open("wb") as unpacked:
            unpacked.writelines(_read_chunks(path))
        connection.close()
        if connection.vendor == "sqlite":
            # The web process must be stopped: it would continue with the file that it has open.
            for ending in ("", "-wal", "-shm"):
                Path(f"{name}{ending}").unlink(missing_ok=True)
            copy.chmod(0o600)
            shutil.move(copy, name)
        else:
            options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
            _run(["pg_restore", *options, f"--dbname={name}", str(copy)])


def _copy(target: Path, keep_alive: Callable[[], None]) -> None:
    if connection.vendor != "sqlite":
        options = ["--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
        without_sessions = f"--exclude-table-data={_session_table()}"
        _run(["pg_dump", *options, without_sessions, f"--file={target}"], keep_alive)
        return
    try:
        with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=30)) as source:
            # The constraints of some tables name REGEXP; nothing calls it here.
            source.create_function(
                "REGEXP", 2, lambda pattern, text: bool(re.search(pattern, text))
            )
            source.execute("VACUUM INTO ?", [str(target)])
        with closing(sqlite3.connect(target, isolation_level=None)) as copied:
            copied.execute("PRAGMA secure_delete = ON")
            copied.execute(f"DELETE FROM {_session_table()}")  # noqa: S608 - a name of ours
    except sqlite3.OperationalError as error:
        raise BackupRefused(f"SQLite could not write the backup: {error}.") from error


def _session_table() -> str:
    table: str = (
        import_module(settings.SESSION_ENGINE).SessionStore.get_model_class()._meta.db_table
    )
    return table


def _read_chunks(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) as packed:
            while part := packed.read(1024 * 1024):
                yield part
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DamagedBackup(f"{path.name} is damaged, or is not a backup: {error}.") from error


def _run(command: Sequence[str], keep_alive: Callable[[], None] = lambda: None) -> None:
    # Variables, because every account can read the arguments of a process.
    database = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    variables = {name: str(database[key]) for name, key in names.items()}
    options = database.get("OPTIONS", {})
    variables |= {f"PG{name.upper()}": str(options.get(name, "")) for name in LIBPQ_OPTIONS}
    variables["PGPASSWORD"] = database["PASSWORD"]
    environment = {**os.environ, **{name: value for name, value in variables.items() if value}}
    try:
        _wait_for(command, timedelta(seconds=LONGEST_RUN), keep_alive, environment)
    except FileNotFoundError as error:
        raise BackupRefused(
            f"{error.filename} is not installed. Backups of PostgreSQL need its client programs "
            "(postgresql-client), as new as the server."
        ) from None
    except subprocess.TimeoutExpired:
        raise BackupRefused(
            f"{command[0]} was stopped after an hour. Check pg_stat_activity for what blocks it."
        ) from None
    except subprocess.CalledProcessError as error:
        first = (error.stderr.strip().splitlines() or ["it printed no reason"])[0]
        raise BackupRefused(f"{command[0]} failed: {first}") from None


def run_operator_command(
    path: Path, command: str, limit: timedelta, keep_alive: Callable[[], None]
) -> None:
    """Run the command, with this path as its last argument. Raises OperatorCommandError."""
    words = shlex.split(command)
    try:
        _wait_for([*words, str(path)], limit, keep_alive)
    except OSError as error:
        raise OperatorCommandError(f"{words[0]} cannot be run: {error.strerror}.") from error
    except subprocess.TimeoutExpired:
        minutes = limit // timedelta(minutes=1)
        raise OperatorCommandError(
            f"{words[0]} was stopped: it took longer than DATAFORT_BACKUP_COMMAND_MINUTES "
            f"({minutes})."
        ) from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["it printed no reason"])[-1]
        raise OperatorCommandError(
            f"{words[0]} ended with status {error.returncode}: {last[:LONGEST_REASON]}"
        ) from None


def _wait_for(
    command: Sequence[str],
    limit: timedelta,
    keep_alive: Callable[[], None],
    environment: dict[str, str] | None = None,
) -> None:
    """Run a program and its child processes within the limit. Raises OSError, SubprocessError."""
    process = subprocess.Popen(  # noqa: S603 - no shell; our words, or the operator's
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    ends_at = time.monotonic() + limit.total_seconds()
    with process:
        try:
            while True:
                left = ends_at - time.monotonic()
                try:
                    _, errors = process.communicate(timeout=max(0.0, min(CALLBACK_SECONDS, left)))
                    break
                except subprocess.TimeoutExpired:
                    if left <= CALLBACK_SECONDS:
                        raise
                    keep_alive()
        except BaseException:
            if os.name == "nt":
                process.kill()
            else:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=errors)
